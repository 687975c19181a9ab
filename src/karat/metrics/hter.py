"""HTER: how much of a hypothesis its own post-editor has changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from karat.metrics.base import parameter, register
from karat.metrics.ter import Ter

if TYPE_CHECKING:
    from karat.corpus.references import References
    from karat.metrics.base import RowFunction
    from karat.rows import Values
    from karat.text import TextColumn


@register
@dataclass(frozen=True, kw_only=True)
class Hter(Ter):
    r"""Human-targeted translation edit rate: TER against the hypothesis as a person has corrected it.

    Formula
    -------
    $$\mathrm{HTER} = 100 \cdot \frac{\sum_i \min_r E(h_i, r)}{\sum_i \overline{|r|}_i}$$

    $E$ counts the insertions, deletions, substitutions and shifts of TER. The references of segment $i$ are its
    targeted ones, the post-edits of this very hypothesis: ``karat score --post-edits instead``. With one post-edit its
    length is the denominator. Where general references stand beside it (``--post-edits beside``) the edits are those
    from the closest of all, as a rule the post-edit, and $\overline{|r|}_i$ is the mean length of all, as in Snover et
    al. (2006).

    ``capped=true`` counts no segment as worse than 100: $E$ is at most $\overline{|r|}_i$. The mean of such segment
    scores is what data sets of quality estimation (WMT, MLQE-PE) publish as HTER.

    The other parameters are those of TER.

    Use when
    --------
    You want to know how much work a translation leaves, in the edits that a person found necessary and no others: it
    follows human judgement of adequacy better than TER against a reference made before (Snover et al., 2006).

    Do not use when
    ---------------
    There are no post-edits of this system: against other references the number is TER and no more, whatever its name.
    Nor to compare systems whose editors had different instructions, or were paid differently.

    Known failure
    -------------
    It counts the edits of the result, not those that the editor made: a word that was found after long search weighs as
    much as a comma, and rewriting what needed no change raises the score.

    Example
    -------
    >>> rows = Hter().prepare(["the man was shot by the police"]).rows(["the man has been shot by police"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[3.0, 7.0]], 42.86)
    """

    name: ClassVar[str] = "hter"
    wants: ClassVar[frozenset[str]] = frozenset({"post-edits"})

    capped: bool = parameter(False, "count no segment as worse than 100")

    @property
    def display_name(self) -> str:
        """The name as papers write it."""
        return "HTER"

    def row_function(self, references: References, threads: int | None) -> RowFunction:
        """The rows of TER, capped if that was asked for."""
        rows_of = super().row_function(references, threads)

        def capped(hypotheses: TextColumn) -> Values:
            rows = rows_of(hypotheses)
            # Without reference words any edit counts as 100 already.
            rows[:, 0] = np.where(rows[:, 1] > 0, np.minimum(rows[:, 0], rows[:, 1]), rows[:, 0])
            return rows

        return capped if self.capped else rows_of

    def sacrebleu_signature(self, references: str) -> str | None:
        """What sacreBLEU prints for the same score; it has no cap."""
        return None if self.capped else super().sacrebleu_signature(references)
