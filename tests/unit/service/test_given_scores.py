"""Scores and ratings from files, and how the form of a file is told."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.errors import InputError
from karat.service.given_scores import read_given_scores


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_segments_of_several_documents_are_kept_apart(tmp_path: Path) -> None:
    text = "rater,system,document,segment,protocol,value\nr,a,d1,1,da,10\nr,a,d2,1,da,90\ns,a,d2,1,da,70\n"
    (scores,), _ = read_given_scores(write(tmp_path / "r.csv", text))
    assert scores.systems == {"a": {("d1", "1"): 10, ("d2", "1"): 80}}


def test_items_of_appraise_are_those_of_the_document_whatever_the_task(tmp_path: Path) -> None:
    text = (
        "u1,a,7,TGT,eng,deu,50,d1#a,False,1.0,2.0\nu1,a,8,TGT,eng,deu,60,d1#a,False,1.0,2.0\n"
        "u2,b,3,TGT,eng,deu,70,d1#b,False,1.0,2.0\nu2,b,4,TGT,eng,deu,80,d1#b,False,1.0,2.0\n"
    )
    (scores,), _ = read_given_scores(write(tmp_path / "scores.csv", text))
    keys = [("d1", "1"), ("d1", "2")]
    assert scores.systems == {
        "a": dict(zip(keys, (50, 60), strict=True)),
        "b": dict(zip(keys, (70, 80), strict=True)),
    }


@pytest.mark.parametrize(
    ("name", "text", "measure", "level"),
    [
        ("chrF.seg.score", "a\t1\na\t2\n", "chrF", "segment"),
        ("chrF.sys.score", "a\t1\nb\t2\n", "chrF", "system"),
        ("mqm.tsv", "system mqm_avg_score seg_id\na\t-5 1\n", "mqm", "segment"),
        ("da.csv", "SYS SID RAW.SCR Z.SCR N \na 1 100 0.6 1 \na 2 75 -0.1 1 \n", "da", "segment"),
        ("m.tsv", "system\tsegment\tscore\na\t1\t3\n", "m", "segment"),
        ("m.csv", "segment,sysA,sysB\n1,3,4\n", "m", "segment"),
        ("m.jsonl", '{"system": "a", "segment": "1", "score": 2, "metric": "x"}\n', "x", "segment"),
        ("r.tsv", "rater\tsystem\tsegment\tprotocol\tvalue\nr\ta\t1\tda\t10\n", "da", "segment"),
        ("r.csv", "rater,system,document,protocol,value\nr,a,d,da,10\n", "da", "document"),
    ],
)
def test_the_form_of_a_file_is_told_by_what_is_in_it(
    tmp_path: Path, name: str, text: str, measure: str, level: str
) -> None:
    (scores,), _ = read_given_scores(write(tmp_path / name, text))
    assert (scores.name, scores.level) == (measure, level)


def test_a_direction_that_a_file_tells_is_kept(tmp_path: Path) -> None:
    text = "system,segment,score,higher_is_better\na,1,3,false\n"
    (scores,), _ = read_given_scores(write(tmp_path / "m.csv", text))
    assert scores.higher_is_better is False


def test_errors_without_a_number_are_weighed_and_that_is_said(tmp_path: Path) -> None:
    text = (
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
        "a\td\t1\t1\tr\tx y\tu <v>v</v>\tAccuracy/Omission\tMajor\n"
        "a\td\t2\t2\tr\tx\tw\tNo-error\tNo-error\n"
    )
    (scores,), warnings = read_given_scores(write(tmp_path / "mqm.tsv", text))
    assert scores.higher_is_better is False
    assert sorted(value for value in scores.systems["a"].values() if value is not None) == [0.0, 5.0]
    assert any(warning.code == "ratings" for warning in warnings)


def test_a_criterion_of_scores_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds scores, not ratings"):
        read_given_scores(write(tmp_path / "m.csv", "system,segment,score\na,1,3\n"), criteria=("adequacy",))


def preferences(path: Path, pairs: str, segments: int = 3) -> str:
    """A file in which the first of each pair (ab) is better on every segment."""
    lines = [f"r,{pair[0]},{pair[1]},{number},preference,first" for number in range(segments) for pair in pairs.split()]
    return write(path, "\n".join(["rater,system,other_system,segment,protocol,label", *lines]) + "\n")


@pytest.mark.parametrize("pairs", ["ab", "ab ab", "ab ac bc", "ab ac bc ba ca cb"])
def test_wins_of_systems_that_all_met_alike_are_scores(tmp_path: Path, pairs: str) -> None:
    (scores,), warnings = read_given_scores(preferences(tmp_path / "p.csv", pairs))
    assert (scores.name, set(scores.systems), warnings) == ("preference-wins", set(pairs) - {" "}, ())


@pytest.mark.parametrize(
    ("pairs", "place"),
    [
        ("ac db", "a met c once and b never"),
        ("ab ac", "b met a once and c never"),
        ("ab ac bc bc", "b met c 2 times and a once"),
    ],
)
def test_wins_against_other_opponents_are_refused_and_as_gold_warned_of(tmp_path: Path, pairs: str, place: str) -> None:
    path = preferences(tmp_path / "p.csv", pairs)
    with pytest.raises(InputError, match=f"on segment 0, {place}.*use karat human"):
        read_given_scores(path)
    (scores,), (warning,) = read_given_scores(path, as_gold=True)
    assert (scores.name, warning.code) == ("preference-wins", "unequal-opponents")
    assert place in warning.message


def test_mean_ranks_among_other_opponents_are_refused(tmp_path: Path) -> None:
    rows = ["a,1,1", "c,1,2", "b,2,2", "d,2,1"]
    text = "rater,system,segment,value,protocol\n" + "".join(f"r,{row},ranking\n" for row in rows)
    with pytest.raises(InputError, match=r"on segment 1, a met c once and d never.*mean rank depends on whom it met"):
        read_given_scores(write(tmp_path / "r.csv", text))


def two_language_pairs(path: Path, first: str = "en-de", second: str = "en-fr") -> str:
    lines = [f"r,{pair},a,1,da,{value}" for pair, value in ((first, 10), (second, 90))]
    return write(path, "\n".join(["rater,language_pair,system,segment,protocol,value", *lines]) + "\n")


@pytest.mark.parametrize("first", ["en-de", "en-US-de-DE", "EN_us-de_DE"])
def test_a_language_pair_is_chosen_among_those_of_ratings(tmp_path: Path, first: str) -> None:
    (scores,), _ = read_given_scores(two_language_pairs(tmp_path / "r.csv", first), language_pair="en-de")
    assert scores.systems == {"a": {(None, "1"): 10}}


@pytest.mark.parametrize(
    ("first", "asked", "message"),
    [
        ("en-de", None, "r.csv has ratings of 2 language pairs: choose one with -l: en-de, en-fr"),
        ("en-de", "en-cs", "r.csv has no ratings of en-cs, only of en-de, en-fr: name one of these with -l"),
        ("ende", "en-de", "r.csv has no ratings of en-de, only of ende, en-fr"),
        ("en-fr_CA", "en_US-fr", "r.csv has ratings of en-fr_CA, en-fr, and en_US-fr may be any of them"),
    ],
)
def test_ratings_of_several_language_pairs_are_not_averaged(
    tmp_path: Path, first: str, asked: str | None, message: str
) -> None:
    path = two_language_pairs(tmp_path / "r.csv", first)
    with pytest.raises(InputError, match=message):
        read_given_scores(path, language_pair=asked)


def test_ratings_without_a_language_pair_are_of_any(tmp_path: Path) -> None:
    path = write(tmp_path / "r.csv", "rater,system,segment,protocol,value\nr,a,1,da,10\n")
    assert read_given_scores(path, language_pair="en-de") == read_given_scores(path)
