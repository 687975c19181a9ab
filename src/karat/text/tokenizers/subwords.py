"""Tokenizers of SentencePiece models: spm:PATH, flores101, flores200, spBLEU-1K."""

from __future__ import annotations

import hashlib
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from karat.errors import InputError, MissingExtraError
from karat.text.tokenizers.base import ExternalTokenizer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class SentencePiece(ExternalTokenizer):
    """The pieces of a SentencePiece model in a local file: ``spm:PATH``.

    BLEU over pieces ("spBLEU") needs no word segmenter and treats all languages of the model alike. Pieces that start a
    word begin with ``▁`` (U+2581).

    Needs ``pip install 'karat[spm]'``. The signature holds a hash of the file, wherever it lies and whatever its name.
    Traps: scores of two models cannot be compared, and a piece that is not in the model stays as it is in the text.
    """

    name = "spm"
    languages = "those the model was trained on"
    source = "T. Kudo, J. Richardson (2018), SentencePiece, EMNLP system demonstrations"
    extra = "spm"

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def path(self) -> Path:
        """Where the model is; refused if it is not there."""
        if not self._path.is_file():
            raise InputError(f"there is no SentencePiece model at {self._path}")
        return self._path

    @cached_property
    def digest(self) -> str:
        """A short hash of the model."""
        return hashlib.sha256(self.path.read_bytes()).hexdigest()[:8]

    @property
    def signature(self) -> str:
        """The hash of the model is all that matters."""
        return f"spm-{self.digest}"

    @cached_property
    def model(self) -> Any:
        """The model, loaded when it is first needed."""
        try:
            from sentencepiece import SentencePieceProcessor
        except ImportError as error:
            raise MissingExtraError(f"the tokenizer {self.name}", self.extra) from error
        model = SentencePieceProcessor()
        try:
            model.Load(str(self.path))
        except (OSError, RuntimeError) as error:
            raise InputError(f"{self.path} is not a SentencePiece model: {error}") from error
        return model

    def spaced(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines with spaces between the pieces."""
        for line in lines:
            yield " ".join(self.model.EncodeAsPieces(line))

    def __repr__(self) -> str:
        return f"tokenizer({f'spm:{self._path}'!r})"


class PublishedModel(SentencePiece):
    """A model that sacreBLEU downloads; karat looks for it where sacreBLEU puts it, and downloads nothing."""

    file_name: ClassVar[str]
    url: ClassVar[str]

    def __init__(self) -> None:
        super().__init__(model_directory() / self.file_name)

    @property
    def path(self) -> Path:
        """Where the model is; refused, with the place to put it, if it is not there."""
        if not self._path.is_file():
            raise InputError(
                f"the tokenizer {self.name} needs the file {self._path}, and karat does not download: get it from "
                f"{self.url}, or let sacrebleu --tokenize {self.name} fetch it once"
            )
        return self._path

    @property
    def signature(self) -> str:
        """The name, as sacreBLEU writes it."""
        return self.name

    @property
    def resources(self) -> dict[str, str]:
        """The hash of the model: nobody else checks the download."""
        return {"spm": self.digest}

    def __repr__(self) -> str:
        return f"tokenizer({self.name!r})"


class Flores101(PublishedModel):
    """The pieces of the SentencePiece model of FLORES-101: what spBLEU means without further words.

    Needs ``pip install 'karat[spm]'`` and the model file in sacreBLEU's directory (``~/.sacrebleu/models``, or
    ``models`` under ``$SACREBLEU``). ``spm`` alone is another name for it, with a warning. Traps: the signature names
    the model only; the hash of the file stands among karat's resources.
    """

    name = "flores101"
    languages = "the 101 languages of FLORES-101"
    source = "N. Goyal et al. (2022), The FLORES-101 evaluation benchmark, TACL"
    file_name = "sacrebleu_tokenizer_spm.model"
    url = "https://dl.fbaipublicfiles.com/fairseq/models/flores/sacrebleu_tokenizer_spm.model"


class Flores200(PublishedModel):
    """The pieces of the SentencePiece model of FLORES-200, for the languages of NLLB.

    Needs ``pip install 'karat[spm]'`` and the model file in sacreBLEU's directory (``~/.sacrebleu/models``, or
    ``models`` under ``$SACREBLEU``). Traps: its scores cannot be compared with those of `flores101`.
    """

    name = "flores200"
    languages = "the 200 languages of FLORES-200"
    source = "NLLB Team (2022), No language left behind, arXiv:2207.04672"
    file_name = "flores200sacrebleuspm"
    url = "https://tinyurl.com/flores200sacrebleuspm"


class SpBleu1K(PublishedModel):
    """The pieces of the spBLEU-1K model, which covers a thousand languages, most of them African.

    Needs ``pip install 'karat[spm]'`` and the model file in sacreBLEU's directory (``~/.sacrebleu/models``, or
    ``models`` under ``$SACREBLEU``). Traps: its scores cannot be compared with those of the other models.
    """

    name = "spBLEU-1K"
    languages = "1,003 languages"
    source = (
        "A. Elmadany et al. (2024), Toucan: many-to-many translation for 150 African language pairs, Findings of ACL"
    )
    file_name = "spbleu-1k_tokenizer_spm.model"
    url = "https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model"


def model_directory() -> Path:
    """Where sacreBLEU keeps models: under $SACREBLEU, else under ~/.sacrebleu."""
    directory = os.environ.get("SACREBLEU")
    return (Path(directory) if directory else Path.home() / ".sacrebleu") / "models"
