"""Scores as shared tasks hand them round: the traps in their files, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.corpus.given_scores import language_pairs, read_mtme_directory, read_score_table
from karat.errors import InputError


def write(path: Path, text: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_tabs_and_spaces_may_be_mixed_and_scores_missing(tmp_path: Path) -> None:
    path = write(tmp_path / "mqm.avg_seg_scores.tsv", "system mqm_avg_score seg_id\na\t-5.0 1\na\tNone 2\n")
    (table,) = read_score_table(path)
    assert (table.name, table.level) == ("mqm", "segment")
    assert table.systems == {"a": {(None, "1"): -5.0, (None, "2"): None}}


def test_a_column_may_be_named(tmp_path: Path) -> None:
    path = write(tmp_path / "da.csv", "RAW.SCR Z.SCR N SYS\n79.3 0.24 7 a.1\n82.4 0.31 9 b.2\n")
    assert read_score_table(path)[0].systems == {"a.1": {(None, ""): 0.24}, "b.2": {(None, ""): 0.31}}
    assert read_score_table(path, column="RAW.SCR")[0].systems["a.1"] == {(None, ""): 79.3}


def test_submissions_are_chosen_from_by_column(tmp_path: Path) -> None:
    text = "".join(f"chrF\ten-de\tnews\t{ref}\ta\tchrF2 = {score}\n" for ref, score in (("refA", 0.5), ("refB", 0.4)))
    path = write(tmp_path / "chrF.sys.score", text)
    assert read_score_table(path, {"ref": "refB"})[0].systems == {"a": {(None, ""): 0.4}}
    with pytest.raises(InputError, match="line 2: a has a second chrF score"):
        read_score_table(path)
    with pytest.raises(InputError, match="no line with ref=refC"):
        read_score_table(path, {"ref": "refC"})
    with pytest.raises(InputError, match="no column 'lang'"):
        read_score_table(path, {"lang": "de"})


def test_plain_files_tell_their_level_by_repetition(tmp_path: Path) -> None:
    systems = read_score_table(write(tmp_path / "x.txt", "a\t1\nb\t2\n"))[0]
    segments = read_score_table(write(tmp_path / "y.txt", "a\t1\na\t2\nb\t3\nb\t4\n"))[0]
    assert (systems.level, segments.level) == ("system", "segment")
    assert segments.systems["b"] == {(None, "1"): 3.0, (None, "2"): 4.0}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no scores"),
        ("a\t1\na\tmuch\n", "line 2: 'much' is not a score"),
        ("a\t1\na\tinf\n", "not finite"),
        ("a\t1\na\t1e300\n", "line 2: the score '1e300' is not finite, or beyond 1e15"),
        ("a\t1\nb\t2\t3\n", "line 2: expected a system and a score"),
        ("name points\na 1\n", "expected headings"),
        ("system score\na 1 2\n", "line 2: 3 columns, but 2 headings"),
        ("chrF\ten-de\tnews\trefA\ta\t1\nchrF\ten-de\n", "line 2: 2 columns"),
    ],
)
def test_malformed_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_score_table(write(tmp_path / "bad.txt", text))


def test_a_directory_of_scores(tmp_path: Path) -> None:
    write(tmp_path / "human-scores" / "en-de.da-sqm.seg.score", "a\t1\na\tNone\n")
    write(tmp_path / "human-scores" / "en-de.mqm.domain.score", "news\ta\t-1\n")
    write(tmp_path / "human-scores" / "en-de.mqm.seg.score", "a\t-1\na\t-2\n")
    write(tmp_path / "metric-scores" / "en-de" / "BLEU-refA.sys.score", "a\t30\n")
    write(tmp_path / "documents" / "en-de.docs", "news\tone\nnews\ttwo\n")
    write(tmp_path / "references" / "en-de.refA.txt", "eins\nzwei\n")
    assert language_pairs(str(tmp_path)) == ["en-de"]
    found = read_mtme_directory(str(tmp_path), "en-de")
    assert found.gold == "mqm"
    assert {table.level for table in found.judgements} == {"domain", "segment"}
    assert found.domains == ("news", "news")
    assert found.humans == ("refA",)
    assert found.metrics[0].name == "BLEU-refA"
    other = read_mtme_directory(str(tmp_path), "en-de", "da-sqm")
    assert other.judgements[0].systems["a"] == {(None, "1"): 1.0, (None, "2"): None}
    standard = read_mtme_directory(str(tmp_path), "en-de", standard_reference="refA")
    assert (standard.metrics[0].name, standard.standard_reference) == ("BLEU", "refA")
    for unknown in ("refB", "src"):
        with pytest.raises(InputError, match=f"en-de has no reference '{unknown}'; there is: refA"):
            read_mtme_directory(str(tmp_path), "en-de", standard_reference=unknown)
    with pytest.raises(InputError, match="no judgements 'wqm'"):
        read_mtme_directory(str(tmp_path), "en-de", "wqm")
    with pytest.raises(InputError, match="has no file"):
        language_pairs(str(tmp_path / "references"))


def test_scores_of_documents_stand_in_the_order_of_the_documents(tmp_path: Path) -> None:
    human = tmp_path / "human-scores"
    write(human / "en-de.mqm.doc.score", "a\t-1\na\tNone\nb\t-3\nb\t-4\n")
    with pytest.raises(InputError, match=r"doc\.score, line 1: .* add documents/LANGUAGE-PAIR\.docs"):
        read_mtme_directory(str(tmp_path), "en-de")
    write(tmp_path / "documents" / "en-de.docs", "news\tone\nnews\tone\nchat\ttwo\n")
    (table,) = read_mtme_directory(str(tmp_path), "en-de").judgements
    assert table.systems == {
        "a": {(None, "one"): -1.0, (None, "two"): None},
        "b": {(None, "one"): -3.0, (None, "two"): -4.0},
    }
    write(human / "en-de.mqm.doc.score", "two\ta\t-1\n")
    assert read_mtme_directory(str(tmp_path), "en-de").judgements[0].systems == {"a": {(None, "two"): -1.0}}
    write(human / "en-de.mqm.doc.score", "a\t-1\na\t-2\na\t-3\n")
    with pytest.raises(InputError, match=r"doc\.score, line 3: there are only 2 documents"):
        read_mtme_directory(str(tmp_path), "en-de")
