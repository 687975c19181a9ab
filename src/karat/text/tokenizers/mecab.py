"""What the Japanese and the Korean tokenizer share: MeCab with one certain dictionary."""

from __future__ import annotations

from abc import abstractmethod
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar

from karat.errors import InputError
from karat.text.tokenizers.base import ExternalTokenizer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class MecabTokenizer(ExternalTokenizer):
    """MeCab segments the line; the dictionary must be the one that sacreBLEU uses, or scores would not compare."""

    dictionary: ClassVar[str]
    dictionary_size: ClassVar[int]
    tag: ClassVar[str]

    def __init__(self) -> None:
        self._lock = Lock()

    @abstractmethod
    def make_tagger(self) -> Any:
        """A MeCab tagger that puts spaces between words."""

    @cached_property
    def tagger(self) -> Any:
        """The tagger, made when it is first needed."""
        tagger = self.make_tagger()
        information = tagger.dictionary_info()
        if information.size != self.dictionary_size or information.next is not None:
            raise InputError(
                f"{self.name} needs the dictionary {self.dictionary} with {self.dictionary_size} entries and no user "
                f"dictionary, but found {information.size} entries in {information.filename}: "
                f"install karat[{self.extra}] in a clean environment and remove user dictionaries from mecabrc"
            )
        return tagger

    @property
    def signature(self) -> str:
        """The name, the version of MeCab and the dictionary, as sacreBLEU writes them."""
        return f"{self.name}-{self.tagger.version()}-{self.tag}"

    def spaced(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines with spaces between the words."""
        with self._lock:  # a tagger is not safe to share between threads
            for line in lines:
                yield self.tagger.parse(line.strip()).strip()
