"""Verdicts are true: whatever their sentences claim follows from the tests of the ranking, on any data."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import karat
from karat.analysis.verdict import Verdict, verdict, winners_among_people
from karat.report.page.words import headline, objections, support
from karat.results.comparisons import RankResult

NAMES = ("ann", "bob", "cid", "dot", "eve")


def ranked(seed: int, systems: int, gap: float, measures: int, test: str) -> RankResult:
    """Systems whose scores differ by about a gap each, under some measures."""
    rng = np.random.default_rng(seed)
    texts = [" ".join(rng.choice(list("abcdef"), size=8)) for _ in range(12)]
    hypotheses = {}
    for place, name in enumerate(NAMES[:systems]):
        noise = rng.random((12, 8)) < min(0.9, gap * place)
        words = [text.split() for text in texts]
        hypotheses[name] = [
            " ".join("x" if bad else word for word, bad in zip(line, row, strict=True))
            for line, row in zip(words, noise, strict=True)
        ]
    scores = karat.score(hypotheses, texts, ["chrf", "ter", "wer"][:measures])
    return karat.rank(scores, n=200, test=test)  # type: ignore[arg-type]


def winners(result: RankResult) -> dict[str, dict[frozenset[str], str | None]]:
    """The winner of each pair by measure, out of the JSON form alone."""
    found: dict[str, dict[frozenset[str], str | None]] = {}
    for pair in result.to_json()["comparisons"]:
        won = pair["better"] if pair["p_adjusted"] <= pair["alpha"] else None
        found.setdefault(pair["name"], {})[frozenset((pair["baseline"], pair["system"]))] = won
    return found


def beats_all(won: dict[frozenset[str], str | None], name: str) -> bool:
    return all(winner == name for pair, winner in won.items() if name in pair)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    systems=st.integers(2, 5),
    gap=st.sampled_from([0.0, 0.02, 0.08, 0.2]),
    measures=st.integers(1, 3),
    test=st.sampled_from(["randomization", "bootstrap", "wilcoxon"]),
)
def test_a_headline_claims_what_the_tests_show(seed: int, systems: int, gap: float, measures: int, test: str) -> None:
    result = ranked(seed, systems, gap, measures, test)
    by_measure, said = winners(result), headline(result.verdict())
    alone = {
        name: next((system for system in NAMES[:systems] if beats_all(won, system)), None)
        for name, won in by_measure.items()
    }
    best = set(alone.values())
    if said.startswith("No difference"):
        assert not any(winner for won in by_measure.values() for winner in won.values())
    elif said.startswith("No system stands alone"):
        assert best == {None}
        assert any(winner for won in by_measure.values() for winner in won.values())
    elif said.startswith("The metrics do not agree"):
        assert len(best - {None}) > 1
    elif "that is not shown" in said:
        named, shown, rest = re.fullmatch(r"(\w+) .* under (.*); under (.*) that is not shown\.", said).groups()  # type: ignore[union-attr]
        assert {name for name, system in alone.items() if system == named} == set(re.split(", | and ", shown))
        assert {name for name, system in alone.items() if system is None} == set(re.split(", | and ", rest))
    else:
        assert best == {said.split()[0]}


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    systems=st.integers(2, 5),
    gap=st.sampled_from([0.0, 0.02, 0.08, 0.2]),
    measures=st.integers(1, 3),
)
def test_what_supports_it_follows_from_the_tests_too(seed: int, systems: int, gap: float, measures: int) -> None:
    result = ranked(seed, systems, gap, measures, "randomization")
    by_measure = winners(result)
    open_pairs = {name: {pair for pair, winner in won.items() if winner is None} for name, won in by_measure.items()}
    for said in (*support(result.verdict()), *objections(result.verdict())):
        if said.startswith("All pairs of systems are told apart under "):
            assert not open_pairs[said.removesuffix(".").split()[-1]]
        elif said.startswith("Not told apart under "):
            check_open(said, open_pairs)
        elif said.startswith("Told apart: p ≤ 0.05"):
            assert not any(beats_all(won, name) for won in by_measure.values() for name in NAMES[:systems])
        elif said.startswith("Nothing can be shown about the order under "):
            assert not any(by_measure[said.split(" under ")[1].partition(":")[0]].values())
        elif said.startswith("How sure: p"):
            check_p(said, result, by_measure)
        elif "ahead of" in said:
            check_lead(said, result)
        elif "nbeaten under" in said:
            check_named(said.partition(": ")[2], set.intersection(*map(unbeaten, by_measure.values())), systems)
        elif said.endswith("every system is beaten by another."):
            assert not unbeaten(by_measure[said.split()[1]])
        elif "no system beats" in said:
            name, who, alone = re.fullmatch(
                r"Under (\S+) (?:(.*) share first place: no system beats them|no system beats (\w+))\.", said
            ).groups()  # type: ignore[union-attr]
            check_named(who or alone, unbeaten(by_measure[name]), systems)
            assert not any(beats_all(by_measure[name], system) for system in NAMES[:systems])
        elif said.endswith("no two systems are told apart."):
            assert not any(by_measure[said.split()[1]].values())
        elif said.endswith("in opposite ways."):
            total, count = map(int, re.findall(r"\d+", said))
            assert (total, count) == (len(list(combinations(NAMES[:systems], 2))), len(opposite_pairs(by_measure)))
        else:
            winner, loser = re.match(r"(\w+) wins against (\w+) under", said).groups()  # type: ignore[union-attr]
            assert {won[frozenset((winner, loser))] for won in by_measure.values()} >= {winner, loser}


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), systems=st.integers(2, 6), gap=st.sampled_from([0.0, 0.02, 0.08]))
def test_it_is_between_the_best_and_the_next_or_all_that_share_first_place(seed: int, systems: int, gap: float) -> None:
    (measure,) = ranked(seed, systems, gap, 1, "bootstrap").verdict().measures
    pairs = measure.contenders
    if measure.best is not None:
        (pair,) = pairs
        assert pair[0] == measure.best
    elif len(measure.unbeaten) > 1:
        assert {name for pair in pairs for name in pair} == set(measure.unbeaten[:4])
        assert len(pairs) == len(measure.unbeaten[:4]) * (len(measure.unbeaten[:4]) - 1) // 2
    else:
        assert len(pairs) == 1
    assert all(one != other for one, other in pairs)


def test_two_systems_that_only_the_second_metric_tells_apart_have_a_headline() -> None:
    result = ranked(4397, 2, 0.02, 2, "bootstrap")
    assert result.verdict().measures[0].best is None
    assert headline(result.verdict()).endswith("that is not shown.")


def check_open(said: str, open_pairs: dict[str, set[frozenset[str]]]) -> None:
    name, rest = re.fullmatch(r"Not told apart under (\S+): (.*)\.", said).groups()  # type: ignore[union-attr]
    if rest.endswith("pairs"):
        assert len(open_pairs[name]) == int(rest.split()[0])
    else:
        assert {frozenset(pair.split(" and ")) for pair in rest.split(", ")} == open_pairs[name]


def opposite_pairs(by_measure: dict[str, dict[frozenset[str], str | None]]) -> list[frozenset[str]]:
    pairs = next(iter(by_measure.values()))
    return [pair for pair in pairs if len({won[pair] for won in by_measure.values()} - {None}) > 1]


def unbeaten(won: dict[frozenset[str], str | None]) -> set[str]:
    """The systems that no other wins against."""
    return pair_names(won) - {name for pair, winner in won.items() if winner for name in pair - {winner}}


def check_named(said: str, named: set[str], systems: int) -> None:
    """The systems of a sentence by name, or how many they are; nothing where there are none."""
    if said.removesuffix(".").endswith(" systems"):
        assert [int(number) for number in re.findall(r"\d+", said)] == [len(named), systems]
    else:
        assert set(re.split(", | and ", said.removesuffix("."))) - {""} == named


def check_p(said: str, result: RankResult, by_measure: dict[str, dict[frozenset[str], str | None]]) -> None:
    bound = 0.0001 if "p < 0.0001" in said else float(re.search(r"p = ([\d.]+)", said)[1])  # type: ignore[index]
    for pair in result.comparisons:
        won = by_measure[pair.identity.display_name]
        best = next((system for system in NAMES if system in {*pair_names(won)} and beats_all(won, system)), None)
        if best in (pair.system, pair.baseline):
            assert pair.p_adjusted <= bound + 0.00005


def pair_names(won: dict[frozenset[str], str | None]) -> set[str]:
    return {name for pair in won for name in pair}


def check_lead(said: str, result: RankResult) -> None:
    best, size, metric, other = re.match(r"(\w+) is ([\d.]+) (\S+) ahead of (\w+)", said).groups()  # type: ignore[union-attr]
    (pair,) = (
        pair
        for pair in result.comparisons
        if {pair.system, pair.baseline} == {best, other} and pair.identity.display_name == metric
    )
    assert pair.winner == pair.better_scored == best
    assert abs(pair.difference) == pytest.approx(float(size), abs=0.006)


def test_many_systems_under_many_metrics_get_few_words() -> None:
    rng = np.random.default_rng(5)
    texts = [" ".join(rng.choice(list("abcdef"), size=8)) for _ in range(60)]
    hypotheses = {
        f"system-{number}": [
            " ".join("x" if rng.random() < (0.1 if number < 6 else 0.4) else word for word in text.split())
            for text in texts
        ]
        for number in range(14)
    }
    result = karat.rank(karat.score(hypotheses, texts, ["chrf", "ter", "wer", "cer", "bleu"]), n=200)
    found = result.verdict()
    said = (headline(found), *support(found), *objections(found))
    assert "Under chrF2 6 of 14 systems share first place: no system beats them." in said
    assert re.search(r"Not told apart under chrF\S*: \d+ of 91 pairs\.", " ".join(said))
    assert len(" ".join(said)) < 450


def test_people_who_see_it_otherwise_are_heard() -> None:
    result = ranked(1, 3, 0.2, 1, "randomization")
    judged = winners_among_people([("adequacy", "bob", "ann"), ("fluency", "ann", "bob"), ("adequacy", "ann", "cid")])
    found: Verdict = verdict(result.main_part, judged)
    (reversal,) = found.reversals
    assert (reversal.winner, reversal.loser, reversal.others) == ("ann", "bob", ("adequacy",))
    assert any("they rate bob above ann in adequacy" in said for said in objections(found))


def test_a_reversal_needs_a_decision_of_every_metric() -> None:
    result = ranked(3, 4, 0.0, 2, "randomization")
    judged = winners_among_people([("adequacy", two, one) for one, two in combinations(NAMES[:4], 2)])
    for reversal in verdict(result.main_part, judged).reversals:
        pair = frozenset((reversal.winner, reversal.loser))
        assert all(won[pair] == reversal.winner for won in winners(result).values())
