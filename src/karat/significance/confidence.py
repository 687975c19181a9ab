"""A confidence as it is written: whoever prints one need not load the tests."""

from __future__ import annotations


def percent(confidence: float) -> str:
    """A confidence in percent, with as many digits as it takes not to look like certainty.

    >>> percent(0.95), percent(0.9999), percent(0.99999999)
    ('95', '99.99', '99.999999')
    """
    texts = (f"{confidence * 100:.{digits}g}" for digits in range(6, 18))
    return next(text for text in texts if float(text) < 100 or confidence >= 1)
