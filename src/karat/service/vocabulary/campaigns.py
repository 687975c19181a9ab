"""What commands say about campaigns."""

from karat.campaigns.plan import Check, SameSource, Sight, Unit

__all__ = ["Check", "SameSource", "Sight", "Unit"]
