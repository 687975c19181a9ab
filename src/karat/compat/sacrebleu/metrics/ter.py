"""TER with sacreBLEU's options, numbers and strings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from karat.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams, merge_scores
from karat.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from karat.metrics.ter import Ter

if TYPE_CHECKING:
    from numpy.typing import NDArray


class TERSignature(Signature):
    """Case, tokenizer, normalisation, punctuation and Asian support."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update(case="c", tok="t", norm="nr", punct="pn", asian="as")
        self.info.update(
            case="mixed" if args["case_sensitive"] else "lc",
            tok=args["tokenizer_signature"],
            norm=args["normalized"],
            punct=not args["no_punct"],
            asian=args["asian_support"],
        )


class TERScore(Score):
    """A TER score with its edits and its reference length."""

    def __init__(self, score: float, num_edits: float, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = int(num_edits)
        self.ref_length = ref_length


class TER(Metric):
    """TER; see the options of `sacrebleu.metrics.TER`.

    >>> TER().corpus_score(["The dog bit the man."], [["The dog had bit the man."]])
    TER = 16.67
    """

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Streams | None = None,
    ) -> None:
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer_signature = "tercom"
        metric = Ter(
            normalized=normalized, no_punct=no_punct, asian_support=asian_support, case_sensitive=case_sensitive
        )
        super().__init__(metric, references)

    @cached_property
    def tokenizer(self) -> TercomTokenizer:
        """The tokenizer, to call by itself."""
        return TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)

    def _compute_score_from_stats(self, stats: Sequence[float]) -> TERScore:
        edits, length = stats
        return TERScore(_rate(edits, length), edits, length)

    def _resampled_scores(self, sums: NDArray[Any]) -> NDArray[Any]:
        regular = sums[:, 1] > 0
        scores = 100 * (sums[regular, 0] / sums[regular, 1])
        return merge_scores(regular, scores, lambda i: _rate(*sums[i].tolist()))


def _rate(edits: float, length: float) -> float:
    if length > 0:
        return 100 * (edits / length)
    return 100.0 if edits > 0 else 0.0
