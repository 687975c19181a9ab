"""TuneResult METEOR: it finds the parameter that judgements were made with, is repeatable, and says what is wrong."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from karat.cli.tune import command
from karat.errors import InputError
from karat.metrics.meteor import Meteor
from karat.results.tuning import TuneResult
from karat.sample import path as sample_path
from karat.service.inputs import CorpusFile
from karat.service.tuning import TuningRequest, tune

CORPUS = str(sample_path() / "corpus.jsonl")
RATINGS = str(sample_path() / "ratings.tsv")
START = Meteor(language="en", modules="exact+stem", function_words="none")

Tune = Callable[..., TuneResult]


def tuned(**changes: object) -> TuneResult:
    parts = {"texts": CorpusFile(CORPUS), "judgements": RATINGS, "metric": START, "criterion": "adequacy", "starts": 1}
    return tune(TuningRequest(**{**parts, **changes}))


def test_agreement_grows_on_what_was_tuned_on() -> None:
    found = tuned()
    assert found.after.tuned_on > found.before.tuned_on
    assert (found.systems, found.segments) == (4, (95, 32))
    assert found == tuned()
    assert found.segments[1] == tuned(seed=1).segments[1]


def test_judgements_made_by_a_formula_are_matched(tmp_path: Path) -> None:
    """People who are METEOR with other parameters are agreed with perfectly, or nearly so."""
    from karat.corpus import read_corpus

    corpus = read_corpus(CORPUS)
    judge = Meteor(language="en", modules="exact+stem", function_words="none", alpha=0.25, gamma=0.1)
    lines = ["system\tsegment\tscore"]
    for name, column in corpus.systems.items():
        scores = judge.prepare(corpus.references_for(name)).rows(column).unit_scores()
        lines += [f"{name}\t{number}\t{float(score)!r}" for number, score in enumerate(scores, 1)]
    file = tmp_path / "scores.tsv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    found = tuned(judgements=str(file), criterion=None)
    assert found.after.held_out > max(0.99, found.before.held_out)
    assert found.parameters["alpha"] < START.values.alpha


@pytest.mark.parametrize("measure", ["spearman", "kendall"])
@pytest.mark.parametrize("level", ["segment", "system"])
def test_other_measures_and_levels(measure: str, level: str) -> None:
    found = tuned(measure=measure, level=level, metric=Meteor(language="en", modules="exact", function_words="none"))
    assert -1 <= found.before.tuned_on <= found.after.tuned_on <= 1
    assert np.isfinite([found.before.held_out, found.after.held_out]).all()


def test_the_command_prints_a_spec_and_json() -> None:
    arguments = ["meteor", "--corpus", CORPUS, "--judgements", RATINGS, "--criterion", "adequacy", "--starts", "1"]
    arguments += ["-m", START.spec]
    text = CliRunner().invoke(command, arguments, catch_exceptions=False).output
    document = json.loads(CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False).output)
    assert text.splitlines()[0] == document["metric"]
    assert document["schema"] == 2
    assert set(document["after"]) == {"tuned_on", "held_out"}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"criterion": None}, "choose one with --criterion"),
        ({"criterion": "fidelity"}, "no ratings of 'fidelity'"),
        ({"held_out": 1.0}, "between 0 and 1"),
        ({"starts": 0}, "at least one start"),
    ],
)
def test_what_cannot_be_tuned_is_said(changes: dict[str, object], problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        tuned(**changes)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("system\tsegment\tscore\nother\t1\t3\n", "none of 4 systems"),
        ("system\tsegment\tscore\nneural\tx9\t3\n", "none of 1 segment"),
        ("system\tsegment\tscore\nneural\t1\t3\nneural\t2\t4\n", "too few"),
        ("segment\tscore\n1\t3\n", "scores.tsv.*system"),
    ],
)
def test_files_that_do_not_fit_are_named(tmp_path: Path, content: str, problem: str) -> None:
    file = tmp_path / "scores.tsv"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=problem):
        tuned(judgements=str(file), criterion=None)


def test_a_negative_seed_is_refused() -> None:
    result = CliRunner().invoke(command, ["meteor", "--corpus", CORPUS, "--judgements", RATINGS, "--seed", "-1"])
    assert result.exit_code == 2
    assert "--seed" in result.output


def test_only_meteor_is_tuned() -> None:
    with pytest.raises(InputError, match="bleu has no parameters"):
        CliRunner().invoke(
            command, ["meteor", "--corpus", CORPUS, "--judgements", RATINGS, "-m", "bleu"], catch_exceptions=False
        )
