"""Campaign files: what is written reads back, and what is wrong is named."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.campaigns.campaign_of import plan_of

from karat.campaigns import Assignment, CampaignPlan, Controls, Gold, Question, read_plan, written_plan
from karat.errors import InputError, ProblemsError

SMALL = 'name = "try"\nprotocol = "sqm"\n[[questions]]\ncriterion = "overall"\n'

plans = st.builds(
    CampaignPlan,
    name=st.text(st.characters(exclude_categories=["Cs"])),
    protocol=st.just("adequacy-fluency"),
    questions=st.sampled_from(
        [
            (Question(criterion="fluency"), Question(criterion="adequacy", show=("source", "reference"))),
            (Question(criterion="adequacy", show=("source",), widget="slider", labels={"5": "Alles", "1": "Nichts"}),),
        ]
    ),
    source_language=st.none() | st.just("de"),
    target_language=st.none() | st.just("pt-BR"),
    unit=st.sampled_from(["segment", "document"]),
    segments=st.none() | st.integers(1, 9),
    systems=st.lists(st.text(st.characters(exclude_categories=["Cs"]), min_size=1), max_size=2).map(tuple),
    seed=st.integers(0, 2**40),
    guidelines=st.none() | st.text(st.characters(exclude_categories=["Cs"])),
    assignment=st.builds(Assignment, raters=st.integers(3, 9), judgements=st.integers(1, 3)),
    controls=st.builds(
        Controls,
        repeats=st.floats(0.01, 0.5),
        degraded=st.floats(0.01, 0.5),
        loud=st.sampled_from([(), ("repeats", "degraded")]),
    ),
    gold=st.just(())
    | st.builds(
        Gold,
        segment=st.text(st.characters(exclude_categories=["Cs"])),
        system=st.just("a"),
        values=st.fixed_dictionaries({"adequacy": st.integers(1, 5)}),
        translation=st.none() | st.text(st.characters(exclude_categories=["Cs"])),
    ).map(lambda gold: (gold,)),
)


@given(plans)
def test_a_written_plan_reads_back(plan: CampaignPlan) -> None:
    assert read_plan(written_plan(plan), "campaign.toml") == plan


CUSTOM = 'name = "try"\nprotocol = "custom"\n[[questions]]\ncriterion = "politeness"\n'
OWN = CUSTOM + "scale = {minimum = 1, maximum = 4}\n"
GOLD = SMALL + '[[gold]]\nsegment = "1"\nsystem = "a"\nvalues = {overall = 6}\n'


def test_a_scale_of_your_own_is_a_declaration() -> None:
    plan = read_plan(OWN + 'labels = {"1" = "rude", "4" = "polite"}\n', "campaign.toml")
    scale = plan.scale("politeness")
    assert (scale.minimum, scale.maximum, scale.points) == (1, 4, 4)
    assert scale.labels == ((1, "rude"), (4, "polite"))
    assert plan.widget(plan.questions[0]) == "points"
    assert read_plan(written_plan(plan), "campaign.toml") == plan


def test_labels_can_be_said_anew() -> None:
    plan = plan_of(questions=(Question(criterion="fluency", labels={"5": "Einwandfreies Deutsch"}),))
    assert plan.scale("fluency").labels == ((5, "Einwandfreies Deutsch"),)
    assert (plan.scale("fluency").minimum, plan.scale("fluency").maximum) == (1, 5)


def test_what_has_been_shown_stays_in_sight() -> None:
    questions = [Question(criterion="fluency", show=("source",)), Question(criterion="adequacy", show=("reference",))]
    assert plan_of(questions=tuple(questions)).shown() == {"fluency": ("source",), "adequacy": ("source", "reference")}


def test_what_is_left_out_has_a_default() -> None:
    plan = read_plan(SMALL, "campaign.toml")
    assert (plan.unit, plan.assignment, plan.controls) == ("segment", Assignment(), Controls())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "is not TOML"),
        ('protocol = "sqm"\nquestions = []', "name is missing"),
        (SMALL.replace("criterion", "criterium"), r"no setting questions\[1\].criterium. Did you mean criterion"),
        ("sed = 1\n" + SMALL, "no setting sed. Did you mean seed"),
        ('seed = "1"\n' + SMALL, "seed is '1': it must be a whole number"),
        ("seed = true\n" + SMALL, "it must be a whole number"),
        ('unit = "page"\n' + SMALL, "must be one of segment, document"),
        ("questions = 1\n" + SMALL.partition("[[")[0], "questions must be a list"),
        (SMALL.replace("sqm", "sqn"), "there is no protocol 'sqn'"),
        (SMALL.replace("sqm", "ldc"), "has no criterion|write adequacy-fluency for ldc"),
        (SMALL.replace("overall", "fluency"), "sqm has no criterion 'fluency'"),
        (SMALL.replace("sqm", "mqm"), "mqm has no criterion 'overall'"),
        (SMALL.replace("sqm", "ranking"), "say how many stand together, such as together = 5"),
        (SMALL.replace("sqm", "task"), "task has no criterion 'overall'"),
        (SMALL.replace("sqm", "da") + 'widget = "points"\n', "take the widget slider"),
        (SMALL + '[[questions]]\ncriterion = "overall"\n', "each criterion is asked for once"),
        ("segments = 0\n" + SMALL, "segments is 0: it must be at least 1"),
        (SMALL + "[assignment]\nraters = 2\njudgements = 3\n", "nobody judges an item twice"),
        (SMALL + "[controls]\nrepeats = 2\n", "a share between 0 and 1"),
        ('target_language = "pt_BR"\n' + SMALL, "is not a language code"),
        (SMALL.partition("[[")[0] + "questions = []\n", "asks at least one question"),
        (CUSTOM, "has no scale with two ends.*add scale = "),
        (SMALL + "scale = {minimum = 1, maximum = 4}\n", "sqm has its own scale for overall"),
        (OWN.replace("4", "1"), "goes from 1 to 1: it must go up"),
        (OWN.replace("4", "inf"), "goes from 1 to inf"),
        (OWN.replace("4", "4.5"), "whole numbers only"),
        (OWN + 'labels = {"5" = "x"}\n', "beside 5, which is not a whole number from 1 to 4"),
        (OWN + 'labels = {"x" = "x"}\n', "beside 'x', which is not a number"),
        (OWN + "labels = {1 = 1}\n", r"questions\[1\].labels.1 is 1: it must be text"),
        (OWN + "labels = 1\n", r"questions\[1\].labels must be a table"),
        ('texts = "../texts.jsonl"\n' + SMALL, "texts is '../texts.jsonl': it is a file beside the campaign file"),
        (GOLD.replace("6", "7"), "overall is 7, which is not a number from 0 to 6"),
        (GOLD.replace("overall = 6", "adequacy = 6"), "nobody is asked for 'adequacy'"),
        (GOLD.replace("overall = 6", ""), "has no values"),
        (GOLD + GOLD.partition('overall"\n')[2], "an item is gold once"),
        (SMALL + '[controls]\nloud = ["gold"]\n', "loud names gold, and there is none"),
        (SMALL + '[controls]\nloud = ["all"]\n', "must be one of repeats, degraded, gold"),
        (SMALL + "[controls]\ntolerance = 2\n", "a share between 0 and 1"),
        (SMALL + '[controls]\nloud = ["repeats"]\n', "loud names repeats, and there are none: say repeats = 0.1"),
        (SMALL + '[controls]\nrepeats = 0.1\nloud = ["degraded"]\n', "loud names degraded, and there are none"),
        (SMALL + "[controls]\nrepeats = 0.6\ndegraded = 0.6\n", "take smaller shares"),
        (SMALL + "[assignment]\nraters = 999999999999\n", "assignment.raters is 1e.12: it must be at most 10,000"),
        (SMALL + "[assignment]\nhand_over_hours = nan\n", "assignment.hand_over_hours is nan"),
    ],
)
def test_what_is_wrong_with_a_file_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        read_plan(text, "some/campaign.toml")
    assert str(caught.value).startswith("some/campaign.toml")


def test_all_that_is_wrong_is_named_at_once() -> None:
    wrong_types = 'unit = "page"\nsed = 1\nseed = "1"\n' + SMALL.replace('name = "try"\n', "")
    with pytest.raises(ProblemsError) as caught:
        read_plan(wrong_types + 'show = ["source", "target"]\nwidget = 1\n', "campaign.toml")
    assert [problem.partition(": ")[2].partition(" is ")[0] for problem in caught.value.problems] == [
        "there",
        "name",
        "unit",
        "seed",
        "questions[1].show[2]",
        "questions[1].widget",
    ]
    wrong_values = GOLD.replace("overall = 6", "overall = 7").replace(
        "[[gold]]", '[[questions]]\ncriterion = "x"\n[[gold]]'
    )
    with pytest.raises(ProblemsError) as caught:
        read_plan(wrong_values + '[assignment]\nraters = 0\n[controls]\nrepeats = 2\nloud = ["degraded"]\n', "c.toml")
    expected = [
        "no criterion 'x'",
        "overall is 7",
        "raters is 0",
        "need as many",
        "repeats is 2",
        "together",
        "degraded",
    ]
    for problem, words in zip(caught.value.problems, expected, strict=True):
        assert problem.startswith("c.toml: ")
        assert words in problem


def test_points_are_shown_where_there_are_few() -> None:
    plan = plan_of()
    assert [plan.widget(question) for question in plan.questions] == ["points", "points"]
    slider = plan_of(protocol="da", questions=(Question(criterion="overall", show=("source",)),))
    assert slider.widget(slider.questions[0]) == "slider"
    sqm = plan_of(protocol="sqm", questions=(Question(criterion="overall", show=("source",)),))
    assert sqm.widget(sqm.questions[0]) == "points"
    fraction = read_plan(OWN.replace("4}", "4, whole = false}"), "campaign.toml")
    assert fraction.widget(fraction.questions[0]) == "slider"
    chosen = plan_of(questions=(Question(criterion="fluency", widget="slider"),))
    assert chosen.widget(chosen.questions[0]) == "slider"
