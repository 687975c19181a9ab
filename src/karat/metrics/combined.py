"""Combined: one score of those of several metrics, by a model that `karat combine` made."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from karat.errors import InputError, SpecError
from karat.metrics.base import Metric, parameter, register
from karat.metrics.framework.combination import CombinationModel, CombinedFeature, read_model, short_hash
from karat.metrics.framework.context import Context
from karat.rows import SCORE_COLUMNS, mean_score
from karat.text.annotation import LAYERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from karat.corpus.references import References
    from karat.metrics.base import Prepared, RowFunction
    from karat.rows import Values
    from karat.text import TextColumn
    from karat.text.annotation import Layer

ORDINARY = frozenset({"references", "sources"})

PLAIN_MEAN = CombinationModel(
    method="uniform",
    features=(
        CombinedFeature("sentence-bleu", weight=100 / 3, spread=100),
        CombinedFeature("chrf", weight=100 / 3, spread=100),
        CombinedFeature("ter", weight=100 / 3, centre=100, spread=-100),
    ),
)
"""What is meant without a model: three metrics that need no resources, each on its own scale."""


@register
@dataclass(frozen=True, kw_only=True)
class Combined(Metric):
    r"""One score of those of several metrics, weighed alike or as judgements of people taught.

    Formula
    -------
    $$z_k = \frac{x_k - c_k}{s_k}, \qquad
    f(z) = b + \sum_k w_k z_k \quad \text{(uniform, ridge, ranking)} \quad \text{or} \quad
    b + \sum_j a_j \, e^{-\gamma |z - v_j|^2} \quad \text{(svr)}$$

    $x_k$ is the score of the segment under metric $k$ (sentence BLEU for BLEU), the rest is in the model. The corpus
    score is the mean of the segments. `karat combine` makes models by four methods:

    - `uniform` is the uniformly averaged linear combination (ULC) of Asiya: each metric is divided by its highest
      score, and $w_k = 100/K$. Of a metric of which lower is better, what is missing to its highest score counts,
      $1 - x_k / \max x_k$, about which the paper says nothing. Highest scores are those of the segments that the model
      was made on, so that a system's score does not depend on who else takes part.
    - `ridge` predicts judgements by least squares with a penalty on squares of weights, `svr` by support vector
      regression with a Gaussian kernel (as Albrecht and Hwa 2007 have it), on 2,000 judgements drawn where there
      are more; both on features of mean 0 and variance 1.
    - `ranking` learns from pairs of outputs of one segment which one people preferred, by the logistic loss of the
      difference; its scores have no zero and no unit.

    Learned scores are on the scale of the judgements, turned round where lower ones are better there. Metrics in the
    model are named by their specs and scored once each; a model is refused where their resources, such as synonyms,
    are not those that it was made with. Without a model, it is the plain mean of sentence BLEU, chrF and 100 less TER.

    Use when
    --------
    There are judgements of the kind of text and systems at hand, and the combination agreed with them better on what
    was held out than the best metric alone.

    Do not use when
    ---------------
    The model was made for another language or domain and nobody has checked it there, or numbers are to be compared
    with those of a different model.

    Known failure
    -------------
    What all its metrics are blind to it is blind to as well. Systems unlike those that were judged may have features
    outside of what was seen, where a learned formula goes on as a straight line, or (svr) falls back to its intercept.

    Example
    -------
    >>> prepared = Combined().prepare(["the cat sat on the mat"])
    >>> [round(prepared.rows([text]).score, 1) for text in ("the cat sat on the mat", "the cats sat on a mat")]
    [100.0, 46.0]
    """

    name: ClassVar[str] = "combined"
    family: ClassVar[str] = "learned"
    citation: ClassVar[str] = "gimenez-marquez-2010-asiya"
    bounds: ClassVar[tuple[float, float]] = (-np.inf, np.inf)
    perfect_is_best: ClassVar[bool] = False

    model: str = parameter("", "a file made by karat combine; none for the plain mean of sentence BLEU, chrF and TER")

    aggregate = staticmethod(mean_score)

    def check(self) -> None:
        """Refuse a file that has no model, and a model of metrics that are not there; want what these want."""
        object.__setattr__(self, "wants", frozenset().union(*(component.wants for component in self.components)))

    @property
    def columns(self) -> tuple[str, ...]:
        """The same as those of scores that came from elsewhere."""
        return SCORE_COLUMNS

    @property
    def formula(self) -> CombinationModel:
        """What makes one score of those of the metrics."""
        return read_model(Path(self.model)) if self.model else PLAIN_MEAN

    @cached_property
    def components(self) -> tuple[Metric, ...]:
        """The metrics that are combined."""
        return components([feature.metric for feature in self.formula.features], self.model)

    @property
    def resources(self) -> dict[str, str]:
        """A hash of the model, and what its metrics depend on."""
        if self.model and self.formula.features_digest != features_digest(self.components):
            raise InputError(
                f"{self.model} was made with other resources than are here, such as synonyms or stems of another "
                "version: install the same ones, or make it again with karat combine"
            )
        own = {"model": self.formula.digest} if self.model else {}
        return {**own, **_joined([component.resources for component in self.components])}

    @property
    def lacking(self) -> tuple[str, ...]:
        """What its metrics do without."""
        return tuple(dict.fromkeys(lack for component in self.components for lack in component.lacking))

    @property
    def context_key(self) -> str | None:
        """What its metrics learn from the whole set."""
        keys = sorted({component.context_key for component in self.components if component.context_key is not None})
        return " and ".join(keys) or None

    @property
    def layers(self) -> tuple[Layer, ...]:
        """What its metrics must know of words."""
        return tuple(layer for layer in LAYERS if any(layer in component.layers for component in self.components))

    @property
    def given_layers(self) -> tuple[Layer, ...]:
        """Of these what must come with the texts."""
        return tuple(layer for layer in LAYERS if any(layer in component.given_layers for component in self.components))

    def for_language(self, language: str) -> Metric:  # noqa: ARG002
        """The metric itself: a model names tokenizers and languages."""
        return self

    def reads(self, language: str) -> bool:
        """Whether all its metrics can."""
        return all(component.reads(language) for component in self.components)

    def fit(self, references: References, threads: int | None = None) -> Context | None:
        """What its metrics learn."""
        learning = {part.context_key: part for part in self.components if part.context_key is not None}
        contexts = [learning[key].fit(references, threads) for key in sorted(learning, key=str)]
        return JointContext([context for context in contexts if context is not None]) if contexts else None

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """Prepare the references once for each metric."""
        return self._rows_of([component.prepare(references, threads) for component in self.components])

    def row_function_given(self, context: Context, references: References, threads: int | None) -> RowFunction:
        """The same where some learnt from the whole set before."""
        contexts = context.by_key if isinstance(context, JointContext) else {}
        return self._rows_of(
            [
                component.prepare(references, threads, context=contexts.get(component.context_key or ""))
                for component in self.components
            ]
        )

    def _rows_of(self, prepared: Sequence[Prepared]) -> RowFunction:
        formula = self.formula

        def rows(hypotheses: TextColumn) -> Values:
            with np.errstate(over="ignore", invalid="ignore"):
                predicted = formula.predict([_scores(component, hypotheses) for component in prepared])
            # A file that was damaged may have numbers beyond all scores.
            if not np.isfinite(predicted).all():
                number = int(np.argmin(np.isfinite(predicted))) + 1
                problem = f"{self.model} gives segment {number} no finite score"
                raise InputError(f"{problem}: make it again with karat combine")
            return np.column_stack([predicted, np.ones(len(predicted))])

        return rows


class JointContext(Context):
    """What several metrics learnt."""

    def __init__(self, contexts: Sequence[Context]) -> None:
        self.by_key = {context.key: context for context in contexts}

    @property
    def key(self) -> str:
        """What was learnt by each."""
        return " and ".join(self.by_key)

    @property
    def digest(self) -> str:
        """A short hash of all."""
        return short_hash("\n".join(context.digest for context in self.by_key.values()))

    def merged(self, others: Sequence[Self]) -> Self:
        """The contexts of all segments."""
        parts = [(context, [other.by_key[key] for other in others]) for key, context in self.by_key.items()]
        return type(self)([context.merged(more) for context, more in parts])


def components(specs: Sequence[str], where: str) -> tuple[Metric, ...]:
    """The metrics of specs, by their formulas for single segments; `where` names the file that has them."""
    # The registry is a layer above: only a metric that is made of others has to ask it for these.
    from karat.registry import metric

    try:
        named = [metric(spec) for spec in specs]
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    for component in named:
        refuse_component(component)
    return tuple(component.for_segments for component in named)


def refuse_component(metric: Metric) -> None:
    """Refuse a metric that cannot be combined with others."""
    if isinstance(metric, Combined):
        raise SpecError("combined metrics are not combined again: name the metrics themselves")
    if special := sorted(metric.wants - ORDINARY):
        raise SpecError(f"{metric.name} wants {special[0]}, and only metrics of ordinary references are combined")


def features_digest(metrics: Sequence[Metric]) -> str:
    """A short hash of metrics and of the resources that they have."""
    return short_hash("\n".join(f"{metric.spec} {sorted(metric.resources.items())}" for metric in metrics))


def _scores(prepared: Prepared, hypotheses: TextColumn) -> NDArray[np.float64]:
    return prepared.metric.aggregate(prepared.values(hypotheses).astype(np.float64))


def _joined(resources: Sequence[dict[str, str]]) -> dict[str, str]:
    """Resources of several metrics, values that differ side by side."""
    names = dict.fromkeys(name for own in resources for name in own)
    return {name: "+".join(dict.fromkeys(own[name] for own in resources if name in own)) for name in names}
