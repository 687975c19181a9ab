"""How TER-Plus cuts text into words, and which English words are too common to be worth moving alone."""

from __future__ import annotations

import re

from karat import kernels
from karat.quick_dataclasses import dataclass
from karat.resources import FunctionWords

_ENTITIES = {"<skipped>": "", "&quot;": '"', "&amp;": "&", "&lt;": "<", "&gt;": ">"}
_PUNCTUATION = re.compile(r"([{-~\[-`!-&(-+:-@/])")
_POSSESSIVE = re.compile(r"'s(?=\s|$)")
_LAST_POINT = re.compile(r"(?<!\S)([^\s.,]+)([.,])(?!\S)")
_DASH_BEHIND_DIGIT = re.compile("([0-9])-")


@dataclass(frozen=True)
class TerpTokenizer:
    """TER-Plus's normaliser: splits punctuation off, but leaves points and commas within words alone."""

    name: str = "terp"
    signature: str = "terp"

    @property
    def resources(self) -> dict[str, str]:
        """None: the rules are fixed."""
        return {}

    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:  # noqa: ARG002
        """The tokens of every string."""
        return kernels.tokenize(kernels.Text(_all_normalized(text.to_list())), "none")


def _all_normalized(lines: list[str]) -> list[str]:
    """Every line: all at once where no line has a newline, which ends a word as the end of a line does."""
    joined = "\n".join(lines)
    if joined.count("\n") != len(lines) - 1:
        return [normalized(line) for line in lines]
    return normalized(joined).split("\n")


def normalized(line: str) -> str:
    """The line with white space between its words.

    >>> normalized("Tuesday's U.S. vote (54-46), said A. B.").split()
    ['Tuesday', "'s", 'U.S.', 'vote', '(', '54', '-', '46', ')', ',', 'said', 'A', '.', 'B', '.']
    """
    for entity, text in _ENTITIES.items():
        line = line.replace(entity, text)
    line = _PUNCTUATION.sub(r" \1 ", line)
    line = _POSSESSIVE.sub(" 's", line)
    line = _LAST_POINT.sub(r"\1 \2", line)
    return _DASH_BEHIND_DIGIT.sub(r"\1 - ", line)


_ENGLISH = """
. , ; : ! ? ' " ` ( ) [ ] { } - / & $ % + 's
a an the this that these those each every either neither some any no none all both few little many much more most
several such same other others another enough
about above across after against along among around as at before behind below beneath beside besides between beyond by
despite down during except for from in inside into like near of off on onto out outside over past per regarding since
than through throughout till to toward towards under until up upon via with within without
and or but nor so yet if because although though while whereas whether unless once
be am is are was were been being have has had having do does did done doing will would shall should can cannot could may
might must ought let
it its itself one ones them themselves there here what which who whom whose when where why how something anything
everything nothing someone anyone everyone somebody anybody everybody self yourself ourselves
not n't t just also too even still only quite rather very really perhaps maybe often sometimes again ago away else then
thus indeed however already ever never oh ah um well please
"""

ENGLISH_FUNCTION_WORDS = FunctionWords("karat-en", frozenset(_ENGLISH.split()))
"""Words of the closed classes and punctuation, chosen for this metric; the list of the authors' program is another."""
