"""BLEU with sacreBLEU's options, numbers and strings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat.compat.sacrebleu.errors import UnknownOptionError
from karat.compat.sacrebleu.metrics.base import Metric, Score, Signature, Streams, sacrelogger
from karat.compat.sacrebleu.tokenizers import TOKENIZERS, BaseTokenizer, make_tokenizer
from karat.errors import did_you_mean
from karat.metrics.bleu import Bleu

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_NGRAM_ORDER = 4
LOG_OF_ZERO = -9999999999

_BEST_TOKENIZER = {"zh": ("zh", "Chinese"), "ja": ("ja-mecab", "Japanese"), "ko": ("ko-mecab", "Korean")}


class BLEUSignature(Signature):
    """Case, effective order, tokenizer and smoothing."""

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self._abbr.update(case="c", eff="e", tok="tok", smooth="s")
        method, value = args["smooth_method"], args["smooth_value"]
        if value is None:
            value = BLEU.SMOOTH_DEFAULTS[method]
        self.info.update(
            case="lc" if args["lowercase"] else "mixed",
            eff="yes" if args["effective_order"] else "no",
            tok=args["tokenizer_signature"],
            smooth=f"{method}[{value:.2f}]" if BLEU.SMOOTH_DEFAULTS[method] is not None else method,
        )


class BLEUScore(Score):
    """A BLEU score with its counts, precisions and lengths."""

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.ratio = sys_len / ref_len if ref_len else 0

    @property
    def prec_str(self) -> str:
        """The precisions with one decimal, such as 82.4/50.0/45.5/37.5."""
        return "/".join([f"{precision:.1f}" for precision in self.precisions])

    @property
    def _verbose(self) -> str:
        return (
            f"{self.prec_str} (BP = {self.bp:.3f} ratio = {self.ratio:.3f} "
            f"hyp_len = {self.sys_len:d} ref_len = {self.ref_len:d})"
        )


class BLEU(Metric):
    """BLEU; see the options of `sacrebleu.metrics.BLEU`.

    >>> bleu = BLEU()
    >>> bleu.corpus_score(["The dog bit the man."], [["The dog had bit the man."]])
    BLEU = 51.15 100.0/80.0/50.0/33.3 (BP = 0.846 ratio = 0.857 hyp_len = 6 ref_len = 7)
    >>> bleu.get_signature()
    nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0
    """

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
    TOKENIZERS: ClassVar = TOKENIZERS
    TOKENIZER_DEFAULT: ClassVar = "13a"
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Streams | None = None,
    ) -> None:
        _check_smoothing(smooth_method)
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_method = smooth_method
        self.smooth_value = smooth_value
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self._tokenizer_name = _choose_tokenizer(tokenize, trg_lang)
        self.tokenizer_signature = self.tokenizer.signature()
        metric = Bleu(lowercase=lowercase, tokenize=self._tokenizer_name, max_order=max_ngram_order)
        super().__init__(metric, references, force)

    @cached_property
    def tokenizer(self) -> BaseTokenizer:
        """The tokenizer, to call by itself."""
        return make_tokenizer(self._tokenizer_name)

    @staticmethod
    def compute_bleu(
        correct: list[int],
        total: list[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """BLEU of given counts; add-k smoothing increments `correct` and `total` in place, as sacreBLEU does."""
        _check_smoothing(smooth_method)
        if smooth_value is None:
            smooth_value = BLEU.SMOOTH_DEFAULTS[smooth_method]
        bp = 1.0
        if sys_len < ref_len:
            bp = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        if not any(correct):
            return BLEUScore(0.0, correct, total, [0.0] * max_ngram_order, bp, sys_len, ref_len)
        precisions, reached = _precisions(correct, total, smooth_method, smooth_value, max_ngram_order)
        order = reached if effective_order else max_ngram_order
        logs = [math.log(precision) if precision else LOG_OF_ZERO for precision in precisions[:order]]
        score = bp * math.exp(sum(logs) / order)
        return BLEUScore(score, correct, total, precisions, bp, sys_len, ref_len)

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """BLEU of one hypothesis; better with effective_order=True."""
        if not self.effective_order:
            sacrelogger.warning("It is recommended to enable `effective_order` for sentence-level BLEU.")
        return self._compute_score_from_stats(self._sentence_row(hypothesis, references))

    def _compute_score_from_stats(self, stats: Sequence[float]) -> BLEUScore:
        order = self.max_ngram_order
        return self.compute_bleu(
            correct=stats[2 : 2 + order],  # type: ignore[arg-type]
            total=stats[2 + order :],  # type: ignore[arg-type]
            sys_len=int(stats[0]),
            ref_len=int(stats[1]),
            smooth_method=self.smooth_method,
            smooth_value=self.smooth_value,
            effective_order=self.effective_order,
            max_ngram_order=order,
        )

    def _resampled_scores(self, sums: NDArray[Any]) -> NDArray[np.float64]:
        order = self.max_ngram_order
        scores = np.empty(len(sums))
        matched = (sums[:, 2 : 2 + order] > 0).all(axis=1)
        regular = matched if self.smooth_method != "add-k" else np.zeros_like(matched)
        scores[regular] = self._unsmoothed_scores(sums[regular])
        for i in np.flatnonzero(~regular):
            scores[i] = self._compute_score_from_stats(sums[i]).score
        return scores

    def _unsmoothed_scores(self, sums: NDArray[Any]) -> list[float]:
        """BLEU of rows that match in every order.

        With `math` and `sum` rather than NumPy's own functions, which differ in the last bit.
        """
        order = self.max_ngram_order
        precisions = sums.dtype.type(100) * sums[:, 2 : 2 + order] / sums[:, 2 + order :]
        logs = [list(map(math.log, column)) for column in precisions.T.tolist()]
        lengths = sums[:, :2].astype(np.int64).tolist()
        penalties = [1.0 if sys >= ref else math.exp(1 - ref / sys) for sys, ref in lengths]
        return [bp * math.exp(sum(row) / order) for bp, row in zip(penalties, zip(*logs, strict=True), strict=True)]


def _check_smoothing(method: str) -> None:
    if method not in BLEU.SMOOTH_DEFAULTS:
        raise UnknownOptionError(f"Unknown smooth_method {method!r}.{did_you_mean(method, BLEU.SMOOTH_DEFAULTS)}")


def _choose_tokenizer(name: str | None, trg_lang: str) -> str:
    best, language = _BEST_TOKENIZER.get(trg_lang, (None, None))
    if name is None:
        return best or BLEU.TOKENIZER_DEFAULT
    if best and name != best:
        sacrelogger.warning("Consider using the '%s' or 'spm' tokenizer for %s.", best, language)
    if name == "spm":
        sacrelogger.warning("Tokenizer 'spm' has been changed to 'flores101', and may be removed in the future.")
        return "flores101"
    return name


def _precisions(
    correct: list[int], total: list[int], method: str, value: float | None, max_order: int
) -> tuple[list[float], int]:
    """Smoothed precisions in per cent, and the highest order that the hypotheses reach."""
    precisions = [0.0] * max_order
    halvings = 1.0
    reached = 1
    for n in range(max_order):
        if method == "add-k" and n > 0:
            correct[n] += value  # type: ignore[operator, assignment]
            total[n] += value  # type: ignore[operator, assignment]
        if total[n] == 0:
            break
        reached = n + 1
        if correct[n]:
            precisions[n] = 100.0 * correct[n] / total[n]
        elif method == "exp":
            halvings *= 2
            precisions[n] = 100.0 / (halvings * total[n])
        elif method == "floor":
            precisions[n] = 100.0 * value / total[n]  # type: ignore[operator]
    return precisions, reached
