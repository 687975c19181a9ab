"""The segments that kinds of words lead to: those in which systems differ most in their errors on them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from karat.analysis.words import MOST_SEGMENTS, WordBucket
from karat.service.analysing import WordsRequest, analyse_words
from karat.service.inputs import Files


def bucket(tmp_path: Path, texts: dict[str, list[str]], wanted: str) -> WordBucket:
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    systems = tuple((name, str(tmp_path / name)) for name in texts if name != "ref")
    request = WordsRequest(texts=Files((str(tmp_path / "ref"),), systems), by=("case",))
    return next(one for one in analyse_words(request).words.bucketings[0].buckets if one.label == wanted)


def errors(hypothesis: str, reference: str) -> int:
    both = Counter(hypothesis.split()), Counter(reference.split())
    return sum(((both[0] - both[1]) + (both[1] - both[0])).values())


def test_where_systems_differ_most_comes_first_and_there_are_no_more_than_a_page_can_hold(tmp_path: Path) -> None:
    reference = ["a b c d e f"] * 120
    first = [line.replace("a", "x") if place % 3 else line for place, line in enumerate(reference)]
    second = [line.replace("b c", "y z") if place % 5 == 0 else line for place, line in enumerate(reference)]
    found = bucket(tmp_path, {"ref": reference, "first": first, "second": second}, "lower")
    apart = [
        abs(errors(one, line) - errors(other, line)) for one, other, line in zip(first, second, reference, strict=True)
    ]
    assert list(found.segments) == sorted(range(120), key=lambda place: -apart[place])[:MOST_SEGMENTS]


@pytest.mark.parametrize("systems", [1, 2])
def test_where_none_differ_it_is_where_errors_are_and_else_where_the_words_are(tmp_path: Path, systems: int) -> None:
    reference = ["a b c", "A a b", "c d e"]
    output = ["a b x", "A a b", "c d e"]
    texts = {"ref": reference, **{f"system{number}": output for number in range(systems)}}
    assert bucket(tmp_path, texts, "lower").segments == (0,)
    assert bucket(tmp_path, texts, "Capitalised").segments == (1,)
