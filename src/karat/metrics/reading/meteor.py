"""How METEOR cuts text into words."""

from __future__ import annotations

import unicodedata
from functools import cached_property

from karat import kernels
from karat.metrics.words.metric import tokenizer_resources
from karat.quick_dataclasses import dataclass
from karat.resources import Prefixes, prefixes
from karat.text import TextColumn, tokenizer

LANGUAGES = ("cs", "de", "en", "es", "fr", "ru")
"""Languages for which METEOR has rules; text in others is cut by the tokenizer intl."""


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
        return tokenizer(self.then).tokens(self.normalize(text, threads).native, threads)

    def normalize(self, text: kernels.Text, threads: int | None = None) -> TextColumn:
        """Every string with single spaces between its words, in lower case."""
        if self.language in LANGUAGES:
            return TextColumn(self._by_rules(text, threads)).lowered()
        words = kernels.tokenize(text, "intl").to_lists()
        return TextColumn.of([" ".join(filter(self._is_kept, line)) for line in words]).lowered()

    def _by_rules(self, text: kernels.Text, threads: int | None) -> kernels.Text:
        return kernels.meteor_normalize(
            text,
            self.language,
            punctuation=self.punctuation,
            always=self._prefixes.always,
            before_numbers=self._prefixes.before_numbers,
            threads=threads,
        )

    def _is_kept(self, word: str) -> bool:
        return self.punctuation or any(unicodedata.category(c)[0] not in "PS" for c in word)

    @cached_property
    def _prefixes(self) -> Prefixes:
        return prefixes(self.language)
