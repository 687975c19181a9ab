"""What is asked of the evidence: where texts, scores and judgements are, and which of them count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.corpus import Targeted
    from karat.corpus.column_names import Pairs
    from karat.metrics.base import Metric
    from karat.service.inputs import Input


@dataclass(frozen=True, kw_only=True)
class GoldRequest:
    """Where judgements of people are: files of scores or of ratings.

    Of several criteria that ratings are about those in `criteria` count, or `every` one of them, or else the one about
    the whole. `column` names that of the score in a table. Systems that nobody judged are left out, unless
    `keep_unjudged`.
    """

    paths: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    every: bool = False
    column: str | None = None
    keep_unjudged: bool = False


@dataclass(frozen=True, kw_only=True)
class EvidenceRequest:
    """Where the evidence comes from: texts to be scored, files of scores or ratings, judgements, or all of these.

    `criteria` chooses among what ratings in files of `scores` are about; all if it is empty. `only` keeps the lines of
    these that have such values, and is None where there is no way to say so. `language_pair` chooses among those of
    ratings, where the texts do not tell it. `systems` are those to be kept of the files of scores, where there are no
    texts; all of them if it is empty. `testsets` chooses among several.
    `stored` is a directory of parts that were scored before, in place of texts and metrics.
    With `streaming`, files of any size are read block by block where that is possible; what is kept then are sums, of
    which no test can be made.
    """

    texts: Input | None = None
    metrics: tuple[str | Metric, ...] = ()
    scores: tuple[str, ...] = ()
    criteria: tuple[str, ...] = ()
    only: Mapping[str, str] | None = None
    columns: Pairs = ()
    language_pair: str | None = None
    systems: tuple[str, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict)
    targeted: Targeted = "never"
    streaming: bool = False
    gold: GoldRequest | None = None
    humans: tuple[str, ...] = ()
    testsets: tuple[str, ...] = ()
    stored: str | None = None
    threads: int | None = None
