"""Machine translation evaluation: is this translation any good, and how sure are we?

>>> import karat
>>> karat.score(["a b c d"], ["a b c d"], metrics=["bleu"])[0].score
100.00000000000004
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.lazy_names import loader

if TYPE_CHECKING:
    from karat.corpus import Corpus, load_corpus, read_corpus
    from karat.errors import InputError, KaratError, MissingExtraError, SpecError
    from karat.metrics.base import Metric
    from karat.registry import metric, metric_from
    from karat.results.scores import Scores
    from karat.rows import Rows
    from karat.scores import Score
    from karat.service.batches import score_batch
    from karat.service.mbr import mbr
    from karat.service.pairwise import pairwise
    from karat.service.scoring import score
    from karat.service.significance import bootstrap, compare, rank
    from karat.version import VERSION as __version__  # noqa: N811

_HOMES = {
    "Corpus": "karat.corpus",
    "InputError": "karat.errors",
    "KaratError": "karat.errors",
    "Metric": "karat.metrics.base",
    "MissingExtraError": "karat.errors",
    "Rows": "karat.rows",
    "Score": "karat.scores",
    "Scores": "karat.results.scores",
    "SpecError": "karat.errors",
    "bootstrap": "karat.service.significance",
    "compare": "karat.service.significance",
    "load_corpus": "karat.corpus",
    "mbr": "karat.service.mbr",
    "metric": "karat.registry",
    "metric_from": "karat.registry",
    "pairwise": "karat.service.pairwise",
    "rank": "karat.service.significance",
    "read_corpus": "karat.corpus",
    "score": "karat.service.scoring",
    "score_batch": "karat.service.batches",
}

__all__ = [
    "Corpus",
    "InputError",
    "KaratError",
    "Metric",
    "MissingExtraError",
    "Rows",
    "Score",
    "Scores",
    "SpecError",
    "__version__",
    "bootstrap",
    "compare",
    "load_corpus",
    "mbr",
    "metric",
    "metric_from",
    "pairwise",
    "rank",
    "read_corpus",
    "score",
    "score_batch",
]


_load = loader(__name__, _HOMES)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that `import karat` costs nothing."""
    if name == "__version__":
        from karat.version import VERSION

        return VERSION
    return _load(name)


def __dir__() -> list[str]:
    return __all__
