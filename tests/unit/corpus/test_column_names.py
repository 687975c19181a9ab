"""Columns that the user names, and tables that are not cut at commas."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from karat.corpus import load_corpus, read_corpus
from karat.corpus.ratings import read_ratings
from karat.errors import InputError

COLUMNS = (("source", "Quelle"), ("reference", "Vorlage"), ("hypothesis", "Ausgabe"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_delimiters_are_found_out(delimiter: str, tmp_path: Path) -> None:
    rows = [("source", "reference", "hypothesis"), ("a", "b", "c"), (f'"d{delimiter}, e"', "f", "g")]
    (tmp_path / "ours.csv").write_text("".join(delimiter.join(row) + "\n" for row in rows))
    corpus = read_corpus(tmp_path / "ours.csv")
    assert corpus.source is not None
    assert corpus.source.to_list() == ["a", f"d{delimiter}, e"]
    assert corpus.systems["ours"].to_list() == ["c", "g"]


def test_a_comma_goes_first_where_several_are_there(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("reference,system:x;y\na,b\n")
    assert list(read_corpus(tmp_path / "a.csv").systems) == ["x;y"]


@pytest.mark.parametrize("quoted", ["1", '"1"'])
def test_ratings_with_semicolons(quoted: str, tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text(f"rater;system;segment;protocol;value\nr;a;{quoted};da;10\n")
    frame = read_ratings(tmp_path / "r.csv").frame
    assert frame.select("rater", "segment", "value").row(0) == ("r", "1", 10)


def test_columns_by_the_names_that_the_user_gives(tmp_path: Path) -> None:
    (tmp_path / "ours.csv").write_text("Quelle,Vorlage,Ausgabe\na,b,c\n")
    (tmp_path / "ours.jsonl").write_text('{"Quelle": "a", "Vorlage": "b", "Ausgabe": "c"}\n')
    (tmp_path / "ours.json").write_text('[{"Quelle": "a", "Vorlage": "b", "Ausgabe": "c"}]')
    pl.DataFrame({"Quelle": ["a"], "Vorlage": ["b"], "Ausgabe": ["c"]}).write_parquet(tmp_path / "ours.parquet")
    for suffix in ("csv", "jsonl", "json", "parquet"):
        corpus = read_corpus(tmp_path / f"ours.{suffix}", columns=COLUMNS)
        assert corpus.source is not None
        texts = [corpus.source, corpus.references["ref"].text, corpus.systems["ours"]]
        assert [column.to_list() for column in texts] == [["a"], ["b"], ["c"]]


def test_each_of_several_tables_may_have_its_own(tmp_path: Path) -> None:
    (tmp_path / "ref.csv").write_text("Vorlage,x\nb,1\n")
    (tmp_path / "out.csv").write_text("Ausgabe,x\nc,1\n")
    corpus = load_corpus(tmp_path / "ref.csv", [("ours", tmp_path / "out.csv")], columns=COLUMNS[1:])
    assert corpus.systems["ours"].to_list() == ["c"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((("reference", "Vorlag"),), r"line 1: there is no column 'Vorlag', only Quelle, Vorlage, Ausgabe"),
        ((("refrence", "Vorlage"),), "'refrence' is not known"),
        ((("reference", "Vorlage"), ("reference", "Quelle")), "names a column twice"),
        ((("reference", "Vorlage"), ("source", "Vorlage")), "names a column twice"),
    ],
)
def test_columns_that_cannot_be(columns: tuple[tuple[str, str], ...], message: str, tmp_path: Path) -> None:
    (tmp_path / "ours.csv").write_text("Quelle,Vorlage,Ausgabe\na,b,c\n")
    with pytest.raises(InputError, match=message):
        read_corpus(tmp_path / "ours.csv", columns=columns)


@pytest.mark.parametrize("suffix", ["xlsx", "xls", "ods"])
def test_spreadsheets_are_refused_with_what_to_do(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{suffix}"
    path.write_bytes(b"PK\x03\x04")
    for read in (read_corpus, read_ratings, lambda path: load_corpus(path, [("a", path)])):
        with pytest.raises(InputError, match=r"is a spreadsheet, which karat does not read: .* save the sheet as CSV"):
            read(path)


@pytest.mark.parametrize("data", [b"PK\x03\x04\x14\x00", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00"])
@pytest.mark.parametrize("name", ["a.csv", "a.txt", "a.tsv"])
def test_spreadsheets_by_another_name_are_told_by_their_first_bytes(data: bytes, name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"is no text but an archive or a spreadsheet, .* save the sheet as CSV"):
        load_corpus(path, [("a", path)])


def test_columns_that_are_not_known_are_named_where_references_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "ours.csv"
    path.write_text("Quelle;Referenz;mt\na;b;c\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"no references \(the columns Quelle, Referenz are not known\)"):
        read_corpus(path).references_for()


def test_columns_of_ratings_may_have_other_names(tmp_path: Path) -> None:
    path = tmp_path / "noten.csv"
    path.write_text("Wer;system;segment;Note\nr;a;1;4\ns;a;1;5\n", encoding="utf-8")
    ratings = read_ratings(path, columns=(("rater", "Wer"), ("value", "Note")))
    assert ratings.frame["value"].to_list() == [4, 5]
    assert ratings.frame["rater"].to_list() == ["r", "s"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ((("valu", "Note"),), "nothing in ratings called 'valu'. Did you mean value"),
        ((("value", "Punkte"),), "there is no column 'Punkte'; there is: Wer, system, segment, Note"),
    ],
)
def test_other_names_that_do_not_fit_are_refused(
    columns: tuple[tuple[str, str], ...], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "noten.csv"
    path.write_text("Wer;system;segment;Note\nr;a;1;4\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_ratings(path, columns=columns)
    assert message in str(refused.value)


def test_formats_with_names_of_their_own_take_no_others(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("x\n", encoding="utf-8")
    with pytest.raises(InputError, match="whose columns have their own names"):
        read_ratings(path, format="appraise", columns=(("value", "x"),))
