"""Tokenizers by name.

A tokenizer decides what BLEU and its like count, so its signature is part of every score.
"""

from __future__ import annotations

import inspect
import warnings
from functools import cache
from pathlib import Path

from karat.errors import SpecError, did_you_mean
from karat.quick_dataclasses import dataclass
from karat.text.tokenizers.base import NamedTokenizer, Tokenizer
from karat.text.tokenizers.core import CORE
from karat.text.tokenizers.japanese import Japanese
from karat.text.tokenizers.korean import Korean
from karat.text.tokenizers.subwords import Flores101, Flores200, PublishedModel, SentencePiece, SpBleu1K

__all__ = [
    "Tokenizer",
    "TokenizerDescription",
    "default_tokenizer",
    "describe_tokenizer",
    "has_spaces",
    "needs_spaces",
    "tokenizer",
    "tokenizer_names",
]

_MODEL_PREFIX = "spm:"
_PUBLISHED: tuple[type[PublishedModel], ...] = (Flores101, Flores200, SpBleu1K)
_ALL: tuple[type[NamedTokenizer], ...] = (*CORE, Japanese, Korean, *_PUBLISHED)
_CLASSES = {cls.name: cls for cls in _ALL}
_WITHOUT_SPACES = {
    **dict.fromkeys(("zh", "zho", "chi", "cmn", "yue"), "zh"),
    **dict.fromkeys(("ja", "jpn"), "ja-mecab"),
    **dict.fromkeys(("th", "tha", "km", "khm", "lo", "lao", "my", "mya", "bur"), "char"),
}
_BY_LANGUAGE = {**_WITHOUT_SPACES, **dict.fromkeys(("ko", "kor"), "ko-mecab")}


@dataclass(frozen=True)
class TokenizerDescription:
    """What can be said about a tokenizer without making one: `documentation` is Markdown with doctests."""

    name: str
    summary: str
    documentation: str
    languages: str
    source: str
    extra: str


def tokenizer_names() -> tuple[str, ...]:
    """The names that `tokenizer` knows, besides ``spm:PATH``."""
    return tuple(_CLASSES)


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of that name; ``spm:PATH`` is a SentencePiece model in a file.

    >>> tokenizer("13a").signature
    '13a'
    """
    if name == "spm":
        warnings.warn("the tokenizer spm is flores101: write flores101, or spm:PATH for a model of yours", stacklevel=2)
        name = Flores101.name
    if name.startswith(_MODEL_PREFIX):
        return SentencePiece(Path(name.removeprefix(_MODEL_PREFIX)).expanduser())
    # A model is looked for where the environment says at this moment, so those are not remembered.
    cls = _class_named(name)
    return cls() if issubclass(cls, PublishedModel) else _shared(cls)


def default_tokenizer(language: str) -> str:
    """The name of the tokenizer for text in a language: a code such as zh, zh-TW or zho_Hans.

    >>> default_tokenizer("de"), default_tokenizer("ja")
    ('13a', 'ja-mecab')
    """
    return _BY_LANGUAGE.get(_primary(language), "13a")


def has_spaces(language: str) -> bool:
    """Whether text in a language is written with spaces between words, as far as is known.

    >>> has_spaces("ko"), has_spaces("zh-TW")
    (True, False)
    """
    return _primary(language) not in _WITHOUT_SPACES


def needs_spaces(name: str) -> bool:
    """Whether a tokenizer cuts text at spaces; so do rules of metrics' own, which go by other names.

    >>> needs_spaces("13a"), needs_spaces("tercom"), needs_spaces("zh")
    (True, True, False)
    """
    return not name.startswith("spm") and (name not in _CLASSES or _CLASSES[name].needs_spaces)


def _primary(language: str) -> str:
    return language.replace("_", "-").split("-")[0].lower()


def describe_tokenizer(name: str) -> TokenizerDescription:
    """What a tokenizer does, for whom, and what it needs.

    >>> describe_tokenizer("zh").languages
    'Chinese'
    """
    cls = tokenizer_class(name)
    documentation = inspect.cleandoc(cls.__doc__ or "")
    summary = " ".join(documentation.partition("\n\n")[0].split())
    shown = "spm:PATH" if cls is SentencePiece else cls.name
    return TokenizerDescription(shown, summary, documentation, cls.languages, cls.source, cls.extra)


def tokenizer_class(name: str) -> type[NamedTokenizer]:
    """The class of the tokenizer of that name."""
    return SentencePiece if name.startswith("spm") else _class_named(name)


@cache
def _shared(cls: type[NamedTokenizer]) -> NamedTokenizer:
    return cls()


def _class_named(name: str) -> type[NamedTokenizer]:
    try:
        return _CLASSES[name]
    except KeyError:
        known = [*tokenizer_names(), "spm:PATH"]
        raise SpecError(f"there is no tokenizer {name!r}.{did_you_mean(name, known)}") from None
