"""What is printed about a meta-evaluation: every sentence and bracket follows from the numbers and tests beside it."""

from __future__ import annotations

import re
from dataclasses import replace
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tables import measure_of, segment_table, task_of

from karat.meta import ContestOptions, Contests, MeasureSettings, MetricPair, greedy_clusters, measure
from karat.meta.contests import TESTS
from karat.meta.outliers import Drive
from karat.meta.study import Plan, TaskStudy, study, usual_contests
from karat.meta.task import Task
from karat.report.meta import (
    LEVEL_WORDS,
    MOST_DRIVES,
    SUMMARY,
    in_summary,
    measure_table,
    notes,
    remarks,
    summary_table,
)
from karat.report.meta_plots import heat_map, scatter

BARE = Plan(contests=(), find_outliers=False)
BRACKET = re.compile(r"\((\d+)\)$")


def a_task(seed: int, *, systems: int = 6, segments: int = 12, noises: tuple[float, ...] = (0.3, 1.0, 4.0)) -> Task:
    """Judgements and metrics that follow them more or less closely; every other metric is better the lower it is."""
    rng = np.random.default_rng(seed)
    gold = rng.normal(size=(systems, 1)) + rng.normal(size=(systems, segments)).round(1)
    names = tuple(f"s{number}" for number in range(systems))
    metrics = []
    for number, noise in enumerate(noises):
        higher_is_better = number % 2 == 0
        scores = gold + noise * rng.normal(size=gold.shape)
        table = scores if higher_is_better else -scores
        metrics.append(measure_of(f"m{number}", {"segment": table}, names, higher_is_better=higher_is_better))
    return task_of(measure_of("mqm", {"segment": gold}, names), metrics, names, segments)


def sentence_of(contests: Contests, said: tuple[str, ...], level: str) -> str:
    """The one sentence about a comparison."""
    grouping = "" if contests.grouping == "none" else f" by {contests.grouping}"
    under = f"under {level} {measure(contests.measure).short_title}{grouping}"
    (found,) = [sentence for sentence in said if f"{under}." in sentence or f"{under}:" in sentence]
    return found


def check_claim(sentence: str, contests: Contests) -> None:
    """Refuse a sentence that says more, or less, than the p-values."""
    shown = {(pair.metric, pair.other) for pair in contests.pairs if pair.p_adjusted <= contests.options.alpha}
    named = set(re.findall(r"m\d+", sentence.partition(":")[2]))
    if sentence.startswith("Best under "):
        (best,) = named
        assert {(best, other) for other in contests.order if other != best} <= shown
    elif sentence.startswith("Not shown to be worse than any other metric under "):
        assert shown
        assert named == {name for name in contests.order if not any(worse == name for _, worse in shown)}
        # A metric that beats all others would have been called the best.
        assert not any(all((name, other) in shown for other in contests.order if other != name) for name in named)
    else:
        assert sentence.startswith("No metric is shown to be better than another under ")
        assert not shown


def check_clusters(contests: Contests) -> None:
    """Within a cluster nothing is shown; each further cluster begins with a metric that one before it beats."""
    cluster_of = dict(zip(contests.order, contests.clusters, strict=True))
    assert all(cluster_of[better] != cluster_of[worse] for better, worse in contests.shown)
    for cluster in range(2, max(contests.clusters, default=1) + 1):
        first = contests.order[contests.clusters.index(cluster)]
        assert any(cluster_of[better] == cluster - 1 for better, worse in contests.shown if worse == first)


@given(
    seed=st.integers(0, 10_000),
    noises=st.lists(st.sampled_from([0.2, 1.0, 1.1, 3.0, 9.0]), min_size=2, max_size=4),
    test=st.sampled_from(TESTS),
    alpha=st.sampled_from([0.05, 0.3]),
)
@settings(max_examples=40)
def test_every_sentence_and_bracket_follows_from_the_tests(
    seed: int, noises: list[float], test: str, alpha: float
) -> None:
    options = ContestOptions(test=test, n=60, alpha=alpha)  # type: ignore[arg-type]
    plan = Plan(
        levels=("system", "segment"),
        measures=("pearson", "acc-eq"),
        contests=usual_contests(options.test),
        options=options,
        settings=MeasureSettings(draws=20),
    )
    found = study(a_task(seed, noises=tuple(noises)), plan)
    said = remarks(found, 3)
    assert found.contests
    for level, contests in found.contests:
        check_claim(sentence_of(contests, said, level), contests)
        check_clusters(contests)
    check_brackets(found)


def check_brackets(found: TaskStudy) -> None:
    """The brackets of the table are the clusters of the comparison, and the best cell is the greatest value."""
    table = summary_table(found, 3)
    columns = {heading: number for number, heading in enumerate(table.headings)}
    for level, contests in found.contests:
        grouping = "" if contests.grouping == "none" else f" by {contests.grouping}"
        place = columns[f"{LEVEL_WORDS[level]} {measure(contests.measure).short_title}{grouping}"]
        cluster_of = dict(zip(contests.order, contests.clusters, strict=True))
        for row in table.rows:
            bracket = BRACKET.search(row[place].text)
            assert (int(bracket[1]) if bracket else None) == cluster_of.get(row[0].text)
        goodness = {entry.metric: entry.goodness for entry in found.measures if entry.key == entry_key(level, contests)}
        best = {row[0].text for row in table.rows if row[place].best}
        assert best == {name for name, value in goodness.items() if value == max(goodness.values())}


def entry_key(level: str, contests: Contests) -> tuple[str, str, str]:
    return level, contests.measure, contests.grouping


def contests_of(p: dict[tuple[str, str], float], order: tuple[str, ...] = ("m0", "m1", "m2")) -> Contests:
    """A comparison with these p-values."""
    options = ContestOptions()
    pairs = tuple(MetricPair(first, second, 0.9, 0.8, value, value) for (first, second), value in p.items())
    better = {pair for pair, value in p.items() if value <= options.alpha}
    clusters = greedy_clusters(order, better)
    return Contests("pearson", "none", 9, pairs, order, (0.9, 0.8, 0.7)[: len(order)], clusters, options)


@pytest.mark.parametrize(
    ("p", "sentence"),
    [
        ((0.01, 0.01, 0.01), "Best under segment Pearson: m0."),
        ((0.01, 0.01, 0.6), "Best under segment Pearson: m0."),
        # The last is in another cluster, and still m1 is not shown to be better than it.
        ((0.3, 0.01, 0.2), "Not shown to be worse than any other metric under segment Pearson: m0 and m1."),
        # m0 beats m1 and m1 beats m2, which does not show that m0 beats m2.
        ((0.01, 0.2, 0.01), "Not shown to be worse than any other metric under segment Pearson: m0."),
        ((0.3, 0.3, 0.01), "Not shown to be worse than any other metric under segment Pearson: m0 and m1."),
        ((0.3, 0.3, 0.3), "No metric is shown to be better than another under segment Pearson."),
        ((nan, nan, nan), "No metric is shown to be better than another under segment Pearson."),
        ((nan, 0.01, 0.01), "Not shown to be worse than any other metric under segment Pearson: m0 and m1."),
    ],
)
def test_the_leader_is_called_best_only_where_it_beats_all(p: tuple[float, float, float], sentence: str) -> None:
    contests = contests_of(dict(zip([("m0", "m1"), ("m0", "m2"), ("m1", "m2")], p, strict=True)))
    found = replace(study(a_task(1), BARE), contests=(("segment", contests),), drives=())
    assert remarks(found, 3) == (sentence,)
    check_claim(sentence, contests)


def test_a_single_metric_that_is_defined_is_compared_with_nothing() -> None:
    found = replace(study(a_task(1), BARE), contests=(("segment", contests_of({}, ("m0",))),), drives=())
    assert remarks(found, 3) == ()


def test_outliers_are_named_as_what_they_are() -> None:
    task = a_task(2)
    by_name = study(task, Plan(named_outliers=("s1",), measures=("pearson",), contests=()))
    assert remarks(by_name, 3)[0].startswith("Named as outliers: s1. System Pearson with / without them: m0 ")
    assert "(1 outlier counted in)" in notes(by_name)[0]
    ignored = study(task, Plan(find_outliers=False, contests=()))
    assert "(outliers not looked for)" in notes(ignored)[0]
    gold = segment_table(task, task.gold).copy()
    gold[0] += 100
    far = study(
        replace(task, gold=measure_of("mqm", {"segment": gold}, task.systems)), Plan(measures=("pearson",), contests=())
    )
    assert remarks(far, 3)[0].startswith("Outliers by their human score: s0.")


def test_numbers_with_and_without_outliers_are_those_of_the_study() -> None:
    found = study(a_task(2), Plan(named_outliers=("s1",), measures=("pearson",), levels=("system",), contests=()))
    for before, after in zip(found.measures, found.without_outliers, strict=True):
        assert f"{before.metric} {before.agreement.value:.3f} / {after.agreement.value:.3f}" in remarks(found, 3)[0]


def test_undefined_numbers_are_dashes() -> None:
    found = study(a_task(3, systems=4), Plan(named_outliers=("s0", "s1", "s2"), measures=("pearson",), contests=()))
    assert all(isnan(entry.agreement.value) for entry in found.without_outliers if entry.level == "system")
    assert "nan" not in " ".join(remarks(found, 3))
    flat = measure_of("flat", {"segment": np.ones((4, 12))}, ("s0", "s1", "s2", "s3"))
    table = summary_table(study(replace(a_task(3, systems=4), metrics=(flat,)), Plan(contests=())), 3)
    assert table.rows[0][1].text == "–"
    assert not table.rows[0][1].best


def test_more_drives_are_counted_and_not_explained() -> None:
    found = study(a_task(1), BARE)
    drive = Drive("m0", ("s0",), "system", 0.9, 0.5, 6, 5)
    for more, words in ((1, "1 more case"), (3, "3 more cases")):
        said = remarks(replace(found, drives=(drive,) * (MOST_DRIVES + more)), 2)
        assert len(said) == MOST_DRIVES + 1
        assert said[-1] == f"Systems drive a correlation in {words}: see --json."
    assert said[0] == (
        "s0 drives the correlation of m0: Pearson 0.90 (R² 0.81) with all 6 systems, 0.50 (R² 0.25) without."
    )


def test_means_over_tasks_are_shown_where_the_summary_has_a_column() -> None:
    assert in_summary("system", "pearson", "none")
    assert in_summary("system", "accuracy-pooled", "none")
    assert not in_summary("segment", "pearson", "item")
    assert not in_summary("system", "rmse", "none")


def test_the_summary_has_known_measures() -> None:
    for level, name, grouping in SUMMARY:
        assert measure(name).applies(level, grouping)  # type: ignore[arg-type]


def test_confidence_is_told_where_intervals_are() -> None:
    found = study(a_task(1), Plan(settings=MeasureSettings(confidence=0.9, draws=20), measures=("pearson",)))
    assert "90 % interval" in measure_table(found, 3).headings
    assert notes(found)[1].startswith("Intervals: 90 %, jackknife over units")
    assert "bars: 90 % intervals over segments" in scatter(found, "m0").render()


def test_human_outputs_are_marked_as_not_counted_only_where_that_is_so() -> None:
    task = replace(a_task(1), humans=("s0",))
    assert "human output, not counted" in scatter(study(task, Plan(contests=())), "m0").render()
    counted = scatter(study(task, Plan(contests=(), include_human=True)), "m0").render()
    assert "human output" in counted
    assert "not counted" not in counted


def test_the_notes_tell_how_clusters_were_made() -> None:
    drawn, analytic = (
        study(a_task(1), Plan(contests=usual_contests(test), options=ContestOptions(test=test, n=50, alpha=0.1)))
        for test in ("perm-both", "williams")
    )
    assert "by perm-both, n = 50, seed 12345, one-sided, alpha 0.1, correction none" in notes(drawn)[2]
    assert "by williams, one-sided, alpha 0.1, correction none" in notes(analytic)[2]
    assert [contests.measure for _, contests in analytic.contests] == ["pearson", "pearson"]


def test_a_p_that_is_not_defined_is_not_drawn() -> None:
    drawn = heat_map(contests_of({("m0", "m1"): nan, ("m0", "m2"): 0.01, ("m1", "m2"): 0.2}), "segment").render()
    assert "nan" not in drawn
    assert ".01" in drawn


def test_a_p_that_is_small_is_not_drawn_as_nothing() -> None:
    drawn = heat_map(contests_of({("m0", "m1"): 1e-9, ("m0", "m2"): 0.004, ("m1", "m2"): 0.2}), "segment").render()
    assert "m0 better than m1: p &lt; 0.0001" in drawn
    assert "0.0000" not in drawn
    assert ">.00<" not in drawn


def test_what_rounds_to_nothing_has_no_sign() -> None:
    found = study(a_task(1), Plan(settings=MeasureSettings(draws=20), measures=("pearson",), contests=()))
    tiny = tuple(
        replace(entry, agreement=replace(entry.agreement, value=-0.0001, interval=(-0.0002, 0.0001)))
        for entry in found.measures
    )
    drive = Drive("m0", ("s0",), "system", 0.9, -0.0001, 6, 5)
    none = replace(found, measures=tiny, drives=(drive,))
    texts = [
        cell.text for table in (measure_table(none, 3), summary_table(none, 3)) for row in table.rows for cell in row
    ]
    assert "[0.000, 0.000]" in texts
    assert not [text for text in (*texts, *remarks(none, 3), scatter(none, "m0").render()) if "-0.000" in text]


def test_brackets_are_explained_where_there_are_any() -> None:
    found = study(a_task(1), Plan(contests=usual_contests("williams"), options=ContestOptions(test="williams")))
    brackets = [bool(BRACKET.search(cell.text)) for row in summary_table(found, 3).rows for cell in row]
    assert any(brackets)
    assert any(note.startswith("In brackets: clusters") for note in summary_table(found, 3).notes)
    assert not any("brackets" in note for note in measure_table(found, 3).notes)
    assert "Metrics are compared by williams, one-sided, alpha 0.05, correction none" in measure_table(found, 3).notes
