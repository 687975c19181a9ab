"""Texts with files of annotations beside them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from karat.corpus.lines import repeated
from karat.errors import InputError
from karat.quick_dataclasses import dataclass
from karat.service.inputs import refuse_several

if TYPE_CHECKING:
    from karat.corpus import Corpus
    from karat.service.inputs import Input, TestSet


@dataclass(frozen=True)
class AnnotatedTexts:
    """Texts from anywhere, and for some of them a file of annotations by their name."""

    texts: Input
    files: tuple[tuple[str, str], ...]

    def testsets(self, *, whole: bool, twice: bool = False) -> list[TestSet]:  # noqa: ARG002 - always read whole
        """The one test set that the annotations are of."""
        if (twice_named := repeated(name for name, _ in self.files)) is not None:
            raise InputError(f"--annotations {twice_named}=...: give each text one file")
        testsets = self.texts.testsets(whole=True)
        refuse_several([testset.name for testset in testsets], "--annotations are of the texts of one")
        (testset,) = testsets

        def blocks() -> Iterable[Corpus]:
            return (block.annotated(dict(self.files)) for block in testset.blocks())

        return [replace(testset, blocks=blocks, references=None, annotated=True)]
