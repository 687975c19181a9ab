"""What is judged and what it is measured against: the corpus, and the files it comes from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy_names import loader

if TYPE_CHECKING:
    from karat.corpus.blocks import is_streamable, stream_blocks
    from karat.corpus.columns import PartialColumn
    from karat.corpus.diagnostics import Diagnostic, DiagnosticCounter, diagnose
    from karat.corpus.loading import load_corpus, read_corpus
    from karat.corpus.manifest import ManifestEntry, read_manifest
    from karat.corpus.model import Corpus, Targeted, split_language_pair
    from karat.corpus.naming import system_arguments
    from karat.corpus.readers import reader_classes
    from karat.corpus.references import References
    from karat.corpus.writers import write_corpus

_HOMES = {
    "Corpus": "karat.corpus.model",
    "Diagnostic": "karat.corpus.diagnostics",
    "DiagnosticCounter": "karat.corpus.diagnostics",
    "ManifestEntry": "karat.corpus.manifest",
    "PartialColumn": "karat.corpus.columns",
    "References": "karat.corpus.references",
    "Targeted": "karat.corpus.model",
    "diagnose": "karat.corpus.diagnostics",
    "is_streamable": "karat.corpus.blocks",
    "load_corpus": "karat.corpus.loading",
    "read_corpus": "karat.corpus.loading",
    "read_manifest": "karat.corpus.manifest",
    "reader_classes": "karat.corpus.readers.base",
    "split_language_pair": "karat.corpus.model",
    "stream_blocks": "karat.corpus.blocks",
    "system_arguments": "karat.corpus.naming",
    "write_corpus": "karat.corpus.writers",
}

__all__ = [
    "Corpus",
    "Diagnostic",
    "DiagnosticCounter",
    "ManifestEntry",
    "PartialColumn",
    "References",
    "Targeted",
    "diagnose",
    "is_streamable",
    "load_corpus",
    "read_corpus",
    "read_manifest",
    "reader_classes",
    "split_language_pair",
    "stream_blocks",
    "system_arguments",
    "write_corpus",
]

__getattr__ = loader(__name__, _HOMES)
