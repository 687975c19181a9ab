"""Every sentence and mark agrees with the numbers beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles.significance import ratio_rows

from karat.evidence import Units
from karat.findings import Findings, MeasureFindings
from karat.identity import Identity
from karat.report.comparisons import findings_table, stars
from karat.report.sentences import FULL_SENTENCES, _bound, p_is, p_value, sentences
from karat.rows import Rows
from karat.significance import TESTS, Comparison, Options, compare, compare_runs, rank
from karat.significance.paired import ON_UNIT_SCORES

Systems = dict[str, Rows]
NUMBER = r"-?\d+\.\d+"
CLAIMED = r"is better than|(?:has|tends to have) better segment scores than|is, by a p .* evidence, better than"
CLAIM = re.compile(rf"^(s\d) (?:{CLAIMED}) (s\d)")


@st.composite
def scored_systems(draw: st.DrawFn, most: int = 4) -> Systems:
    """Systems of a mean or of a ratio, in either direction, over few or many units, alike or far apart."""
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    units, count = draw(st.sampled_from([2, 4, 5, 7, 12, 60])), draw(st.integers(2, most))
    up, spread = draw(st.booleans()), draw(st.sampled_from([0.0, 0.3, 2.0]))
    if draw(st.booleans()):
        length = rng.choice([8, 8, 8, 400], units)
        shares = np.clip(rng.normal(0.5, 0.1 * spread, (count, units)), 0.1, 0.9)
        return {
            f"s{i}": ratio_rows(list(zip((shares[i] * length).astype(int), length, strict=True)), higher_is_better=up)
            for i in range(count)
        }
    base = rng.normal(50, 5, units)
    changes = rng.normal(spread * np.arange(count)[:, np.newaxis], 1, (count, units)) * (spread > 0)
    changes[:, -1] -= draw(st.sampled_from([0.0, 300.0])) * np.arange(count)
    return {f"s{i}": Rows.from_scores(base + changes[i], spec="x", higher_is_better=up) for i in range(count)}


def findings(made: MeasureFindings) -> Findings:
    pair = made.comparisons[0]
    return Findings((made,), Units("segment", pair.units, pair.units, "there is nothing else"))


def measured(systems: Systems, options: Options, *, ranked: bool = False) -> MeasureFindings:
    up = next(iter(systems.values())).identity.higher_is_better
    identity = Identity.of_scores("x", higher_is_better=up)
    if not ranked:
        return MeasureFindings(identity, compare([systems], options, threads=1))
    ranking = rank([systems], options, threads=1)
    return MeasureFindings(identity, ranking.comparisons, ranking.ranking)


def pair_of(said: str, pairs: Sequence[Comparison]) -> Comparison:
    """The pair that a sentence about one pair speaks of."""
    names = set(re.findall(r"\bs\d\b", said))
    (pair,) = (pair for pair in pairs if {pair.system, pair.baseline} == names)
    return pair


OPTIONS = st.builds(
    Options,
    test=st.sampled_from(TESTS),
    n=st.sampled_from([40, 200]),
    correction=st.sampled_from(["holm", "bh", "none"]),
    interval_n=st.just(60),
)


@settings(max_examples=150, deadline=None)
@given(scored_systems(), OPTIONS)
def test_what_is_said_about_pairs_agrees_with_their_numbers(systems: Systems, options: Options) -> None:
    made = measured(systems, options)
    said = sentences(findings(made), 2)
    claims = {}
    for sentence in said:
        if claimed := CLAIM.match(sentence):
            pair = pair_of(sentence, made.comparisons)
            claims[pair.system] = claimed.groups()
            check_claim(sentence, pair)
    for pair in made.comparisons:
        significant = pair.p_adjusted <= pair.alpha and pair.statistic != 0
        assert (pair.system in claims) == significant
        if significant:
            winner, loser = claims[pair.system]
            assert (winner == pair.system) == ((pair.statistic > 0) == pair.higher_is_better)
            assert {winner, loser} == {pair.system, pair.baseline}
    check_the_rest([sentence for sentence in said if not CLAIM.match(sentence)], made.comparisons)


def check_claim(sentence: str, pair: Comparison) -> None:
    """The interval goes with the difference, p is the adjusted one, and disagreement with the score is said."""
    assert p_is(pair.p_adjusted) in sentence
    low, high = (float(bound) for bound in re.findall(rf"interval ({NUMBER}) to ({NUMBER})", sentence)[0])
    sign = -1 if pair.difference < 0 else 1
    assert sorted(sign * bound for bound in (pair.interval.low, pair.interval.high)) == pytest.approx(
        [low, high], abs=0.0051
    )
    if pair.test not in ON_UNIT_SCORES:
        assert f"by {abs(pair.difference):.2f} x (" in sentence
        return
    assert ("but" in sentence) == pair.against_score
    if pair.difference == 0:
        assert "but no better score: the two are equal" in sentence
    else:
        better_score = pair.better == (pair.system if (pair.difference > 0) == pair.higher_is_better else pair.baseline)
        word = "and the better" if better_score else "but the worse"
        assert f"{word} score, by {abs(pair.difference):.2f} (" in sentence


def check_the_rest(said: Sequence[str], pairs: Sequence[Comparison]) -> None:
    """What is not shown: chance where it could have been shown, the remedy where it could not."""
    names = {
        kind: {name for sentence in said if kind in sentence for name in re.findall(r"\bs[1-9]\b", sentence)}
        for kind in ("may be chance", "can be shown under", "nothing to test")
    }
    open_pairs = [pair for pair in pairs if not (pair.p_adjusted <= pair.alpha and pair.statistic != 0)]
    alike = {pair.system for pair in open_pairs if pair.differing == 0}
    beyond = {pair.system for pair in open_pairs if pair.smallest_p_adjusted > pair.alpha} - alike
    assert names["nothing to test"] == alike
    assert names["can be shown under"] == beyond
    assert names["may be chance"] == {pair.system for pair in open_pairs} - alike - beyond
    for sentence in said:
        if "can be shown under" in sentence:
            assert re.search(r"take \d+ segments or more", sentence)


@settings(max_examples=150, deadline=None)
@given(scored_systems(), OPTIONS)
def test_what_is_said_about_the_order_agrees_with_the_pairs(systems: Systems, options: Options) -> None:
    made = measured(systems, options, ranked=True)
    said = "\n".join(sentences(findings(made), 2))
    winners = {(pair.winner, pair.loser) for pair in made.comparisons if pair.winner is not None}
    order = [place.system for place in made.ranking]
    top = re.search(r"^(s\d) .*every other system", said, re.MULTILINE)
    if top:
        assert {(top[1], other) for other in order if other != top[1]} <= winners
    upward = {(pair.winner, pair.loser) for pair in made.comparisons if pair.winner not in (None, pair.better_scored)}
    assert ("Against the order of scores" in said) == bool(upward)
    for winner, loser in upward:
        assert re.search(rf"Against the order .*{winner} [^,]*better [^,]*than {loser}\b", said)
    for place, ranked in enumerate(made.ranking):
        assert ranked.rank_low == 1 + sum(loser == ranked.system for _, loser in winners)
        above, below = order[: place + 1], order[place + 1 :]
        if below and made.ranking[place + 1].cluster != ranked.cluster:
            assert {(one, other) for one in above for other in below} <= winners
    if not any(pair.reachable and not pair.identical for pair in made.comparisons):
        assert "chance" not in said


@settings(max_examples=80, deadline=None)
@given(scored_systems(), OPTIONS, st.booleans())
def test_stars_stand_only_for_a_winner_with_the_better_score(systems: Systems, options: Options, ranked: bool) -> None:
    made = measured(systems, options, ranked=ranked)
    table = findings_table(findings(made), 2)
    order = [place.system for place in made.ranking]
    by_names = {frozenset((pair.system, pair.baseline)): pair for pair in made.comparisons}
    pairs = [by_names[frozenset(names)] for names in pairwise(order)] or list(made.comparisons)
    lines = table.rows[:-1] if ranked else table.rows[1:]
    for pair, line in zip(pairs, lines, strict=True):
        (cell,) = [cell.text for cell in line if cell.text.startswith(p_value(pair.p_adjusted))][-1:]
        mark = "†" if pair.against_score else stars(pair.p_adjusted, pair.alpha)
        mark = mark if pair.statistic != 0 else ""
        assert cell == f"{p_value(pair.p_adjusted)} {mark}".strip()
    assert any(note.startswith("†") for note in table.notes) == any(pair.against_score for pair in made.comparisons)


def against(count: int, test: str) -> MeasureFindings:
    """A baseline and systems that lose a little in most segments and gain much in one."""
    base = np.random.default_rng(0).normal(50, 5, 60)
    changes = [np.concatenate([np.linspace(-2, -1, 59), [100.0 + i]]) for i in range(count)]
    systems = {"s0": Rows.from_scores(base, spec="x")}
    systems |= {f"s{i}": Rows.from_scores(base + change, spec="x") for i, change in enumerate(changes, 1)}
    return measured(systems, Options(test=test, interval_n=500))  # type: ignore[arg-type]


def test_a_winner_with_the_worse_score_is_said_to_have_it() -> None:
    made = against(1, "wilcoxon")
    (said,) = sentences(findings(made), 2)
    assert said.startswith(
        "s0 tends to have better segment scores than s1 under x (p < 0.0001, Wilcoxon's signed ranks"
    )
    assert f"), but the worse score, by {made.comparisons[0].difference:.2f} (95 % interval -" in said


def test_many_differences_against_the_scores_are_listed_and_said_to_be() -> None:
    made = against(FULL_SENTENCES + 1, "wilcoxon")
    said = sentences(findings(made), 2)
    names = "s1, s2, s3, s4, s5 and s6"
    assert said[0].startswith(f"Tending to worse segment scores than s0 under x: {names} (p < 0.0001, ")
    assert said[1] == f"The test does not agree with the scores of {names} and s0 under x."


def test_many_differences_are_listed_with_what_their_test_saw() -> None:
    base = np.random.default_rng(0).normal(50, 5, 60)
    systems = {"s0": Rows.from_scores(base, spec="x")}
    systems |= {f"s{i}": Rows.from_scores(base - i, spec="x") for i in range(1, 7)}
    for test, begin in (
        ("randomization", "Worse than s0 under x, by as much as is in brackets: s1 (1.00), s2 (2.00)"),
        ("permutation", "Worse segment scores than s0 under x, on average by as much as is in brackets: s1 (1.00)"),
        ("moses", "By a p that is too small to be evidence, worse than s0 under x, by as much as is in brackets: s1"),
    ):
        made = measured(systems, Options(test=test, interval_n=500))  # type: ignore[arg-type]
        assert sentences(findings(made), 2)[0].startswith(begin)


def test_all_flips_are_said_to_be_all() -> None:
    values = np.arange(1.0, 9.0)
    made = measured({"s0": Rows.from_scores(values, spec="x"), "s1": Rows.from_scores(values * 2, spec="x")}, Options())
    (said,) = sentences(findings(made), 2)
    assert "p = 0.0078, exact randomisation, all 256 flips, over 8 segments)" in said
    notes = findings_table(findings(made), 2).notes
    assert notes[0].startswith("Test: exact randomisation, two-sided, all 256 flips; unit: segment (8")
    assert "1,000 full resamples, seed 12345;" in notes[1]


@pytest.mark.parametrize(
    ("p", "shown", "stated"),
    [
        (1.0, "1.0000", "p = 1.0000"),
        (0.0001, "0.0001", "p = 0.0001"),
        (0.00009999, "< 0.0001", "p < 0.0001"),
        (5e-324, "< 0.0001", "p < 0.0001"),
    ],
)
def test_small_p_values_are_said_to_be_below_the_last_digit(p: float, shown: str, stated: str) -> None:
    assert (p_value(p), p_is(p)) == (shown, stated)


def test_no_p_at_all_is_a_dash() -> None:
    assert p_value(None) == "–"


def test_pairs_out_of_reach_in_a_ranking_are_told_from_chance() -> None:
    base = np.random.default_rng(0).normal(50, 5, 40)
    systems = {
        "s0": Rows.from_scores(base, spec="x"),
        "s1": Rows.from_scores(base + np.eye(40)[0], spec="x"),
        "s2": Rows.from_scores(base + np.random.default_rng(1).normal(0, 1, 40), spec="x"),
    }
    said = sentences(findings(measured(systems, Options(interval_n=500), ranked=True)), 2)
    assert said[0].startswith("Nothing can be said about the order under x: no difference is more than chance")
    assert said[1].startswith(
        "Nothing can be shown about 1 of 3 pairs under x: the 1 of 40 segments that differ cannot"
    )


def test_nothing_is_claimed_of_an_equal_statistic() -> None:
    made = measured(
        {"s0": Rows.from_scores([1.0, 2.0] * 9, spec="x"), "s1": Rows.from_scores([2.0, 1.0] * 9, spec="x")}, Options()
    )
    pair = made.comparisons[0]
    assert (pair.difference, pair.better, pair.winner) == (0, None, None)
    forced = replace(made, comparisons=(replace(pair, p_adjusted=0.0),))
    assert "may be chance" in sentences(findings(forced), 2)[0]


def said_of_runs(baseline: list[Rows], system: list[Rows], *others: list[Rows]) -> list[str]:
    """The sentences about runs of b and a."""
    systems = {"a": baseline, "b": system} | {f"other{i}": runs for i, runs in enumerate(others)}
    report = compare_runs(systems, Options(n=500))
    units = Units("segment", len(baseline[0]), len(baseline[0]), "there is nothing else")
    identity = report.comparisons[0].identity
    return [*sentences(Findings((MeasureFindings(identity, runs=report),), units), 2)]


def test_a_claim_about_other_runs_names_its_system_and_its_test_set() -> None:
    noise = np.random.default_rng(3).normal(0, 10, (2, 20))
    worse, better = (
        [Rows.from_scores(shift + noise[i] - noise[i].mean() + run / 100, spec="x") for run in range(4)]
        for i, shift in enumerate((50.0, 51.0))
    )
    for runs in ((worse, better), (better, worse)):
        these, over = said_of_runs(*runs)
        favoured, other = ("b", "a") if runs[1] is better else ("a", "b")
        assert these.startswith("Nothing can be said about these runs of b and a under x beyond this test set (p =")
        expected = f"On this test set other runs of {favoured} can be expected to be better than other runs of {other}"
        assert over.startswith(expected)


def test_what_runs_cannot_show_is_said_with_the_remedy() -> None:
    low, high, higher = (
        [Rows.from_scores([level + run / 100] * 20, spec="x") for run in range(4)] for level in (1.0, 50.0, 60.0)
    )
    told = [one for one in said_of_runs(low, high, higher) if "other runs" in one]
    assert len(told) == 2
    for one in told:
        assert one.startswith("Nothing can be shown about other runs of")
        assert "take 5 runs of each system or more" in one


def test_many_pairs_within_a_cluster_are_counted_and_not_listed() -> None:
    noise = np.random.default_rng(5).normal(0, 1, (14, 60))
    systems = {f"s{i}": Rows.from_scores(50 + i / 12 + noise[i], spec="x") for i in range(14)}
    made = measured(systems, Options(correction="none", n=500, interval_n=500), ranked=True)
    told = max((text for text in sentences(findings(made), 2) if "are one cluster" in text), key=len)
    members = set(re.findall(r"s\d+", told.partition(" are one")[0]))
    pairs = [pair for pair in made.comparisons if {pair.system, pair.baseline} <= members]
    shown = sum(pair.winner is not None for pair in pairs)
    assert shown > FULL_SENTENCES
    assert f"{shown} of its {len(pairs)} pairs are told apart" in told
    assert "is better than" not in told


def test_a_p_of_one_has_none_above_it() -> None:
    values = np.arange(1.0, 41.0)
    swapped = values.reshape(-1, 2)[:, ::-1].reshape(-1)
    systems = {"s0": values, "s1": swapped, "s2": swapped + np.where(values % 4 == 0, 1.0, 0.0) - 0.25}
    made = measured({name: Rows.from_scores(of_one, spec="x") for name, of_one in systems.items()}, Options())
    (said,) = sentences(findings(made), 2)
    assert min(pair.p_adjusted for pair in made.comparisons) == 1
    assert "may be chance (p = 1.0000), which" in said


def test_a_bound_is_never_nothing_in_digits() -> None:
    assert _bound(0.001, 2, several=True) == "they may lose less than 0.01"
    assert _bound(-0.001, 2, several=True) == "they lose nothing"
    assert _bound(0.0, 2, several=False) == "it loses nothing"
    assert _bound(0.3, 2, several=False) == "it may lose up to 0.30"
    assert _bound(-0.3, 2, several=False) == "it gains at least 0.30"


def test_many_units_are_written_with_commas() -> None:
    base = np.random.default_rng(0).normal(50, 5, 4000)
    systems = {"s0": Rows.from_scores(base, spec="x"), "s1": Rows.from_scores(base + 1, spec="x")}
    (said,) = sentences(findings(measured(systems, Options(interval_n=500))), 2)
    assert "over 4,000 segments" in said


def test_wins_that_go_round_are_said_to_agree_with_no_order() -> None:
    first_less_second, second_less_third = np.array([[2, 4, -1, 0, -8, 1], [-8, 0, 5, 2, 3, -1]])
    lost = np.array([np.zeros(6), first_less_second, first_less_second + second_less_third])
    scores = 50.0 - np.tile(lost, (1, 200))
    systems = {f"s{i}": Rows.from_scores(scores[i], spec="x") for i in range(3)}
    made = measured(systems, Options(test="wilcoxon", interval_n=60), ranked=True)
    beaten = {(pair.winner, pair.loser) for pair in made.comparisons}
    said = [sentence for sentence in sentences(findings(made), 2) if sentence.startswith("No order agrees")]
    claimed = re.findall(rf"(s\d) (?:{CLAIMED}) (s\d)", " ".join(said))
    assert len(claimed) == 3
    assert set(claimed) == beaten
