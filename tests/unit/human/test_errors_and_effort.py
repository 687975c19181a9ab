"""Errors weighed, post-edits measured, and the analysis that each protocol gets."""

from __future__ import annotations

import pytest

from karat.corpus.ratings import Ratings
from karat.errors import InputError
from karat.human.analysis import analyse, placed, selected
from karat.human.effort import effort, hter, with_hter, with_seconds_per_word
from karat.human.extraction import judgements, pair_judgements
from karat.human.mqm import NAMED_WEIGHTS, Weights, breakdown, with_penalties
from karat.human.plan import AnalysisPlan


def span(severity: str, category: str, start: int = 0, end: int = 1) -> dict[str, object]:
    return {"start": start, "end": end, "side": "target", "category": category, "severity": severity}


MARKED = Ratings.of(
    {
        "rater": ["r1", "r2", "r1", "r2"],
        "system": ["a", "a", "b", "b"],
        "segment": ["1"] * 4,
        "protocol": ["mqm"] * 4,
        "criterion": ["penalty"] * 4,
        "spans": [
            [span("Major", "Accuracy/Omission"), span("Minor", "Fluency/Punctuation", 2, 4)],
            [span("Minor", "Style")],
            [],
            [span("Major", "Non-translation!")],
        ],
    }
)


def test_wmts_weights() -> None:
    values = with_penalties(MARKED, NAMED_WEIGHTS["wmt"]).frame["value"].to_list()
    assert values == pytest.approx([5.1, 1, 0, 25])


@pytest.mark.parametrize("category", ["Source error/-", "Source issue", "Accuracy/Mistranslation"])
def test_wmts_weights_go_by_severity_whatever_the_category(category: str) -> None:
    weights = NAMED_WEIGHTS["wmt"]
    severities = ("Critical", "Major", "Minor", "Neutral", "No-error", "HOTW-test")
    assert [weights.weight(severity, category) for severity in severities] == [5, 5, 1, 0, 0, 0]


def test_the_weights_of_2020_forgive_errors_of_the_source() -> None:
    weights = NAMED_WEIGHTS["wmt20"]
    assert (weights.weight("Major", "Source error/-"), weights.weight("Minor", "Style/Awkward")) == (0, 1)


def test_weights_of_ones_own() -> None:
    weights = Weights.parse("major=10, minor=2, :style=0.5")
    assert with_penalties(MARKED, weights).frame["value"].to_list() == pytest.approx([12, 0.5, 0, 10])
    with pytest.raises(InputError, match="severity=number"):
        Weights.parse("major:5")
    with pytest.raises(InputError, match="'Minor'"):
        with_penalties(MARKED, Weights.parse("major=1"))


def test_errors_without_a_severity_are_counted_where_none_is_asked_for() -> None:
    marked = {"start": 0, "end": 2, "side": "target", "category": "order", "severity": None}
    columns = {"system": ["a", "a"], "segment": ["1", "2"], "rater": ["r", "r"], "spans": [[marked, marked], []]}
    typed = Ratings.of({**columns, "protocol": ["error-types"] * 2, "criterion": ["penalty"] * 2})
    assert analyse(typed, AnalysisPlan()).criteria[0].systems[0].score == 1
    with pytest.raises(InputError, match="severity None"):
        analyse(Ratings.of({**columns, "protocol": ["mqm"] * 2, "criterion": ["penalty"] * 2}), AnalysisPlan())


def test_where_penalties_come_from() -> None:
    found = breakdown(MARKED, NAMED_WEIGHTS["wmt"])
    assert found["a"][0] == {"category": "Accuracy/Omission", "severity": "Major", "count": 1, "penalty": 5.0}
    assert [kind["penalty"] for kind in found["b"]] == [25]


def test_errors_are_ranked_with_the_fewest_first_and_spans_compared() -> None:
    (found,) = analyse(MARKED, AnalysisPlan()).criteria
    assert found.kind == "errors"
    assert not found.higher_is_better
    assert [one.system for one in found.systems] == ["a", "b"]
    assert found.systems[0].score == pytest.approx(3.05)
    measures = {one.measure: one for one in found.agreement}
    assert measures["spans F1"].n == 2
    # Outputs a and b: one shared character of three and one marked, nothing against one.
    assert measures["spans F1"].value == pytest.approx(2 * 1 / (4 + 1))


EDITED = Ratings.of(
    {
        "rater": ["r"] * 2,
        "system": ["a", "b"],
        "segment": ["1", "1"],
        "protocol": ["post-edit"] * 2,
        "criterion": ["hter"] * 2,
        "source": ["eins zwei drei vier"] * 2,
        "target": ["one two three four", "one too"],
        "post_edit": ["one two three five", "one two three four"],
        "seconds": [10.0, 30.0],
        "keystrokes": [4, 20],
    }
)


def test_hter_and_effort() -> None:
    assert hter(["x y z w v"], ["a"]).tolist() == [1.0]
    assert with_hter(EDITED).frame["value"].to_list() == pytest.approx([0.25, 0.75])
    took = effort(EDITED)["b"]
    assert (took.words, took.seconds_per_word, took.keystrokes_per_word) == (4, 7.5, 5)
    assert with_seconds_per_word(EDITED).frame["value"].to_list() == [2.5, 7.5]
    (found,) = analyse(EDITED, AnalysisPlan()).criteria
    assert [one.score for one in found.systems] == pytest.approx([0.25, 0.75])
    assert found.systems[0].details["seconds_per_word"] == 2.5


def test_a_post_edit_without_its_output_is_refused() -> None:
    with pytest.raises(InputError, match="none has both"):
        with_hter(Ratings.of({"system": ["a"], "post_edit": ["x"], "protocol": ["post-edit"]}))


def test_comprehension_is_the_share_of_questions_answered_right() -> None:
    ratings = Ratings.of(
        {
            "rater": ["r"] * 4,
            "system": ["a", "a", "b", "b"],
            "document": ["d"] * 4,
            "question": ["q1", "q2"] * 2,
            "protocol": ["comprehension"] * 4,
            "criterion": ["comprehension"] * 4,
            "value": [1, 1, 1, 0],
        }
    )
    (found,) = analyse(ratings, AnalysisPlan()).criteria
    assert {one.system: (one.score, one.items) for one in found.systems} == {"a": (1, 2), "b": (0.5, 2)}


RANKED = Ratings.of(
    {
        "rater": ["j1"] * 3 + ["j2"] * 3,
        "system": ["a", "b", "c+d"] * 2,
        "segment": ["1"] * 6,
        "item": ["x"] * 3 + ["y"] * 3,
        "protocol": ["ranking"] * 6,
        "criterion": ["overall"] * 6,
        "value": [1, 2, 2, 1, 2, 3],
    }
)


def test_systems_that_share_an_output_each_get_its_comparisons() -> None:
    assert len(pair_judgements(RANKED)) == 6
    expanded = pair_judgements(RANKED, expanded=True)
    assert expanded.systems == ("a", "b", "c", "d")
    assert len(expanded) == 12
    (found,) = analyse(RANKED, AnalysisPlan()).criteria
    assert found.systems[0].system == "a"
    assert found.systems[0].details["wins"] == 6
    assert {one.n for one in found.agreement if one.measure == "pairwise official"} == {3}


def test_presets_are_refused_where_they_make_no_sense() -> None:
    with pytest.raises(InputError, match="wmt16"):
        analyse(RANKED, AnalysisPlan(preset="wmt21"))
    with pytest.raises(InputError, match="comparisons"):
        analyse(EDITED, AnalysisPlan(preset="wmt16"))


def test_wmt16_ranks_by_trueskill() -> None:
    (found,) = analyse(RANKED, AnalysisPlan(preset="wmt16")).criteria
    assert found.systems[0].system == "a"
    assert "TrueSkill" in found.method


def test_segments_of_several_documents_are_not_mixed_up() -> None:
    ratings = Ratings.of(
        {
            "rater": ["r"] * 2,
            "system": ["a"] * 2,
            "document": ["d1", "d2"],
            "segment": ["1", "1"],
            "protocol": ["da"] * 2,
            "criterion": ["overall"] * 2,
            "value": [10, 20],
        }
    )
    assert judgements(ratings).segments == ("d1/1", "d2/1")


def test_documents_can_be_filled_in_and_names_are_checked() -> None:
    import polars as pl

    filled = placed(EDITED, pl.DataFrame({"segment": ["1"], "document": ["d"], "domain": ["news"]}))
    assert filled.frame["document"].to_list() == ["d", "d"]
    assert len(selected(EDITED, criteria=("hter",))) == 2
    with pytest.raises(InputError, match="no rating has the criterion 'adequacy'; there is: hter"):
        selected(EDITED, criteria=("adequacy",))


def test_a_sheet_of_extended_criteria_is_shown_as_it_is() -> None:
    sheet = Ratings.of({"system": ["a"], "protocol": ["femti"], "criterion": ["usability"], "value": [4]})
    found = analyse(sheet, AnalysisPlan())
    assert found.criteria == ()
    assert found.sheet[0]["criterion"] == "usability"


def test_nothing_to_analyse_is_an_error() -> None:
    with pytest.raises(InputError, match="nothing to analyse"):
        analyse(Ratings.of({"system": ["a"], "protocol": ["da"], "criterion": ["overall"]}), AnalysisPlan())
