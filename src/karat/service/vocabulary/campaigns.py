"""What commands say about campaigns."""

from karat.campaigns.plan import Check, Context, SameSource, Sight, Unit

__all__ = ["Check", "Context", "SameSource", "Sight", "Unit"]
