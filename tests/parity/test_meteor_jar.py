"""METEOR beside its program on real segments: all statistics of every segment are equal."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from tests.oracles.meteor_jar import statistics

from karat.metrics.meteor import Meteor

# Snowball 3 stems these otherwise than the Snowball of 2014 that the program has.
CHANGED_STEMS = re.compile(
    r"\b(add|added|adding|adds|err\w*|evening\w*|emergen\w*|inter(n|f|v)\w*|lying\w*|organ\w*|univers\w*|\w+log\w*|"
    r"past\w*|skis?|ear\w*|eye\w*|egg\w*|odd\w*|inn\w*|out\w*|gener\w*|commun\w*|arsen\w*|sky|skies|news|\w*'\w*)\b"
)


def lines(path: Path, count: int) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:count]


def english(shared_data: Path, count: int) -> tuple[list[str], list[str]]:
    directory = shared_data / "compare-mt-example"
    return lines(directory / "ted.sys1.detok.eng", count), lines(directory / "ted.ref.detok.eng", count)


def test_english_segments_without_stems(shared_data: Path) -> None:
    hypotheses, references = english(shared_data, 200)
    modules = "exact+synonym"
    expected = statistics(hypotheses, [[line] for line in references], modules, "-l", "en", "-norm")
    assert np.array_equal(Meteor(modules=modules).prepare(references).values(hypotheses), expected)


@pytest.mark.parity
def test_english_segments_with_everything(shared_data: Path) -> None:
    hypotheses, references = english(shared_data, 2000)
    same = [
        k
        for k, pair in enumerate(zip(hypotheses, references, strict=True))
        if not CHANGED_STEMS.search(" ".join(pair).lower())
    ]
    hypotheses, references = [hypotheses[k] for k in same], [references[k] for k in same]
    assert len(same) > 500
    expected = statistics(hypotheses, [[line] for line in references], "", "-l", "en", "-norm")
    rows = Meteor().prepare(references).rows(hypotheses)
    assert np.array_equal(rows.values, expected)


@pytest.mark.parametrize("number", [150, pytest.param(1000, marks=pytest.mark.parity)])
def test_german_segments_with_two_references(shared_data: Path, number: int) -> None:
    directory = shared_data / "wmt21-news-ende"
    system = sorted((directory / "system-outputs").glob("*.txt"))[0]
    hypotheses, *streams = [
        lines(path, number) for path in (system, *(directory / "references" / f"ref{name}.de" for name in "AC"))
    ]
    references = [list(pair) for pair in zip(*streams, strict=True)]
    expected = statistics(hypotheses, references, "exact", "-l", "de", "-norm")
    one = Meteor(language="de", modules="exact", function_words="released")
    assert np.array_equal(one.prepare(references).values(hypotheses), expected)


@pytest.mark.parametrize("number", [150, pytest.param(1000, marks=pytest.mark.parity)])
def test_czech_segments(shared_data: Path, number: int) -> None:
    """Sources stand for hypotheses here, shifted by one: what counts is the text."""
    source = lines(shared_data / "wmt21-da-csen" / "source.cs", number + 1)
    hypotheses, references = [f"{one} {other}" for one, other in pairwise(source)], source[1:]
    expected = statistics(hypotheses, [[line] for line in references], "exact", "-l", "cz", "-norm")
    one = Meteor(language="cs", modules="exact", function_words="released")
    assert np.array_equal(one.prepare(references).values(hypotheses), expected)
