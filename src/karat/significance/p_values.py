"""P-values as they are written."""

from __future__ import annotations


def p_value(p: float | None) -> str:
    """A p-value with four digits; a smaller one is only said to be below the last of them."""
    if p is None:
        return "–"
    return f"{p:.4f}" if p >= 0.0001 else "< 0.0001"


def p_is(p: float) -> str:
    """A p-value as a statement: "p = 0.0312" or "p < 0.0001"."""
    return f"p = {p_value(p)}" if p >= 0.0001 else f"p {p_value(p)}"
