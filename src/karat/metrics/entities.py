"""Entities: names, numbers, dates and quantities that are right."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from karat.errors import SpecError
from karat.metrics.annotated.metric import GIVEN, AnnotatedMetric, annotator_resources
from karat.metrics.annotated.pairs import rows_beside_best
from karat.metrics.base import parameter, register
from karat.metrics.framework.arithmetic import ratio
from karat.metrics.words.names import names_in

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.metrics.framework.arithmetic import Floats
    from karat.text import TextColumn
    from karat.text.annotation import Layer

EVERY_KIND = "*"


@register
@dataclass(frozen=True, kw_only=True)
class Entities(AnnotatedMetric):
    r"""How many names, numbers, dates and quantities of the reference the hypothesis has, and no others.

    Formula
    -------
    $$100 \cdot \frac{2\sum_s \sum_e \min\bigl(c_{h_s}(e), c_{r_s}(e)\bigr)}{\sum_s \sum_e c_{h_s}(e) + c_{r_s}(e)}$$

    $c(e)$ counts how often $e$ stands in a text: the F-measure of matches, 100 where neither side has any. Of several
    references the one with the best score of the segment counts.

    ``by=form`` tells them by their form, in any language with digits and capitals: numbers without what groups their
    digits, so that 1.500,50 and 1,500.50 are the same and 1.500 is 1500, and with their minus sign; dates of numbers
    (2021-04-03, 3.4.2021); numbers with a sign or abbreviation behind them (5 km, 20 %) or a currency before; words
    with a capital that does not begin the sentence. ``kind`` counts one of these. ``by=annotation`` takes what an
    annotator calls names, word for word and whatever their type; for single types there is
    ``overlap(of=entity,type=PERSON,match=M)``.

    Use when
    --------
    Names and numbers must be right whatever else is, as in news and contracts (Reeder et al., 2001), or a metric that
    forgives them is to be watched.

    Do not use when
    ---------------
    Names are written in other ways in references than a good translator may, or the score of a single segment matters:
    most have one or two.

    Known failure
    -------------
    In German every noun has a capital, so ``kind=name`` is the share of nouns there. *Three* is no number, nor *May* a
    date; 1.500 is read as 1500 where decimals may have been meant. Scripts without capitals have no names by form.

    Example
    -------
    >>> prepared = Entities().prepare(["In 2019 Anna Meier sold 1,500 boats."])
    >>> prepared.rows(["In 2019 Anna Maier sold 1500 boats."]).score
    75.0
    """

    name: ClassVar[str] = "entities"
    family: ClassVar[str] = "linguistic"
    citation: ClassVar[str] = "reeder-etal-2001-naming"

    by: str = parameter("form", "how they are told", choices=("form", "annotation"))
    kind: str = parameter(
        EVERY_KIND, "those that count, told by their form", choices=(EVERY_KIND, "name", "number", "date", "unit")
    )

    def check(self) -> None:
        """Refuse parameters that have no effect."""
        super().check()
        if self.by == "form" and self.annotate != GIVEN:
            raise SpecError(f"entities(annotate={self.annotate}) looks at forms alone: add by=annotation")
        if self.by == "annotation" and self.kind != EVERY_KIND:
            raise SpecError("entities(by=annotation) has no kinds: take overlap(of=entity,type=PERSON,match=M)")

    @property
    def layers(self) -> tuple[Layer, ...]:
        """Entities, unless they are told by their form."""
        return ("entities",) if self.by == "annotation" else ()

    @property
    def resources(self) -> dict[str, str]:
        """The backend, where one annotates."""
        return annotator_resources(self.annotate)

    @property
    def columns(self) -> tuple[str, ...]:
        """Matches, and all of either side."""
        return ("matches", "hypothesis", "reference")

    def row_function(self, references: References, threads: int | None) -> RowFunction:  # noqa: ARG002
        """Look for those of the references once."""
        return rows_beside_best(self, references, self._bags, _counts)

    def aggregate(self, sums: Floats) -> Floats:
        """The F-measure in percent."""
        both = sums[..., 1] + sums[..., 2]
        return 100 * np.divide(2 * sums[..., 0], both, out=np.ones_like(both), where=both > 0)

    def details(self, sums: Floats) -> dict[str, Any]:
        """Precision and recall."""
        return {"precision": float(ratio(sums[0], sums[1])), "recall": float(ratio(sums[0], sums[2]))}

    def _bags(self, column: TextColumn) -> list[Counter[tuple[str, ...]]]:
        if self.by == "annotation":
            known = self.annotations(column)
            return [Counter(text.tokens[start:end] for _, start, end in text.entities or ()) for text in known]
        wanted = (self.kind,) if self.kind != EVERY_KIND else ("name", "number", "date", "unit")
        return [Counter(tuple(named) for named in names_in(text) if named.kind in wanted) for text in column]


def _counts(hypothesis: Counter[tuple[str, ...]], reference: Counter[tuple[str, ...]]) -> tuple[int, int, int]:
    return (hypothesis & reference).total(), hypothesis.total(), reference.total()
