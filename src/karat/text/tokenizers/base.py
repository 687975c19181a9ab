"""What a tokenizer is, and what all tokenizers share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Protocol

from karat import kernels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Tokenizer(Protocol):
    """Cuts a column of text into tokens."""

    @property
    def name(self) -> str:
        """What `tokenizer` knows it by."""
        ...

    @property
    def signature(self) -> str:
        """What a reader must know to get the same tokens: the name, and versions where they matter."""
        ...

    @property
    def resources(self) -> dict[str, str]:
        """Versions of what the tokens depend on besides the code, where the signature does not say them."""
        ...

    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:
        """The tokens of every string."""
        ...


class NamedTokenizer(ABC):
    """A tokenizer with a name of its own; its docstring is its page in the documentation."""

    name: ClassVar[str]
    languages: ClassVar[str]
    source: ClassVar[str] = ""
    extra: ClassVar[str] = ""
    needs_spaces: ClassVar[bool] = False
    """Whether text without spaces between its words is one long word to it."""

    @property
    def signature(self) -> str:
        """The name says it all, unless a subclass knows more."""
        return self.name

    @property
    def resources(self) -> dict[str, str]:
        """Nothing, unless a subclass depends on more than code."""
        return {}

    @abstractmethod
    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:
        """The tokens of every string."""

    def __call__(self, line: str) -> str:
        """One string, with its tokens separated by single spaces."""
        return " ".join(self.tokens(kernels.Text([line])).to_lists()[0])

    def __repr__(self) -> str:
        return f"tokenizer({self.name!r})"


class CoreTokenizer(NamedTokenizer):
    """A tokenizer of the compiled core."""

    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:  # noqa: ARG002
        """The tokens of every string."""
        return kernels.tokenize(text, self.name)


class ExternalTokenizer(NamedTokenizer):
    """A tokenizer that another library does; it hands back strings with spaces between the tokens."""

    @abstractmethod
    def spaced(self, lines: Iterable[str]) -> Iterator[str]:
        """Every line, without white space at its end, with spaces between its tokens."""

    def tokens(self, text: kernels.Text, threads: int | None = None) -> kernels.Tokens:  # noqa: ARG002
        """The tokens of every string."""
        spaced = self.spaced(line.rstrip() for line in text.to_list())
        return kernels.tokenize(kernels.Text(list(spaced)), "none")
