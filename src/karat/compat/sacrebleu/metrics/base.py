"""What the three metrics share: scores that print themselves, signatures, and the checks on their input."""

from __future__ import annotations

import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat import kernels
from karat.compat.sacrebleu.errors import NoReferencesError, WrongTypeError
from karat.compat.sacrebleu.version import __version__
from karat.corpus.references import References
from karat.errors import InputError
from karat.text import TextColumn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.metrics.base import Metric as KaratMetric
    from karat.metrics.base import RowFunction
    from karat.rows import Values

sacrelogger = logging.getLogger("sacrebleu")

Streams = Sequence[Sequence[str | None]]

TOKENIZED_PERIODS = 100
"""From this many hypotheses that end in " ." on, BLEU warns that they look tokenised."""


class Score:
    """A score with its name, and its confidence interval once that was estimated."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean: float = -1.0
        self._ci: float = -1.0

    @property
    def _verbose(self) -> str:
        """What stands behind the score."""
        return ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """The score as text or JSON; a JSON score needs the signature."""
        if width < 0:
            raise InputError(f"width is the number of decimals: {width} is below zero")
        number = f"{self.score:.{width}f}"
        interval = f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}" if self._mean > 0 else ""
        if is_json:
            return self._to_json(width, signature, interval)
        shown = f"{number} ({interval})" if interval else number
        if score_only:
            return shown
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {shown} {self._verbose}" if self._verbose else f"{name} = {shown}"

    def _to_json(self, width: int, signature: str, interval: str) -> str:
        document: dict[str, Any] = {
            "name": self.name,
            "score": float(f"{self.score:.{width}f}"),
            "signature": signature,
        }
        if interval:
            document["confidence_mean"] = float(f"{self._mean:.{width}f}")
            document["confidence_var"] = float(f"{self._ci:.{width}f}")
            document["confidence"] = interval
        if self._verbose:
            document["verbose_score"] = self._verbose
        if signature:
            document.update(tuple(field.split(":", 1)) for field in signature.split("|"))  # type: ignore[misc]
        return json.dumps(document, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Sequence[Score]) -> None:
        """Set mean and 95 % interval from the scores of bootstrap resamples."""
        from karat.compat.sacrebleu.significance import estimate_score_ci

        self._mean, self._ci = estimate_score_ci(np.array([score.score for score in scores]))

    def __repr__(self) -> str:
        return self.format()


class Signature:
    """The options that a score depends on, in the order in which sacreBLEU writes them."""

    def __init__(self, args: dict[str, Any]) -> None:
        if "num_refs" not in args:
            raise InputError("Number of references unknown, please evaluate the metric first.")
        count = args["num_refs"]
        self._abbr = {
            "version": "v",
            "nrefs": "#",
            "test": "t",
            "lang": "l",
            "subset": "S",
            "origlang": "o",
            "bs": "bs",
            "ar": "ar",
            "seed": "rs",
        }
        self.info: dict[str, Any] = {
            "version": __version__,
            "nrefs": "var" if count == -1 else count,
            "bs": args.get("n_bootstrap"),
            "ar": None,
            "seed": args.get("seed"),
            "test": args.get("test_set"),
            "lang": args.get("langpair"),
            "origlang": args.get("origlang"),
            "subset": args.get("subset"),
        }

    def format(self, short: bool = False) -> str:
        """Keys and values joined by bars; the version comes last."""
        keys = [*(key for key in self.info if key != "version"), "version"]
        return "|".join(
            f"{self._abbr[key] if short else key}:{_yes_no(self.info[key])}"
            for key in keys
            if self.info[key] is not None
        )

    def update(self, key: str, value: Any) -> None:
        """Set one key."""
        self.info[key] = value

    def __str__(self) -> str:
        return self.format()

    def __repr__(self) -> str:
        return self.format()


def _yes_no(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


class Metric(ABC):
    """BLEU, chrF or TER with its options; the work is done by karat's metric of that name."""

    _SIGNATURE_TYPE: ClassVar[type[Signature]] = Signature
    num_refs: int
    """How many references per segment the last score had; -1 where it differs."""

    def __init__(self, karat_metric: KaratMetric, references: Streams | None, force: bool = True) -> None:
        self._karat = karat_metric
        self._force = force
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self._ref_cache: PreparedReferences | None = None
        """References given to the constructor, made ready once."""
        if references is not None:
            self._ref_cache = self._prepare(references)

    @abstractmethod
    def _compute_score_from_stats(self, stats: Sequence[float]) -> Score:
        """The score of one summed row."""

    @abstractmethod
    def _resampled_scores(self, sums: NDArray[Any]) -> NDArray[Any]:
        """The scores of many summed rows, in the precision of the sums."""

    @property
    def name(self) -> str:
        """The name as BLEU, CHRF, TER."""
        return type(self).__name__

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> Any:
        """The score of one hypothesis against its references."""
        return self._compute_score_from_stats(self._sentence_row(hypothesis, references))

    def corpus_score(self, hypotheses: Sequence[str], references: Streams | None, n_bootstrap: int = 1) -> Any:
        """The score of a corpus against K reference streams, or against those given to the constructor (None).

        With `n_bootstrap` above 1 the score also carries a bootstrap confidence interval.
        """
        rows = self._rows(hypotheses, references)
        score = self._aggregate_and_compute(rows)
        if n_bootstrap > 1:
            from karat.compat.sacrebleu.significance import bootstrap_scores, estimate_score_ci

            self.n_bootstrap = n_bootstrap
            self.seed, scores = bootstrap_scores(self, rows, n_bootstrap)
            score._mean, score._ci = estimate_score_ci(scores)
        return score

    def get_signature(self) -> Any:
        """The signature of the last score."""
        return self._SIGNATURE_TYPE(self.__dict__)

    def _aggregate_and_compute(self, stats: Values | Sequence[Sequence[float]]) -> Any:
        return self._compute_score_from_stats(np.asarray(stats).sum(axis=0).tolist())

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Streams | None) -> list[list[float]]:
        rows: list[list[float]] = self._rows(hypotheses, references).tolist()
        return rows

    def _rows(self, hypotheses: Sequence[str], references: Streams | None) -> Values:
        """One row of statistics per segment."""
        column = self._hypothesis_column(hypotheses)
        prepared = self._ref_cache if references is None else self._prepare(references)
        if prepared is None:
            raise NoReferencesError("No references provided and the cache is empty.")
        if len(column) != prepared.segments:
            raise InputError(
                f"{self.name}: {len(column)} hypotheses, but references for {prepared.segments} segments. "
                "`refs` holds one list for each reference, and each list is as long as `hyps`"
            )
        if not self._force:
            self._warn_if_tokenized(hypotheses)
        return prepared.row_function(column)

    def _prepare(self, references: Streams) -> PreparedReferences:
        _check_streams(self.name, references)
        texts = _references(references)
        if len(texts) == 0:
            raise InputError(f"{self.name}: there is nothing to score: no segment was given")
        counts = texts.counts
        self.num_refs = int(counts[0]) if (counts == counts[0]).all() else -1
        return PreparedReferences(self._karat.row_function(texts, None), len(texts))

    def _hypothesis_column(self, hypotheses: Sequence[str]) -> TextColumn:
        if isinstance(hypotheses, str) or not isinstance(hypotheses, Sequence):
            raise WrongTypeError(f"{self.name}: `hyps` should be a sequence of strings.")
        try:
            return TextColumn.of(hypotheses)
        except InputError as error:
            raise WrongTypeError(f"{self.name}: in the hypotheses, {error}") from error

    def _sentence_row(self, hypothesis: str, references: Sequence[str]) -> Sequence[float]:
        if not isinstance(hypothesis, str):
            raise WrongTypeError(f"{self.name}: The argument `hyp` should be a string.")
        if isinstance(references, str) or not isinstance(references, Sequence):
            raise WrongTypeError(f"{self.name}: The argument `refs` should be a sequence of strings.")
        present = [reference for reference in references if reference is not None]
        if not present:
            raise InputError(f"{self.name}: there is no reference to compare with")
        try:
            texts = References(TextColumn(kernels.Text(present)), np.array([0, len(present)]))
            column = TextColumn(kernels.Text([hypothesis]))
        except (TypeError, ValueError) as error:
            raise WrongTypeError(f"{self.name}: Each element of `refs` should be a string.") from error
        row: list[float] = self._karat.row_function(texts, 1)(column)[0].tolist()
        self.num_refs = len(present)
        return row

    def _warn_if_tokenized(self, hypotheses: Sequence[str]) -> None:
        count = sum(line.endswith(" .") for line in hypotheses)
        if count >= TOKENIZED_PERIODS:
            sacrelogger.warning("That's %d lines that end in a tokenized period ('.')", TOKENIZED_PERIODS)
            sacrelogger.warning("It looks like you forgot to detokenize your test data, which may hurt your score.")
            sacrelogger.warning(
                "If you insist your data is detokenized, or don't care, "
                "you can suppress this message with the `force` parameter."
            )


@dataclass(frozen=True)
class PreparedReferences:
    """References made ready for a metric."""

    row_function: RowFunction
    segments: int


def _references(streams: Streams) -> References:
    """The references of each segment; without a loop over segments, unless some are missing."""
    if len({len(stream) for stream in streams}) > 1 or any(None in stream for stream in streams):
        return References.from_streams(streams)
    column = TextColumn.interleave([TextColumn.of(stream) for stream in streams])  # type: ignore[arg-type]
    return References(column, np.arange(0, len(column) + 1, len(streams)))


def _check_streams(name: str, references: object) -> None:
    if isinstance(references, str) or not isinstance(references, Sequence):
        raise WrongTypeError(f"{name}: `refs` should be a sequence of sequence of strings.")
    if not references:
        raise InputError(f"{name}: there are no references: `refs` holds one list for each, as long as `hyps`")
    for stream in references:
        if isinstance(stream, str) or not isinstance(stream, Sequence):
            raise WrongTypeError(
                f"{name}: `refs` should be a sequence of sequence of strings. "
                "With one reference per segment, put the list of references into a list: [references]"
            )


def merge_scores(regular: NDArray[np.bool_], scores: NDArray[Any], other: Any) -> NDArray[Any]:
    """Scores of regular rows, and of the rest one by one.

    In the precision of the regular ones, unless one of the rest is a Python float: NumPy makes float64 of a list with
    both, and so sacreBLEU's mean.
    """
    if regular.all():
        return scores
    rest = np.flatnonzero(~regular)
    others = [other(i) for i in rest]
    merged = np.empty(len(regular), dtype=np.float64 if any(type(x) is float for x in others) else scores.dtype)
    merged[regular] = scores
    merged[rest] = others
    return merged
