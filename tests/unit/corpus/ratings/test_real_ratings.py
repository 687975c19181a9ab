"""Published files of judgements: every one is read, and written back as it was."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from karat.corpus.ratings import comparisons, ratings_bytes, read_ratings

EQUAL = {
    "wmt16-rr/collapsed/wmt16.collapsed.ron-eng.csv": ("wmt-ranking", 11978),
    "wmt16-rr/collapsed/wmt16.collapsed.tur-eng.csv": ("wmt-ranking", 9684),
    "wmt20-mqm-da-ende/metrics-ad-seg-scores-en-de.csv": ("wmt-da-scores", 22720),
    "wmt20-mqm-da-ende/metrics-ad-doc-scores-en-de.csv": ("wmt-da-scores", 2092),
    "wmt20-mqm-da-ende/metrics-ad-sys-scores-en-de.csv": ("wmt-da-scores", 34),
    "wmt20-mqm-da-ende/mqm_newstest2020_ende.avg_seg_scores.tsv": ("mqm-averages", 14180),
    "wmt21-da-csen/da/ad-csen-good-stnd.csv": ("wmt-da", 13069),
    "wmt21-news-ende/mqm_newstest2021_ende.avg_seg_scores.tsv": ("mqm-averages", 8959),
    "wmt21-ted-mqm-ende/mqm_ted_ende.avg_seg_scores.tsv": ("mqm-averages", 7406),
    "wmt22-enhr-errortypes/annotated.en-hr.online-G.hyp": ("word-errors", 603),
    "wmt22-enhr-errortypes/annotated.en-hr.stud.ref": ("word-errors", 603),
    "wmt23-esa-mqm-ende/240315rc5ESA.scores.csv": ("appraise", 3314),
    "wmt23-esa-mqm-ende/240315rc5MQM.scores.csv": ("appraise", 3308),
    "wmt23-esa-mqm-ende/240520rc6ESA.scores.csv": ("appraise", 3327),
    "wmt23-esa-mqm-ende/240521rc6ESA.scores.csv": ("appraise", 1203),
    "wmt23-esa-mqm-ende/240521rc6MQM.scores.csv": ("appraise", 1210),
    "wmt23-esa-mqm-ende/en-de.ESA-1.seg.score": ("mtme-scores", 2691),
    "wmt23-esa-mqm-ende/en-de.ESAAI-2.seg.score": ("mtme-scores", 2691),
    "wmt23-esa-mqm-ende/en-de.MQM-IAA.seg.score": ("mtme-scores", 984),
    "wmt23-mtme-ende/wmt23/human-scores/en-de.mqm.seg.score": ("mtme-scores", 5980),
    "wmt23-mtme-ende/wmt23/human-scores/en-de.mqm.sys.score": ("mtme-scores", 13),
    "wmt23-mtme-ende/wmt23/human-scores/en-de.mqm.domain.score": ("mtme-scores", 52),
    "wmt23-mtme-ende/wmt23/human-scores/en-de.da-sqm.seg.score": ("mtme-scores", 7137),
    "laeubli-parity/ratings.csv": ("parity", 1232),
    "laeubli-parity/ratings.with-spam.csv": ("parity", 1400),
    "mlqe-pe/direct-assessments-dev/en-de-dev/dev.ende.df.short.tsv": ("mlqe-da", 12000),
    "mlqe-pe/direct-assessments-dev/ro-en-dev/dev.roen.df.short.tsv": ("mlqe-da", 12000),
    "mlqe-pe/catastrophic/ende_majority_dev.tsv": ("mlqe-catastrophic", 3000),
    "wmt12-qe-enes/training_set_annotations/target_system.effort": ("numbers", 1832),
    "wmt12-qe-enes/training_set_annotations/target_system.effort3scores": ("numbers", 5496),
}
"""Files that are equal when written, but for the ends of lines and a space in place of a tab."""

READ = {
    "comet-tests/ranking_data.csv": 199,
    "comet-tests/regression_data.csv": 400,
    "comet-tests/multitask_data.csv": 198,
    "zurich-parity/ranking/results.notext.csv": 1408,
    "zurich-parity/ranking/results/sentences/osaka.csv": 120,
    "zurich-parity/ranking/results/documents/osaka.csv": 56,
    "zurich-parity/error-analysis/results.csv": 7200,
    "wmt21-da-csen/da/ad-seg-scores-cs-en.csv": 16310,
    "wmt21-da-csen/da/ad-sys-scores-cs-en.csv": 18,
    "wmt23-mtme-ende/wmt23": 19227,
    "mlqe-pe/post-editing/en-de-dev": 3000,
    "mlqe-pe/multi-reference-eten/DA-z.scores": 1000,
}


@pytest.mark.parametrize("name", sorted(EQUAL))
def test_official_files_are_written_as_they_were(name: str, shared_data: Path) -> None:
    kind, count = EQUAL[name]
    path = shared_data / name
    ratings = read_ratings(path)
    assert len(ratings) == count
    official = path.read_bytes().replace(b"\r\r\n", b"\n").replace(b"\r\n", b"\n")
    if kind == "mqm-averages":
        head, rest = official.split(b"\n", 1)
        lines = [line.replace(b" ", b"\t", 1) if line.count(b" ") == 2 else line for line in rest.split(b"\n")]
        official = b"\n".join([head, *lines])
    assert ratings_bytes(ratings, kind) == official


@pytest.mark.parametrize("name", sorted(READ))
def test_other_published_files_are_read(name: str, shared_data: Path) -> None:
    assert len(read_ratings(shared_data / name)) == READ[name]


def test_ted_mqm_is_written_as_it_was_but_for_one_unclosed_tag(shared_data: Path) -> None:
    path = shared_data / "wmt21-ted-mqm-ende" / "mqm_ted_ende.tsv"
    ratings = read_ratings(path)
    assert len(ratings) == 7406
    assert [note.split(": ")[0].endswith("line 6444, target") for note in ratings.notes] == [True]
    pairs = zip(ratings_bytes(ratings, "google-mqm").split(b"\n"), path.read_bytes().split(b"\n"), strict=True)
    assert [
        (ours, theirs + b"") for ours, theirs in pairs if ours != theirs and ours.replace(b"</v>", b"") != theirs
    ] == []


def test_mqm_of_three_raters_is_written_row_for_row(shared_data: Path) -> None:
    path = shared_data / "wmt23-sxs-mqm-ende" / "errors.tsv"
    ratings = read_ratings(path)
    assert len(ratings.ordinary) == 3 * 1040
    assert sorted(ratings_bytes(ratings, "mqm-offsets").split(b"\n")) == sorted(path.read_bytes().split(b"\n"))


def test_span_ratings_hold_the_same_json(shared_data: Path) -> None:
    path = shared_data / "wmt23-mtme-ende" / "wmt23" / "human-scores" / "en-de.mqm.merged.seg.rating"
    written = ratings_bytes(read_ratings(path), "mtme-ratings").decode().splitlines()
    official = path.read_text(encoding="utf-8").splitlines()
    parsed = [[(line.split("\t")[0], json.loads(line.split("\t")[1].replace("None", "null"))) for line in lines]
              for lines in (written, official)]  # fmt: skip
    assert parsed[0] == parsed[1]


def test_weights_of_wmt_give_all_published_segment_scores(shared_data: Path) -> None:
    directory = shared_data / "wmt21-ted-mqm-ende"
    rows = read_ratings(directory / "mqm_ted_ende.tsv").frame.select("system", "segment", "spans").rows()
    published = read_ratings(directory / "mqm_ted_ende.avg_seg_scores.tsv").frame
    weights = {"Major": 5.0, "Minor": 1.0}
    ours = {
        (system.replace("ref", "ref-A"), segment): sum(
            0.1
            if (span["severity"], span["category"]) == ("Minor", "Fluency/Punctuation")
            else weights[span["severity"]]
            for span in spans
        )
        for system, segment, spans in rows
    }
    theirs = {
        (system, segment): -value for system, segment, value in published.select("system", "segment", "value").rows()
    }
    assert set(ours) == set(theirs)
    assert sum(abs(ours[key] - theirs[key]) < 1e-6 for key in ours) == 7406


def test_preferences_of_the_parity_study(shared_data: Path) -> None:
    pairs = comparisons(read_ratings(shared_data / "laeubli-parity" / "ratings.csv"))
    kept = pairs.filter(~pl.col("segment").str.starts_with("U-").fill_null(value=False))
    level = pl.when(pl.col("segment").is_null()).then(pl.lit("document")).otherwise(pl.lit("sentence")).alias("level")
    counts = kept.group_by(level, "criterion", "outcome").len()
    found = {(row[0], row[1], row[2]): row[3] for row in counts.rows()}
    assert [found["document", "adequacy", outcome] for outcome in ("first", "second", "tie")] == [104, 74, 22]
    assert [found["document", "fluency", outcome] for outcome in ("first", "second", "tie")] == [99, 44, 57]
    assert [found["sentence", "adequacy", outcome] for outcome in ("first", "second", "tie")] == [86, 103, 19]
    assert [found["sentence", "fluency", outcome] for outcome in ("first", "second", "tie")] == [106, 66, 36]


def test_official_scores_come_from_the_written_file(shared_data: Path, tmp_path: Path) -> None:
    ratings = read_ratings(shared_data / "wmt21-da-csen" / "da" / "ad-csen-good-stnd.csv")
    (tmp_path / "again.csv").write_bytes(ratings_bytes(ratings, "wmt-da"))
    kept = read_ratings(tmp_path / "again.csv").where(control=[None, "repeat"]).frame
    means = (
        kept.group_by("system", "segment").agg(pl.col("value").mean()).group_by("system").agg(pl.col("value").mean())
    )
    found = {system.split(".")[0]: value for system, value in means.rows()}
    assert [round(found[name], 4) for name in ("Facebook-AI", "Online-A", "HUMAN")] == [0.1113, 0.0809, -0.0848]
