"""WER: edits of words, without movement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from karat.metrics.base import register
from karat.metrics.words.edits import ErrorRate, WordEditRate


@register
@dataclass(frozen=True, kw_only=True)
class Wer(ErrorRate, WordEditRate):
    r"""Word error rate: words inserted, deleted and replaced, per reference word.

    Formula
    -------
    $$\mathrm{WER} = 100 \cdot \frac{\sum_i d(h_i, r_i)}{\sum_i |r_i|}$$

    $d$ is Levenshtein's distance over words: the least number of insertions, deletions and substitutions. With no
    reference words at all the score is 100 if there are edits and 0 otherwise. A segment with more than about 370,000
    words on both sides is refused.

    Of several references $r_i$ is the one with the lowest rate $d(h_i, r)/|r|$, the longer one at the same rate; an
    empty one has the rate 100 if there are edits and 0 otherwise. So one more reference never makes a segment worse,
    and their order does not matter. ``references=fewest-edits`` takes the one with the fewest edits, the first of those
    that are equally close: it can win from a longer one with a lower rate.

    ``wer(tokenize=none)`` equals jiwer's `wer` on text with single spaces.

    Use when
    --------
    The order of words is fixed by the task, as in speech recognition, or a number without any search is wanted that
    anybody can recompute.

    Do not use when
    ---------------
    Translations may order words in different ways: a phrase that moves is paid for twice, once for each of its words.
    TER and CDER charge one edit for a block that moves.

    Known failure
    -------------
    Output that is longer than the reference can score above 100, and an empty output scores exactly 100: by this
    measure silence beats many a poor translation.

    Example
    -------
    >>> rows = Wer().prepare(["the cat sat on the mat"]).rows(["the cat sat on a mat today"])
    >>> rows.values.tolist(), round(rows.score, 2)
    ([[2, 6]], 33.33)
    """

    name: ClassVar[str] = "wer"
    citation: ClassVar[str] = "niessen-etal-2000-evaluation"
    kind: ClassVar[str] = "levenshtein"
