"""On which kinds of segments systems differ: the tests hold their rate, and sentences say what the tests show."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.analysis.buckets import Bucket, Bucketing, Buckets
from karat.analysis.figures import Subject
from karat.analysis.kind_contrasts import ALPHA, Gap, KindContrast, KindContrasts, kind_contrasts
from karat.analysis.resampling import Resampler
from karat.evidence import Measure, Units
from karat.identity import Identity
from karat.report.kind_contrasts import kind_tables, where_sentences
from karat.rows import Rows

NAMES = ("ann", "bob", "cid")
KINDS = 4


def measured(scores: dict[str, np.ndarray], *, higher: bool = True) -> Measure:
    identity = Identity.of_scores("quality", higher_is_better=higher)
    rows = {name: Rows.from_scores(values, spec="quality", higher_is_better=higher) for name, values in scores.items()}
    return Measure(identity, rows)


def sorted_into(kinds: np.ndarray, subject: Subject) -> Buckets:
    made = [
        Bucket(f"kind{kind}", tuple(np.flatnonzero(kinds == kind).tolist()), scores=()) for kind in np.unique(kinds)
    ]
    return Buckets(subject, (), (Bucketing("domain", tuple(made)),))


def subject_of(count: int, resamples: int) -> Subject:
    units = Units("segment", count, count, "")
    return Subject(NAMES, "bob", tuple(map(str, range(count))), 1, units, resamples, 1, 0.95, 5)


def found(
    scores: dict[str, np.ndarray], kinds: np.ndarray, pairs: list[tuple[str, str]], resamples: int = 300
) -> KindContrasts:
    subject = subject_of(len(kinds), resamples)
    resampler = Resampler.of(subject.units, None, n=resamples, seed=1)
    contrasts = kind_contrasts(measured(scores), sorted_into(kinds, subject), pairs, resampler)
    assert contrasts is not None
    return contrasts


def test_kinds_without_meaning_stand_out_no_more_often_than_they_may() -> None:
    rng = np.random.default_rng(5)
    singly, any_of_family = [], []
    for _ in range(150):
        scores = {"ann": rng.normal(1, 1, 160), "bob": rng.normal(0, 1, 160)}  # differ alike everywhere
        contrasts = found(scores, rng.integers(0, KINDS, 160), [("ann", "bob")], 200).contrasts
        singly += [contrast.contrast.p <= ALPHA for contrast in contrasts]
        any_of_family.append(any(contrast.contrast.shown for contrast in contrasts))
    assert 0.02 <= np.mean(singly) <= 0.08
    assert np.mean(any_of_family) <= 0.1


def test_a_kind_with_a_difference_of_its_own_is_found() -> None:
    rng = np.random.default_rng(6)
    kinds = np.repeat(np.arange(KINDS), 60)
    scores = {"ann": rng.normal(0, 1, 240) + 2 * (kinds == 2), "bob": rng.normal(0, 1, 240)}
    contrasts = found(scores, kinds, [("ann", "bob")])
    assert [one.label for one in contrasts.contrasts if one.difference.shown] == ["kind2"]
    told, out = where_sentences(contrasts)
    assert told == "In quality, ann is ahead of bob on domain kind2."
    assert out.startswith("The difference stands out on domain kind2: ann − bob is +")
    assert out.endswith("(4 kinds by domain, Holm's correction).")


def test_differences_are_those_of_the_scores() -> None:
    rng = np.random.default_rng(7)
    kinds = rng.integers(0, KINDS, 100)
    scores = {name: rng.random(100) for name in NAMES}
    for contrast in found(scores, kinds, [("ann", "bob"), ("ann", "cid")]).contrasts:
        here = kinds == int(contrast.label.removeprefix("kind"))
        apart = scores[contrast.system] - scores[contrast.other]
        assert contrast.difference.value == pytest.approx(apart[here].mean())
        assert contrast.elsewhere == pytest.approx(apart[~here].mean())
        assert contrast.contrast.value == pytest.approx(apart[here].mean() - apart[~here].mean())
        assert contrast.segments == here.sum()


tested = st.builds(
    lambda value, p: Gap(value, (value - 1, value + 1), p / 10, p),
    st.floats(-9, 9).filter(bool),
    st.sampled_from([0.001, 0.04, 0.05, 0.06, 1.0]),
)


@settings(max_examples=100)
@given(
    cells=st.lists(st.tuples(tested, tested), min_size=1, max_size=5),
    pairs=st.integers(1, 2),
    higher=st.booleans(),
)
def test_sentences_claim_what_tests_show(cells: list[tuple[Gap, Gap]], pairs: int, higher: bool) -> None:
    identity = Identity.of_scores("quality", higher_is_better=higher)
    contrasts = tuple(
        KindContrast("domain", f"kind{place}", 9, "ann", other, difference, 1.0, contrast)
        for other in NAMES[1 : pairs + 1]
        for place, (difference, contrast) in enumerate(cells)
    )
    result = KindContrasts(subject_of(20, 300), identity, contrasts)
    told, out = where_sentences(result)
    assert ("by itself" in told) == (not any(one.difference.shown for one in contrasts))
    assert out.startswith("No kind tested stands out") == (not any(one.contrast.shown for one in contrasts))
    assert f"{len(cells)} kind" in out
    for winner in NAMES[: pairs + 1]:
        won = [one for one in contrasts if one.difference.shown and ahead(one, higher=higher) == winner]
        assert (f"{winner} is ahead of" in told) == bool(won)
    for table in kind_tables(result, 2):
        assert [row[2].best for row in table.rows] == [difference.shown for difference, _ in cells]


def ahead(contrast: KindContrast, *, higher: bool) -> str:
    return contrast.system if (contrast.difference.value > 0) == higher else contrast.other
