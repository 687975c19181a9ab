"""Scoring part by part: the bits of a whole, whatever order, however often begun, and nothing mixed up."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.parts import digest, rows, write_parts

import karat
from karat.engine import part_scoring, parts
from karat.engine.executor import ATTEMPTS, ThreadExecutor
from karat.errors import InputError
from karat.metrics.combined import features_digest
from karat.service.comparing import CompareRequest, PowerRequest, RankRequest, compare_systems, plan, rank_systems
from karat.service.inputs import CorpusFile
from karat.service.requests import EvidenceRequest
from karat.service.scaling import ScaleRequest, score_parts
from karat.service.scoring import ScoreRequest, score_systems
from karat.significance import Options, Resampling

METRICS = ("bleu", "chrf", "ter", "meteor", "nist")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of 64 rows, in blocks of 16."""
    monkeypatch.setattr("karat.corpus.streams.batches.TableFile.batches.__defaults__", (0, None, 16))
    monkeypatch.setattr("karat.corpus.streams.testset.BATCH_ROWS", 16)
    monkeypatch.setattr(parts, "BATCH_ROWS", 16)
    monkeypatch.setattr("karat.rows.SUM_BLOCK", 16)


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    write_parts(tmp_path / "in", files=3, count=150)
    return tmp_path / "in"


def run(corpus: Path | str, out: Path, **changes: Any) -> Path:
    pattern = str(corpus / "*.parquet") if isinstance(corpus, Path) and corpus.is_dir() else str(corpus)
    given = {"metrics": ("chrf",), "part_rows": 64, "workers": 2} | changes
    score_parts(ScaleRequest(corpus=pattern, out=str(out), **given))
    return out


def scored(out: Path, **changes: Any) -> dict[tuple[str, str], float]:
    result = score_systems(ScoreRequest(stored=str(out), **changes))
    return {(one.system, one.spec): one.score for one in result.scores}


def plain(corpus: Path | str, metrics: tuple[str, ...]) -> dict[tuple[str, str], float]:
    result = score_systems(ScoreRequest(texts=CorpusFile(str(corpus)), metrics=metrics))
    return {(one.system, one.spec): one.score for one in result.scores}


@pytest.fixture
def written() -> Iterator[list[str]]:
    """The parts that were scored, as they are written."""
    keys: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        write = part_scoring.PartStore.write

        def noted(self: Any, directory: str, key: str, frame: pl.DataFrame) -> None:
            if directory == "sums":
                keys.append(key)
            write(self, directory, key, frame)

        patch.setattr(part_scoring.PartStore, "write", noted)
        yield keys


@pytest.mark.long
def test_parts_have_the_scores_of_the_whole(corpus: Path, tmp_path: Path) -> None:
    out = run(corpus, tmp_path / "out", metrics=METRICS)
    assert len(digest(out)) == 2 * 9
    whole = plain(corpus / "*.parquet", METRICS)
    mine = scored(out)
    assert mine.keys() == whole.keys()
    for key, score in whole.items():
        assert mine[key] == (score if key[1] in ("bleu", "chrf") else pytest.approx(score, rel=1e-12))
    frame = pl.read_parquet(out / "parts").sort("file", "row")
    texts = pl.read_parquet(corpus)
    alone = karat.score(texts["hypothesis"], texts["reference"], METRICS)
    for spec in METRICS:
        assert frame[spec].to_list() == alone[spec].segments.tolist()


def test_threads_duplicates_and_the_order_of_files_change_no_bit(corpus: Path, tmp_path: Path) -> None:
    frame = pl.read_parquet(corpus / "part-01.parquet")
    pl.concat([frame, frame.sample(60, seed=1)]).write_parquet(corpus / "part-01.parquet")
    one = digest(run(corpus, tmp_path / "one", metrics=("chrf", "ter"), workers=1))
    two = digest(run(corpus, tmp_path / "two", metrics=("chrf", "ter"), dedupe=True))
    assert one == two
    with pytest.MonkeyPatch.context() as patch:
        found = sorted(map(str, corpus.glob("*")), reverse=True)
        patch.setattr("karat.corpus.streams.files.sorted", lambda _: found, raising=False)
        assert digest(run(corpus, tmp_path / "three", metrics=("chrf", "ter"))) == one


@pytest.mark.parametrize("suffix", ["jsonl", "tsv", "jsonl.gz"])
def test_formats_that_are_read_from_the_start(suffix: str, tmp_path: Path) -> None:
    frame = rows(150)
    path = tmp_path / f"c.{suffix}"
    if suffix == "tsv":
        frame.write_csv(path, separator="\t", quote_style="never")
    elif suffix == "jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_ndjson(path, compression="gzip", check_extension=False)
    out = run(path, tmp_path / "out")
    assert scored(out)["hypothesis", "chrf"] == next(iter(plain(path, ("chrf",)).values()))
    assert [json.loads(text)["last"] for text in sorted(pl.read_parquet(out / "sums")["part"])].count(True) == 1


def test_long_form(tmp_path: Path) -> None:
    one = rows(100).with_columns(segment=pl.int_range(100), system=pl.lit("a"))
    other = one.with_columns(hypothesis=pl.col("reference").str.slice(3), system=pl.lit("b"))
    pl.concat([one, other]).sort("segment").write_parquet(tmp_path / "l.parquet")
    out = run(tmp_path / "l.parquet", tmp_path / "out", metrics=("bleu", "nist"), keep_rows=True)
    assert scored(out) == pytest.approx(plain(tmp_path / "l.parquet", ("bleu", "nist")), rel=1e-12)
    compared = compare_systems(CompareRequest(evidence=EvidenceRequest(stored=str(out)), options=Options(n=200)))
    assert compared.parts[0].measures[0].comparisons[0].system == "b"
    pl.concat([one, other[:-1]]).write_parquet(tmp_path / "l.parquet")
    with pytest.raises(InputError, match="system a has 100 segments, but b has 99"):
        run(tmp_path / "l.parquet", tmp_path / "short")
    assert not (tmp_path / "short" / "manifest.json").exists()


def test_a_run_goes_on_where_it_was_stopped(corpus: Path, tmp_path: Path, written: list[str]) -> None:
    whole = digest(run(corpus, tmp_path / "whole"))
    assert len(written) == 9
    out = run(corpus, tmp_path / "out")
    (out / "manifest.json").unlink()
    lost = sorted((out / "sums").iterdir())[3]
    lost.unlink()
    (out / "parts" / ".karat-0.partial").write_bytes(b"half")
    written.clear()
    run(corpus, out)
    assert written == [lost.stem]
    assert digest(out) == whole
    assert not list(out.rglob("*.partial"))


def test_texts_that_may_have_changed_are_read_again(corpus: Path, tmp_path: Path, written: list[str]) -> None:
    out = run(corpus, tmp_path / "out")
    written.clear()
    os.utime(corpus / "part-01.parquet", ns=(1, 1))
    run(corpus, out)
    assert written == []
    path = tmp_path / "in.jsonl"
    rows(150).write_ndjson(path)
    out = run(path, tmp_path / "lines")
    path.write_bytes(path.read_bytes().replace(b"ba", b"ab", 1))
    with pytest.raises(InputError, match=r"in\.jsonl, rows 1 to 64 have changed since they were scored"):
        run(path, out)
    path.write_bytes(path.read_bytes()[:-50])
    with pytest.raises(InputError, match=r"in\.jsonl has changed since parts of it were scored"):
        run(path, out)


def test_parts_of_another_run_are_refused(corpus: Path, tmp_path: Path) -> None:
    out = run(corpus, tmp_path / "out")
    for changes, problem in (
        ({"metrics": ("bleu",)}, "with metrics"),
        ({"metrics": ("chrf(word_order=2)",)}, "with metrics"),
        ({"part_rows": 128}, "with part-rows 64 instead of 128"),
        ({"keep_rows": True}, "with keep-rows False instead of True"),
        ({"conditions": ("chrf>1",)}, "with where"),
    ):
        with pytest.raises(InputError, match=f"holds parts of another run, {problem}"):
            run(corpus, out, **changes)
    rows(10).write_parquet(corpus / "part-99.parquet")
    with pytest.raises(InputError, match=r"holds parts of other files than these \(part-99\.parquet is"):
        run(corpus, out)
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="holds no parts that karat wrote"):
        run(corpus, foreign)
    assert [path.name for path in foreign.iterdir()] == ["thesis.txt"]


def test_a_poisoned_row_is_named_and_leaves_the_finished_parts(corpus: Path, tmp_path: Path) -> None:
    def score(hypothesis: str, _: Any) -> float:
        if hypothesis == "poison":
            raise RuntimeError("it hurts")
        return 1.0

    metric = karat.metric_from(score, name="fragile", version="1")
    frame = pl.read_parquet(corpus / "part-02.parquet")
    poisoned = [*frame["hypothesis"][:100], "poison", *frame["hypothesis"][101:]]
    frame.with_columns(hypothesis=pl.Series(poisoned)).write_parquet(corpus / "part-02.parquet")
    with pytest.raises(InputError, match=r"part-02\.parquet, row 101: .*it hurts"):
        run(corpus, tmp_path / "out", metrics=(metric,), workers=1)
    assert len(list((tmp_path / "out" / "sums").iterdir())) in (7, 8)
    assert not (tmp_path / "out" / "manifest.json").exists()
    with pytest.raises(InputError, match="is not complete: run the command that wrote it again"):
        scored(tmp_path / "out")


def test_what_may_pass_is_tried_again(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write, failures = part_scoring.PartStore.write, [OSError("a cable"), OSError("a plug")]

    def failing(self: Any, *arguments: Any) -> None:
        if failures:
            raise failures.pop()
        write(self, *arguments)

    monkeypatch.setattr(part_scoring.PartStore, "write", failing)
    run(corpus, tmp_path / "out", workers=1)
    failures[:] = [OSError("a fire")] * ATTEMPTS
    with pytest.raises(InputError, match=r"part-00\.parquet, rows 1 to 64: 3 attempts failed.*a fire"):
        run(corpus, tmp_path / "other", workers=1)


def test_only_what_passes_is_written_and_sums_cover_all(corpus: Path, tmp_path: Path) -> None:
    out = run(corpus, tmp_path / "out", conditions=("chrf>70", "ter<=40"), metrics=("chrf", "ter"))
    frame = pl.read_parquet(out / "parts")
    assert 0 < frame.height < 450
    assert frame["chrf"].min() > 70
    assert frame["ter"].max() <= 40
    assert scored(out) == pytest.approx(plain(corpus / "*.parquet", ("chrf", "ter")), rel=1e-12)
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["written"] == "segments that pass --where; sums cover all"
    with pytest.raises(InputError, match="score with --keep-rows"):
        scored(out, intervals=Resampling(n=100))
    with pytest.raises(InputError, match="ter is not among the metrics: chrf"):
        run(corpus, tmp_path / "x", conditions=("ter>1",))
    with pytest.raises(InputError, match="write METRIC>NUMBER"):
        run(corpus, tmp_path / "x", conditions=("chrf",))


def two_systems(tmp_path: Path) -> Path:
    labels = {"document": [f"d{i // 10}" for i in range(150)], "lang": ["de", "fr"] * 75, "when": [7] * 150}
    frame = rows(150, 1, **labels)
    worse = frame["hypothesis"].str.replace("ba", "x")
    path = tmp_path / "two.parquet"
    frame.rename({"hypothesis": "system:a"}).with_columns(**{"system:b": worse}).write_parquet(path)
    return path


def test_tests_from_rows_are_those_from_texts(tmp_path: Path) -> None:
    path = two_systems(tmp_path)
    out = run(path, tmp_path / "out", metrics=("bleu", "ter"), keep_rows=True, carried=("when",))
    assert pl.read_parquet(out / "parts")["when"].dtype == pl.Int64
    texts = EvidenceRequest(texts=CorpusFile(str(path)), metrics=("bleu", "ter"))
    stored = EvidenceRequest(stored=str(out))
    for unit in ("document", "segment"):
        results = [compare_systems(CompareRequest(evidence=one, unit=unit)) for one in (texts, stored)]
        found = [[m.comparisons[0].p for m in result.parts[0].measures] for result in results]
        assert found[0] == found[1]
        assert results[0].parts[0].units == results[1].parts[0].units
    assert rank_systems(RankRequest(evidence=stored, options=Options(n=200))).parts[0].units.count == 15


def test_tests_from_sums_of_documents(tmp_path: Path) -> None:
    path = two_systems(tmp_path)
    out = run(path, tmp_path / "out", metrics=("bleu",), groups=("lang",))
    stored = EvidenceRequest(stored=str(out))
    texts = EvidenceRequest(texts=CorpusFile(str(path)), metrics=("bleu",))
    results = [compare_systems(CompareRequest(evidence=one)) for one in (texts, stored)]
    assert results[0].parts[0].units == results[1].parts[0].units
    tests = [result.parts[0].measures[0].comparisons[0] for result in results]
    assert tests[0].p == pytest.approx(tests[1].p, abs=0.02)
    by_document = [
        {(part.system, part.part): part.score for part in score_systems(request).documents}
        for request in (
            ScoreRequest(texts=CorpusFile(str(path)), metrics=("bleu",), level="document"),
            ScoreRequest(stored=str(out), level="document"),
        )
    ]
    assert by_document[0] == by_document[1]
    with pytest.raises(InputError, match="score again with --keep-rows"):
        compare_systems(CompareRequest(evidence=stored, unit="segment"))


@pytest.mark.parametrize("long", [False, True], ids=["wide", "long"])
def test_plans_from_sums_of_documents_are_those_from_texts(long: bool, tmp_path: Path) -> None:
    corpus = many_documents(tmp_path, long=long)
    out = run(corpus, tmp_path / "out", metrics=("chrf",))
    texts = EvidenceRequest(texts=CorpusFile(str(corpus / "*.parquet")), metrics=("chrf",))
    plans = [plan(PowerRequest(evidence=one)) for one in (texts, EvidenceRequest(stored=str(out)))]
    (expected,), (planned,) = (found.parts[0].measures[0].power for found in plans)
    assert planned.needed_segments == expected.needed_segments == 10 * expected.power.needed_units


@pytest.mark.parametrize("long", [False, True], ids=["wide", "long"])
@pytest.mark.parametrize("keep_rows", [False, True], ids=["sums", "rows"])
def test_systems_with_the_same_references_have_one_hash_of_them(long: bool, keep_rows: bool, tmp_path: Path) -> None:
    out = run(many_documents(tmp_path, long=long), tmp_path / "out", metrics=("chrf", "ter"), keep_rows=keep_rows)
    scored_hashes = {one.signature.get("hash") for one in score_systems(ScoreRequest(stored=str(out))).scores}
    compared = compare_systems(CompareRequest(evidence=EvidenceRequest(stored=str(out)))).parts[0]
    assert len(scored_hashes) == 1
    assert {one.identity.signature.get("hash") for one in compared.measures} == scored_hashes
    alone = score_systems(ScoreRequest(stored=str(out), systems=("b",))).scores
    assert {one.signature.get("hash") for one in alone} == scored_hashes


def test_sums_of_one_document_say_what_would_help(tmp_path: Path) -> None:
    frame = rows(30, 1, document=["d"] * 30).rename({"hypothesis": "system:a"})
    frame.with_columns(pl.col("system:a").str.replace("ba", "x").alias("system:b")).write_parquet(
        tmp_path / "t.parquet"
    )
    out = run(tmp_path / "t.parquet", tmp_path / "out")
    stored = EvidenceRequest(stored=str(out))
    for unit in (None, "document"):
        with pytest.raises(InputError, match=r"sums of one document only, .*: score again with --keep-rows"):
            compare_systems(CompareRequest(evidence=stored, unit=unit))
    with pytest.raises(InputError, match="sums of one document only"):
        scored(out, intervals=Resampling(n=100))
    assert len(score_systems(ScoreRequest(stored=str(out), level="document")).documents) == 2


def test_sums_alone_are_refused_for_tests(corpus: Path, tmp_path: Path) -> None:
    out = run(corpus, tmp_path / "out")
    with pytest.raises(InputError, match="score with --keep-rows, or with --group-by"):
        compare_systems(CompareRequest(evidence=EvidenceRequest(stored=str(out))))
    with pytest.raises(InputError, match="holds no scores that karat wrote"):
        scored(tmp_path)
    with pytest.raises(InputError, match="has no system 'x'"):
        scored(out, systems=("x",))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"carried": ("nosuch",)}, "--keep nosuch: .* has no such column"),
        ({"groups": ("sorce",)}, "--group-by sorce: .* Did you mean source"),
        ({"part_rows": 17}, "a part has 17 rows: it takes a multiple of"),
        ({"address": "x:1"}, "add --engine ray"),
        ({"columns": (("reference", "nosuch"),)}, "there is no column 'nosuch'"),
    ],
    ids=["keep", "group-by", "part-rows", "address", "columns"],
)
def test_what_makes_no_sense_is_refused(changes: dict[str, Any], message: str, corpus: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        run(corpus, tmp_path / "out", **changes)
    assert not (tmp_path / "out").exists()


def test_a_damaged_part_says_what_to_do(corpus: Path, tmp_path: Path) -> None:
    out = run(corpus, tmp_path / "out")
    damaged = sorted((out / "sums").iterdir())[0]
    damaged.write_bytes(damaged.read_bytes()[:100])
    with pytest.raises(InputError, match="delete the damaged file there"):
        scored(out)
    damaged.unlink()
    with pytest.raises(InputError, match="is missing: run the command that wrote it again"):
        scored(out)
    run(corpus, out)
    assert len(scored(out)) == 1


def test_threads_end_what_they_have_begun() -> None:
    executor = ThreadExecutor(2)
    ended: list[int] = []

    def work(_: None, task: int) -> int:
        if task == 3:
            raise InputError("three")
        ended.append(task)
        return task

    with pytest.raises(InputError, match="three"):
        list(executor.run(work, None, range(100)))
    assert len(ended) < 20
    executor.close()


@pytest.mark.parametrize("rotated", ["reference", "segment"])
def test_systems_measured_against_other_texts_are_refused(rotated: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    frame = rows(40, segment=[f"s{i}" for i in range(40)], system="a")
    frame.write_parquet(tmp_path / "in" / "a.parquet")
    values = frame[rotated].to_list()
    other = frame.with_columns(pl.lit("b").alias("system"), pl.Series(rotated, [*values[1:], f"{values[0]} x"]))
    other.write_parquet(tmp_path / "in" / "b.parquet")
    with pytest.raises(InputError, match="systems a and b have other segments, or other references"):
        run(tmp_path / "in", tmp_path / "out", keep_rows=True)
    with pytest.raises(InputError, match="is not complete"):
        scored(tmp_path / "out")
    with pytest.raises(InputError, match="systems a and b have other segments, or other references"):
        plain(str(tmp_path / "in" / "*.parquet"), ("chrf",))


def test_segments_of_systems_may_come_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    frame = rows(40, segment=[f"s{i}" for i in range(40)], system="a")
    frame.write_parquet(tmp_path / "in" / "a.parquet")
    frame.with_columns(pl.lit("b").alias("system")).reverse().write_parquet(tmp_path / "in" / "b.parquet")
    found = scored(run(tmp_path / "in", tmp_path / "out"))
    assert found["a", "chrf"] == found["b", "chrf"]


def many_documents(tmp_path: Path, *, long: bool) -> Path:
    """Two systems over thirteen documents, d0 to d12, in two files; in long form the second starts at another one."""
    (tmp_path / "in").mkdir()
    frame = rows(130, 1, document=[f"d{i // 10}" for i in range(130)], segment=[f"s{i}" for i in range(130)])
    worse = frame.with_columns(pl.col("hypothesis").str.replace("ba", "x"))
    if long:
        frame.with_columns(system=pl.lit("a")).write_parquet(tmp_path / "in" / "a.parquet")
        both = pl.concat([worse[60:], worse[:60]])
        both.with_columns(system=pl.lit("b")).write_parquet(tmp_path / "in" / "b.parquet")
    else:
        wide = frame.rename({"hypothesis": "system:a"}).with_columns(worse["hypothesis"].alias("system:b"))
        wide[:75].write_parquet(tmp_path / "in" / "a.parquet")
        wide[75:].write_parquet(tmp_path / "in" / "b.parquet")
    return tmp_path / "in"


@pytest.mark.parametrize("long", [False, True], ids=["wide", "long"])
def test_sums_of_documents_give_the_draws_of_texts(long: bool, tmp_path: Path) -> None:
    corpus = many_documents(tmp_path, long=long)
    metrics = ("chrf", "ter") if long else ("chrf", "ter", "nist")
    out = run(corpus, tmp_path / "out", metrics=metrics)
    texts = EvidenceRequest(texts=CorpusFile(str(corpus / "*.parquet")), metrics=metrics)
    results = [compare_systems(CompareRequest(evidence=one)) for one in (texts, EvidenceRequest(stored=str(out)))]
    found = [
        [(c.p, c.interval.low, c.interval.high) for m in result.parts[0].measures for c in m.comparisons]
        for result in results
    ]
    assert found[1] == [pytest.approx(numbers, rel=1e-9) for numbers in found[0]]


def test_only_parts_of_the_manifest_are_counted(corpus: Path, tmp_path: Path) -> None:
    out = run(corpus, tmp_path / "out")
    before = scored(out)
    other = run(tmp_path / "in" / "part-00.parquet", tmp_path / "other", metrics=("chrf",), part_rows=128)
    for left in (other / "sums").iterdir():
        (out / "sums" / left.name).write_bytes(left.read_bytes())
        (out / "parts" / left.name).write_bytes((other / "parts" / left.name).read_bytes())
    assert scored(out) == before


def test_a_damaged_manifest_is_written_anew(corpus: Path, tmp_path: Path) -> None:
    out = run(corpus, tmp_path / "out")
    before = scored(out)
    (out / "manifest.json").write_text('{"schema": ')
    with pytest.raises(InputError, match=r"delete it, and run `karat score --out .*` again"):
        scored(out)
    (out / "manifest.json").unlink()
    assert scored(run(corpus, out)) == before


def test_combinations_are_scored_part_by_part_with_what_their_metrics_learn(corpus: Path, tmp_path: Path) -> None:
    features = [{"metric": name, "centre": 0, "spread": 1, "weight": 1} for name in ("chrf", "nist")]
    own = features_digest([karat.metric("chrf"), karat.metric("nist")])
    model = {"kind": "karat combination", "version": 1, "method": "ridge", "features": features, "intercept": 0}
    file = tmp_path / "model.json"
    file.write_text(json.dumps({**model, "hashes": {"features": own}}), encoding="utf-8")
    metrics = (f'combined(model="{file}")',)
    by_part = scored(run(corpus, tmp_path / "out", metrics=metrics))
    assert by_part == pytest.approx(plain(corpus / "*.parquet", metrics), rel=1e-12)
