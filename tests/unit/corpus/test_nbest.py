"""n-best lists from files: what is read, and what is refused with file, line and remedy."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from karat.corpus import nbest as module
from karat.corpus.nbest import NbestFile, NbestList
from karat.errors import InputError


def lists_of(path: Path, **options: Any) -> list[NbestList]:
    return [entry for block in NbestFile(str(path), **options).blocks() for entry in block.lists]


def jsonl(directory: Path, *records: Any) -> Path:
    path = directory / "nbest.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "record",
    [
        {"segment": 7, "hypotheses": ["a", ""], "log_probabilities": [-1, -2.5]},
        {"id": "7", "candidates": [{"text": "a", "logprob": -1}, {"hypothesis": "", "score": -2.5}], "other": 1},
    ],
)
def test_json_lines_are_read_under_their_names(record: dict[str, Any], tmp_path: Path) -> None:
    (found,) = lists_of(jsonl(tmp_path, record))
    assert (found.segment, found.hypotheses, found.log_probabilities) == ("7", ("a", ""), (-1.0, -2.5))


def test_json_lines_without_labels_are_numbered(tmp_path: Path) -> None:
    found = lists_of(jsonl(tmp_path, {"hypotheses": ["a"]}, {"hypotheses": ["b", "c"]}))
    assert [(one.segment, one.log_probabilities) for one in found] == [("1", None), ("2", None)]


@pytest.mark.parametrize("at_once", [1, 3, 256])
def test_lines_of_text_are_cut_into_segments(at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LISTS_AT_ONCE", at_once)
    path, numbers = tmp_path / "nbest.txt", tmp_path / "log.txt"
    path.write_text("".join(f"line {i}\n" for i in range(12)), encoding="utf-8")
    numbers.write_text("".join(f"-{i}.5\n" for i in range(12)), encoding="utf-8")
    found = lists_of(path, per_segment=2, log_probabilities=str(numbers))
    assert [one.segment for one in found] == list("123456")
    assert found[2].hypotheses == ("line 4", "line 5")
    assert found[2].log_probabilities == (-4.5, -5.5)
    assert found[2].where.endswith("nbest.txt, line 5")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"hypotheses": []}', "line 2: the segment has no hypothesis"),
        ('{"hypotheses": "a"}', "line 2: the hypotheses must be a list"),
        ('{"hypotheses": ["a", 5]}', "line 2: hypothesis 2 is not a text"),
        ('{"hypotheses": ["a", {"score": -1}]}', "line 2: hypothesis 2 is not a text"),
        ('{"hypothesis": ["a"]}', "line 2: there is no field hypotheses.* the fields are: hypothesis"),
        ('{"hypotheses": ["a"], "candidates": ["b"]}', "hypotheses and candidates are the same thing"),
        ('{"hypotheses": ["a"], "scores": [-1, -2]}', "line 2: 1 hypotheses, but 2 log-probabilities"),
        ('{"hypotheses": ["a"], "scores": []}', "line 2: 1 hypotheses, but 0 log-probabilities"),
        ('{"hypotheses": ["a"], "scores": [null]}', "line 2: a log-probability must be a number, not null"),
        ('{"hypotheses": ["a"], "scores": ["x"]}', "line 2: a log-probability must be a number, not 'x'"),
        ('{"hypotheses": ["a"], "scores": [null]}', "line 2: a log-probability must be a number"),
        ('{"hypotheses": ["a"], "scores": [true]}', "line 2: a log-probability must be a number"),
        ('{"hypotheses": ["a"], "scores": [0.3]}', "line 2: 0.3 is no log-probability"),
        ('{"hypotheses": ["a"], "scores": [-Infinity]}', "line 2: the log-probability -inf is not finite"),
        ('{"hypotheses": ["a"], "scores": -1}', "line 2: the log-probabilities must be a list"),
        ('{"hypotheses": [{"text": "a", "score": -1}, "b"]}', "line 2: hypothesis 2 has no log-probability"),
        ('{"hypotheses": [{"text": "a", "score": -1}], "scores": [-1]}', "line 2: log-probabilities are there twice"),
        ('{"hypotheses": ["a"], "segment": [1]}', "line 2: the segment must be named"),
        ('{"hypotheses": ["a"], "segment": "1"}', "line 2: segment 1 is there twice, the first time in .* line 1"),
        ('["a"]', "line 2: expected a JSON object"),
        ('{"hypotheses": ["a"', "line 2, column .*: not valid JSON"),
        ('\n{"hypotheses": ["a"]}', "line 2: the line is blank"),
    ],
)
def test_bad_json_lines_are_refused(line: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "nbest.jsonl"
    path.write_text(f'{{"segment": 1, "hypotheses": ["a"]}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match=rf"nbest\.jsonl.*{message}|{message}"):
        lists_of(path)


@pytest.mark.parametrize(
    ("lines", "numbers", "per_segment", "message"),
    [
        (5, None, 2, r"nbest\.txt has 5 lines, which 2 hypotheses a segment do not divide.* from line 5 on, has 1"),
        (0, None, 2, r"nbest\.txt is empty"),
        (4, None, None, r"nbest\.txt: say with -k"),
        (4, "-1\n-2\n-3\n", 2, r"log\.txt ends after line 3"),
        (4, "-1\n-2\n-3\n-4\n-5\n", 2, r"log\.txt has 5 log-probabilities, but .*nbest\.txt has 4"),
        (4, "-1\n-2\ntwo\n-4\n", 2, r"log\.txt, line 3: 'two' is no number"),
        (4, "-1\n\n-2\n-4\n", 2, r"log\.txt, line 2: '' is no number"),
        (4, "-1\n-2\n2\n-4\n", 2, r"log\.txt, line 3: 2 is no log-probability"),
        (4, "-1\n-2\nnan\n-4\n", 2, r"log\.txt, line 3: the log-probability nan is not finite"),
    ],
)
def test_bad_text_lists_are_refused(
    lines: int, numbers: str | None, per_segment: int | None, message: str, tmp_path: Path
) -> None:
    path = tmp_path / "nbest.txt"
    path.write_text("a\n" * lines, encoding="utf-8")
    values = None
    if numbers is not None:
        values = str(tmp_path / "log.txt")
        Path(values).write_text(numbers, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        lists_of(path, per_segment=per_segment, log_probabilities=values)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"per_segment": 2}, "list of its own: leave out -k"), ({"log_probabilities": "x.txt"}, "leave out their file")],
)
def test_json_needs_no_options(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        lists_of(jsonl(tmp_path, {"hypotheses": ["a"]}), **options)
