"""METEOR's parameters: what was tuned for which language and for which kind of judgement."""

from __future__ import annotations

from typing import NamedTuple

from karat.errors import SpecError

PRESETS = ("language", "universal", "independent", "adequacy", "hter", "tuning")


class Parameters(NamedTuple):
    """Alpha to delta, and the weights of the modules stem, synonym and paraphrase; exact matches weigh 1."""

    alpha: float
    beta: float
    gamma: float
    delta: float
    stem: float
    synonym: float
    paraphrase: float


_BY_LANGUAGE = {
    "en": Parameters(0.85, 0.20, 0.60, 0.75, 0.6, 0.8, 0.6),
    "cs": Parameters(0.95, 0.20, 0.60, 0.80, 0.0, 0.0, 0.4),
    "de": Parameters(0.95, 1.00, 0.55, 0.55, 0.8, 0.0, 0.2),
    "es": Parameters(0.65, 1.30, 0.50, 0.80, 0.8, 0.0, 0.6),
    "fr": Parameters(0.90, 1.40, 0.60, 0.65, 0.2, 0.0, 0.4),
}
_INDEPENDENT = Parameters(0.75, 1.40, 0.70, 0.50, 0.5, 0.5, 0.5)
_UNIVERSAL = Parameters(0.70, 1.40, 0.30, 0.70, 0.0, 0.0, 0.6)
_TUNING = Parameters(0.50, 1.00, 0.50, 0.50, 0.5, 0.5, 0.5)
_ENGLISH = {
    "adequacy": Parameters(0.75, 1.40, 0.45, 0.70, 1.0, 0.6, 0.8),
    "hter": Parameters(0.40, 1.50, 0.35, 0.55, 0.2, 0.6, 0.8),
}

_MODULES = {
    "en": ("exact", "stem", "synonym", "paraphrase"),
    "cs": ("exact", "paraphrase"),
    **dict.fromkeys(("de", "es", "fr", "ru"), ("exact", "stem", "paraphrase")),
}


def parameters(preset: str, language: str) -> Parameters:
    """The parameters of a preset for a language given by its code."""
    if preset in _ENGLISH:
        if language != "en":
            raise SpecError(f"meteor(parameters={preset}) is there for English only, not for {language}")
        return _ENGLISH[preset]
    if preset == "language":
        return _BY_LANGUAGE.get(language, _INDEPENDENT)
    return {"universal": _UNIVERSAL, "independent": _INDEPENDENT, "tuning": _TUNING}[preset]


def usual_modules(preset: str, language: str) -> tuple[str, ...]:
    """The modules that METEOR uses for a language, if it has what they need."""
    if preset == "universal":
        return ("exact", "paraphrase")
    return _MODULES.get(language, ("exact", "stem"))
