"""Whether raters agree with themselves: on repeated items, and on identical strings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from karat.human.agreement.base import ScaleAnswers, ScaleStatistic, register
from karat.human.agreement.krippendorff import AnswerScale, krippendorff
from karat.human.agreement.percent import same_share
from karat.human.couples import crossed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from karat.human.agreement.value import AgreementValue
    from karat.significance import Resampling

    Floats = NDArray[np.float64]
    Codes = NDArray[np.intp]


def intra_rater(
    raters: Codes, items: Codes, values: Floats, scale: AnswerScale, resampling: Resampling | None = None
) -> tuple[AgreementValue, AgreementValue]:
    """Agreement of raters with themselves: percent, and Krippendorff's alpha over what one rater judged repeatedly."""
    own = crossed(raters, items)
    share = same_share(own, values, "percent, same rater")
    alpha = krippendorff(own, values, scale, resampling=resampling)
    return share, replace(alpha, measure=f"{alpha.measure}, same rater")


def identical_strings(raters: Codes, items: Codes, texts: Codes, values: Floats) -> AgreementValue:
    """How often one rater gave the same value to identical strings that different systems produced for an item.

    `items` are source segments and `texts` the strings, both as codes. Whatever differs here is noise of the rater.
    """
    return same_share(crossed(raters, items, texts), values, "identical strings")


@register
class IntraRater(ScaleStatistic):
    r"""Whether a rater says the same of the same item at another time, and of identical strings of different systems.

    Formula
    -------
    $$\alpha \text{ over units (rater, item)}, \quad p_A \text{ over pairs of one rater}$$

    What karat does
    ---------------
    Percent and Krippendorff's alpha over what one rater judged repeatedly. Identical strings are compared within a
    rater and a source segment; whatever differs there is noise of the rater.

    Example
    -------
    >>> import numpy as np
    >>> from karat.human.agreement.intra_rater import identical_strings, intra_rater
    >>> rater, item, value = np.zeros(4, dtype=int), np.array([0, 0, 1, 1]), np.array([4.0, 4.0, 2.0, 3.0])
    >>> intra_rater(rater, item, value, "ordinal")[0].value
    0.5
    >>> identical_strings(rater, item, np.array([7, 7, 8, 9]), value).value
    1.0
    """

    name = "intra-rater"
    title = "Agreement with oneself"
    citation = "krippendorff-2011-computing"
    place = 60

    def evaluate(self, judged: ScaleAnswers) -> tuple[AgreementValue, ...]:
        """Repeats, and identical strings where texts are known."""
        repeated, used = (judged.repeated or judged.given).scored, judged.ordinary
        scale: AnswerScale = "ordinal" if judged.discrete else "interval"
        values = intra_rater(repeated.rater, repeated.item, repeated.value, scale, judged.resampling)
        if (used.text < 0).any():
            return values
        return (*values, identical_strings(used.rater, used.segment, used.text, used.value))
