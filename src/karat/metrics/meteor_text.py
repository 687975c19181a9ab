"""How METEOR cuts text into words: its normaliser, rule by rule."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from karat import kernels
from karat.metrics.words import tokenizer_resources
from karat.resources import Prefixes, prefixes
from karat.text import tokenizer

LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")
"""Languages for which METEOR has rules; text in others is cut by the tokenizer intl."""

_LETTERS = "A-Za-zÀ-ÖØ-öø-žЀ-ԧᴀ-ᵿꙀ-ꙮ꙾-ꚗ"
_LETTER, _OTHER = f"([{_LETTERS}])", f"([^{_LETTERS}])"
_KNOWN = f"{_LETTERS}0-9"
_MARK = re.compile(f"[^{_KNOWN}\\s]")
_HAS_LETTER = re.compile(_LETTER).search
_POINT = re.compile(r"(?<!\S)(\S+)\.(?!\S)(?= ?(\S?))")
"""A word that ends with a point, and the first character of the word that follows in the line."""


@dataclass(frozen=True, kw_only=True)
class MeteorTokenizer:
    """METEOR's normaliser: cuts off punctuation, straightens quotes, joins U.S. to us, and lowers case."""

    language: str
    punctuation: bool = True
    then: str = "none"

    @property
    def name(self) -> str:
        """What it is called in signatures."""
        return "meteor"

    @property
    def signature(self) -> str:
        """The language, whose abbreviations matter, and every option."""
        return f"meteor({self.language},{self.punctuation},{self._prefixes.signature})+{tokenizer(self.then).signature}"

    @property
    def resources(self) -> dict[str, str]:
        """Where the abbreviations are from, and what the tokenizer that follows depends on."""
        return {"prefixes": self._prefixes.signature, **tokenizer_resources(self.then)}

    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:
        """The tokens of every string."""
        return tokenizer(self.then).tokens(kernels.Text(self.normalize(text.to_list())), threads)

    def normalize(self, lines: list[str]) -> list[str]:
        """Every string with single spaces between its words, in lower case."""
        # One text for all strings: no rule looks beyond the spaces around each. What ends a line in it must not
        # stand within a string, so white space becomes plain there.
        if self.language in LANGUAGES:
            text = self._by_rules("\n".join(f" {' '.join(line.split())} " for line in lines))
        else:
            words = kernels.tokenize(kernels.Text(lines), "intl").to_lists()
            text = "\n".join(" ".join(filter(self._is_kept, line)) for line in words)
        return [" ".join(line.split()) for line in text.lower().split("\n")]

    def _by_rules(self, text: str) -> str:
        for pattern, replacement in self._rules:
            text = pattern.sub(replacement, text)
        text = "\n".join(" ".join(line.split()) for line in text.split("\n"))
        text = _POINT.sub(self._pointed, text)
        return text if self.punctuation else _MARK.sub(" ", text)

    def _is_kept(self, word: str) -> bool:
        return self.punctuation or any(unicodedata.category(c)[0] not in "PS" for c in word)

    @cached_property
    def _prefixes(self) -> Prefixes:
        return prefixes(self.language)

    @cached_property
    def _rules(self) -> list[tuple[re.Pattern[str], str]]:
        rules = [
            (rf"([^{_KNOWN}\s.'`,\-‘’“”–])", r" \1 "),
            ("[“”]", ' " '),
            ("[‘’`]", "'"),
            ("''", ' " '),
            ("–", " - "),
            (r"(\.\.+)", r" \1 "),
            ("([^0-9]),([^0-9])", r"\1 , \2"),
            ("([0-9]),([^0-9])", r"\1 , \2"),
            ("([^0-9]),([0-9])", r"\1 , \2"),
            ("--", "-"),
            *_apostrophes(self.language),
            (rf"([{_KNOWN}.])-([{_KNOWN}])", r"\1 \2"),
        ]
        return [(re.compile(pattern), replacement) for pattern, replacement in rules]

    def _pointed(self, match: re.Match[str]) -> str:
        """A word that ends with a point: U.S. loses its points, Mr. keeps it, others stand before it."""
        word, following = match[1], match[2]
        if not word.strip("."):
            return match[0]
        if "." in word and _HAS_LETTER(word):
            return word.replace(".", "")
        if word in self._prefixes.always or "a" <= following <= "z":
            return match[0]
        if word in self._prefixes.before_numbers and "0" <= following <= "9":
            return match[0]
        return f"{word} ."


def _apostrophes(language: str) -> list[tuple[str, str]]:
    """It's is it 's in English and it' s in French; elsewhere an apostrophe stands alone."""
    if language not in ("en", "fr"):
        return [("'", " ' ")]
    english = language == "en"
    return [
        (f"{_OTHER}'{_OTHER}", r"\1 ' \2"),
        (f"([^{_KNOWN}])'{_LETTER}" if english else f"{_OTHER}'{_LETTER}", r"\1 ' \2"),
        (f"{_LETTER}'{_OTHER}", r"\1 ' \2"),
        (f"{_LETTER}'{_LETTER}", r"\1 '\2" if english else r"\1' \2"),
        *([("([0-9])'s", r"\1 's")] if english else []),
    ]
