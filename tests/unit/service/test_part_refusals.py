"""What parts have in common, and what is refused or said of their texts: the same as of one corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.parts import rows

from karat.corpus.streams import decoders
from karat.corpus.streams.batches import BATCH_ROWS
from karat.errors import InputError
from karat.service.inputs import CorpusFile
from karat.service.scaling import ScaleRequest, score_parts
from karat.service.scoring import ScoreRequest, score_systems


def run(corpus: Path | str, out: Path, **changes: Any) -> Path:
    score_parts(ScaleRequest(corpus=str(corpus), out=str(out), **{"metrics": ("chrf",), "workers": 2} | changes))
    return out


def records(path: Path, frame: pl.DataFrame, document_from: int | None) -> Path:
    """Lines of JSON, of which those from a row on have a document."""
    lines = list(frame.to_dicts())
    for record in lines[document_from:] if document_from is not None else ():
        record["document"] = "d"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_conditions_that_differ_in_the_last_digit_are_other_runs(tmp_path: Path) -> None:
    rows(30).write_parquet(tmp_path / "t.parquet")
    out = run(tmp_path / "t.parquet", tmp_path / "out", conditions=("chrf>40.12345671",))
    with pytest.raises(InputError, match=r"with where \['chrf>40.12345671'\] instead of \['chrf>40.12345679'\]"):
        run(tmp_path / "t.parquet", out, conditions=("chrf>40.12345679",))


@pytest.mark.parametrize("dropped", ["hypothesis", "reference"])
def test_texts_without_a_side_are_refused(dropped: str, tmp_path: Path) -> None:
    rows(30).drop(dropped).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="no system's output" if dropped == "hypothesis" else "reference"):
        run(tmp_path / "t.parquet", tmp_path / "out")
    assert not (tmp_path / "out" / "manifest.json").exists()


def without_text(name: str) -> pl.Expr:
    """The column with null in its eighth row."""
    return pl.when(pl.int_range(pl.len()) == 7).then(None).otherwise(pl.col(name)).alias(name)


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (rows(30).drop("hypothesis"), r"b\.parquet has no hypothesis, unlike .*a\.parquet"),
        (rows(30).rename({"hypothesis": "system:a"}), r"b\.parquet has no hypothesis and also system:a, unlike"),
        (rows(30).with_columns(reference=pl.lit(4)), r"b\.parquet, row 1: reference must be text, not the number 4"),
        (rows(30).with_columns(without_text("source")), r"b\.parquet, row 8: there is no source here \(null\)"),
        (rows(30).with_columns(without_text("reference")), r"b\.parquet, row 8: there is no reference here \(null\)"),
        (rows(30).with_columns(without_text("hypothesis")), r"b\.parquet, row 8: system hypothesis has no hypothesis"),
    ],
    ids=["missing", "other-systems", "number", "no-source", "no-reference", "no-hypothesis"],
)
def test_a_part_that_does_not_fit_is_named_by_its_row(second: pl.DataFrame, message: str, tmp_path: Path) -> None:
    rows(30).write_parquet(tmp_path / "a.parquet")
    second.write_parquet(tmp_path / "b.parquet")
    with pytest.raises(InputError, match=message):
        run(tmp_path / "*.parquet", tmp_path / "out")
    assert not (tmp_path / "out" / "manifest.json").exists()


@pytest.mark.parametrize("document_from", [0, BATCH_ROWS])
def test_a_label_that_only_some_have_is_refused(document_from: int, tmp_path: Path) -> None:
    frame = rows(BATCH_ROWS + 5)
    if document_from == 0:
        records(tmp_path / "a.jsonl", frame.head(5), None)
    records(tmp_path / "b.jsonl", frame, document_from)
    with pytest.raises(InputError, match=r"b\.jsonl, row \d+: from here on there is a document, but .*\.jsonl"):
        run(tmp_path / "*.jsonl", tmp_path / "out")
    assert not (tmp_path / "out" / "manifest.json").exists()


def test_a_label_without_values_is_no_label(tmp_path: Path) -> None:
    frame = rows(40).with_columns(doc=pl.lit(None, dtype=pl.String), id=pl.lit(None, dtype=pl.String))
    frame.write_parquet(tmp_path / "t.parquet")
    out = run(tmp_path / "t.parquet", tmp_path / "out")
    whole = score_systems(ScoreRequest(texts=CorpusFile(str(tmp_path / "t.parquet")), metrics=("chrf",)))
    assert score_systems(ScoreRequest(stored=str(out))).scores[0].score == whole.scores[0].score
    with pytest.raises(InputError, match="not every segment has a document"):
        score_systems(ScoreRequest(stored=str(out), level="document"))


def test_carried_columns_have_one_type(tmp_path: Path) -> None:
    frame = rows(10).with_columns(n=pl.int_range(10))
    frame.write_parquet(tmp_path / "0.parquet")
    frame.with_columns(pl.col("n").cast(pl.String)).write_parquet(tmp_path / "1.parquet")
    with pytest.raises(InputError, match=r"--keep n: the column is Int64 in .*0\.parquet, but String in .*1\.parquet"):
        run(tmp_path / "*.parquet", tmp_path / "out", carried=("n",))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"carried": ("domain",)}, "--keep domain: .* has no such column"),
        ({"groups": ("document",)}, "--group-by document: .* has no such column"),
        ({"systems": ("other",)}, "there is no system 'other' in"),
        ({"units": "any"}, "--ci: sums of whole systems have no intervals: add --keep-rows"),
        ({"units": "document", "keep_rows": True}, "--level document: nothing tells documents apart"),
    ],
)
def test_what_would_be_refused_in_the_end_is_refused_first(
    changes: dict[str, Any], message: str, tmp_path: Path
) -> None:
    rows(30).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match=message):
        run(tmp_path / "t.parquet", tmp_path / "out", **changes)
    assert not (tmp_path / "out").exists()


def test_post_edits_are_not_left_out_in_silence(tmp_path: Path) -> None:
    frame = rows(30).rename({"hypothesis": "system:a"})
    frame.with_columns(pl.col("reference").alias("post_edit:a")).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(InputError, match="add --post-edits instead"):
        run(tmp_path / "t.parquet", tmp_path / "out", metrics=("hter",))


def suspicious(count: int) -> pl.DataFrame:
    """Hypotheses that are empty, copied, broken, spaced, or those of the reference."""
    frame = rows(count)
    number = pl.int_range(count) % 3000
    odd = (
        pl.when(number == 7)
        .then(pl.lit(""))
        .when(number == 9)
        .then(pl.lit("a\rb"))
        .when(number == 11)
        .then(pl.lit("a\ufffdb"))
        .when(number < 1000)
        .then(pl.col("source") + " is long enough to be copied")
        .otherwise(pl.col("hypothesis") + " .")
    )
    return frame.select(
        pl.col("source") + " is long enough to be copied",
        "reference",
        odd.alias("system:odd"),
        pl.col("reference").alias("system:same"),
    )


@pytest.mark.parametrize("metric", ["chrf", "hter"])
def test_texts_are_warned_about_as_those_of_a_whole(metric: str, tmp_path: Path) -> None:
    suspicious(3 * BATCH_ROWS + 70).write_parquet(tmp_path / "t.parquet")
    out = run(tmp_path / "t.parquet", tmp_path / "out", metrics=(metric,), part_rows=BATCH_ROWS)
    whole = score_systems(ScoreRequest(texts=CorpusFile(str(tmp_path / "t.parquet")), metrics=(metric,)))
    expected = {(said.code, said.message) for said in whole.warnings}
    codes = {code for code, _ in expected}
    assert {"empty", "untranslated", "tokenized", "carriage-return", "identical-to-reference"} <= codes
    assert ("no-post-edits" in codes) == (metric == "hter")
    assert {(said.code, said.message) for said in score_systems(ScoreRequest(stored=str(out))).warnings} == expected


def test_a_condition_on_a_formula_for_corpora_is_warned_about(tmp_path: Path) -> None:
    rows(30).write_parquet(tmp_path / "t.parquet")
    out = run(tmp_path / "t.parquet", tmp_path / "out", metrics=("bleu",), conditions=("bleu>10",))
    (said,) = score_systems(ScoreRequest(stored=str(out))).warnings
    assert said.code == "corpus-formula"


def test_a_decoder_that_is_killed_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows(BATCH_ROWS + 9).write_parquet(tmp_path / "t.parquet")
    frames, killed = decoders._Decoder.frames, []

    def kill_once(self: Any, request: dict[str, Any], name: str) -> Iterator[pl.DataFrame]:
        if "start" in request and not killed:
            killed.append(self._process.pid)
            self._process.kill()
            self._process.wait()
        yield from frames(self, request, name)

    monkeypatch.setattr(decoders._Decoder, "frames", kill_once)
    out = run(tmp_path / "t.parquet", tmp_path / "out")
    assert len(killed) == 1
    assert pl.read_parquet(out / "parts").height == BATCH_ROWS + 9


def test_a_decoder_that_always_ends_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows(9).write_parquet(tmp_path / "t.parquet")

    def ended(_: Any, request: dict[str, Any], name: str) -> Iterator[pl.DataFrame]:
        if "start" in request:
            raise decoders._refusal(name, {})
        yield pl.DataFrame({"name": ["reference", "hypothesis"], "kind": ["String"] * 2, "rows": [9, 9]})

    monkeypatch.setattr(decoders._Decoder, "frames", ended)
    with pytest.raises(InputError, match=r"3 attempts failed, the last with: .*t\.parquet cannot be read"):
        run(tmp_path / "t.parquet", tmp_path / "out")
