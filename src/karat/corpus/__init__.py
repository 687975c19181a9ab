"""What is judged and what it is measured against: the corpus, and the files it comes from."""

from karat.corpus.blocks import is_streamable, stream_blocks
from karat.corpus.columns import PartialColumn
from karat.corpus.diagnostics import Diagnostic, DiagnosticCounter, diagnose
from karat.corpus.loading import load_corpus, read_corpus, system_arguments
from karat.corpus.manifest import ManifestEntry, read_manifest
from karat.corpus.model import Corpus, Targeted, split_language_pair
from karat.corpus.readers import reader_classes
from karat.corpus.references import References
from karat.corpus.writers import write_corpus

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
