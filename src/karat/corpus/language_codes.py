"""Language codes: which of a file's own are meant by one that the user gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from karat.corpus.model import split_language_pair
from karat.errors import InputError


def chosen_language(wanted: str, spelled: Sequence[str], file: str, side: str = "") -> str:
    """The one of a file's codes that is meant: the same, or the only one that it is the start of (or that starts it).

    >>> chosen_language("en", ["en-US", "de-DE"], "a.tmx"), chosen_language("de_AT", ["en", "de"], "a.tmx")
    ('en-US', 'de')
    """
    same = [code for code in spelled if _parts(code) == _parts(wanted)]
    near = same or [code for code in spelled if _starts(_parts(code), _parts(wanted))]
    if len(near) == 1:
        return near[0]
    text = f"{side} text" if side else "text"
    if near:
        raise InputError(f"{file} has {text}s in {', '.join(near)}, and {wanted} may be any of them: write it in full")
    raise InputError(f"{file} has no {text} in {wanted}, only in {', '.join(spelled)}")


def chosen_pair(wanted: str, spelled: Sequence[str], file: str) -> str:
    """The one of a file's language pairs that is meant: the same, or the only one whose codes start alike.

    >>> chosen_pair("en-de", ["en-US-de-DE", "en-US-fr-FR"], "ratings.csv")
    'en-US-de-DE'
    """
    same = [pair for pair in spelled if _parts(pair) == _parts(wanted)]
    near = same or [pair for pair in spelled if _pairs_start_alike(pair, wanted)]
    if len(near) == 1:
        return near[0]
    if near:
        raise InputError(f"{file} has ratings of {', '.join(near)}, and {wanted} may be any of them: write it in full")
    raise InputError(f"{file} has no ratings of {wanted}, only of {', '.join(spelled)}: name one of these with -l")


def _pairs_start_alike(pair: str, other_pair: str) -> bool:
    try:
        sides = zip(split_language_pair(pair), split_language_pair(other_pair), strict=True)
    except InputError:  # a file may call a pair anything, such as ende
        return False
    return all(_starts(_parts(code), _parts(other_code)) for code, other_code in sides)


def pair_of(codes: Iterable[str]) -> str:
    """A language pair as `-l` takes it.

    >>> pair_of(["en-US", "de-DE"])
    'en_US-de_DE'
    """
    return "-".join(code.replace("-", "_") for code in codes)


def _parts(code: str) -> list[str]:
    return code.replace("_", "-").lower().split("-")


def _starts(parts: list[str], other_parts: list[str]) -> bool:
    shorter = min(len(parts), len(other_parts))
    return parts[:shorter] == other_parts[:shorter]
