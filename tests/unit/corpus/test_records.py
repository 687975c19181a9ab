from __future__ import annotations

from pathlib import Path

import polars
import pytest

from karat.corpus import Corpus, read_corpus
from karat.corpus.records import layout_of
from karat.errors import InputError


def read(tmp_path: Path, name: str, text: str) -> Corpus:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_corpus(path)


def test_a_line_of_jsonl(tmp_path: Path) -> None:
    line = (
        '{"segment": "1", "document": "news-1", "domain": "news", "source": "A", "language_pair": "en-de",'
        ' "references": {"refA": "B", "refB": null}, "systems": {"neural": "D", "rules": ""},'
        ' "post_edits": {"neural": "E"}, "comment": 5}\n\n'
    )
    corpus = read(tmp_path, "a.jsonl", line)
    assert corpus.documents == ("news-1",)
    assert corpus.domains == ("news",)
    assert corpus.language_pair == "en-de"
    assert {name: column.to_list() for name, column in corpus.references.items()} == {"refA": ["B"], "refB": [None]}
    assert corpus.systems["rules"].to_list() == [""]
    assert corpus.targeted["neural"].to_list() == ["E"]
    assert corpus.metadata["ignored_columns"] == ("comment",)


def test_references_in_a_list(tmp_path: Path) -> None:
    text = '{"references": ["a", "b"], "hyp": "x"}\n{"references": ["c"], "hyp": "y"}\n'
    corpus = read(tmp_path, "ours.jsonl", text)
    assert corpus.references_for().count_label == "var"
    assert {name: column.to_list() for name, column in corpus.references.items()} == {
        "ref1": ["a", "c"],
        "ref2": ["b", None],
    }
    assert list(corpus.systems) == ["ours"]


def test_long_form(tmp_path: Path) -> None:
    text = (
        "doc\tid\tsrc\tref\tsystem\thyp\nd\t1\ts\tr\ta\tx\nd\t2\ts2\tr2\ta\ty\nd\t2\ts2\tr2\tb\tw\nd\t1\ts\tr\tb\tz\n"
    )
    corpus = read(tmp_path, "a.tsv", text)
    assert {name: column.to_list() for name, column in corpus.systems.items()} == {"a": ["x", "y"], "b": ["z", "w"]}
    assert corpus.source is not None
    assert corpus.source.to_list() == ["s", "s2"]
    with pytest.raises(InputError, match=r"a\.tsv, line 3: system b has no hypothesis for segment 2"):
        read(tmp_path, "a.tsv", text.replace("d\t2\ts2\tr2\tb\tw\n", ""))
    with pytest.raises(InputError, match=r"line 4: segment 2 has another source than in .*line 3"):
        read(tmp_path, "a.tsv", text.replace("d\t2\ts2\tr2\tb", "d\t2\ts9\tr2\tb"))
    with pytest.raises(InputError, match=r"line 4: segment 2 of system a is there twice"):
        read(tmp_path, "a.tsv", text.replace("r2\tb", "r2\ta"))
    with pytest.raises(InputError, match="line 2: the system has no name"):
        read(tmp_path, "a.tsv", "id\tref\tsystem\thyp\n1\tr\t\tx\n")


def test_empty_cells_are_missing_references(tmp_path: Path) -> None:
    corpus = read(tmp_path, "a.tsv", "refA\trefB\tsystem:x\na\t\t\n\tb\ty\n")
    assert [column.to_list() for column in corpus.references.values()] == [["a", None], [None, "b"]]
    assert corpus.systems["x"].to_list() == ["", "y"]
    with pytest.raises(InputError, match=r"a\.tsv: segment 2 has no reference at all"):
        read(tmp_path, "a.tsv", "refA\trefB\tsystem:x\na\t\tx\n\t\ty\n")


def test_csv_quoting_and_line_numbers(tmp_path: Path) -> None:
    text = 'src,mt,ref\n"a\nb","say ""hi""",r\nc,d,e\n'
    corpus = read(tmp_path, "a.csv", text)
    assert corpus.source is not None
    assert corpus.source.to_list() == ["a\nb", "c"]
    assert corpus.systems["a"].to_list() == ['say "hi"', "d"]
    with pytest.raises(InputError, match=r"a\.csv, line 4: 2 cells, but the header has 3 columns"):
        read(tmp_path, "a.csv", text.replace("c,d,e", "c,d"))
    with pytest.raises(InputError, match=r"a\.csv, line 4: not a valid row of CSV .*quotation mark"):
        read(tmp_path, "a.csv", text.replace("c,d,e", 'c,"d,e'))
    with pytest.raises(InputError, match=r"a\.csv, line 2: not a valid row of CSV"):
        read(tmp_path, "a.csv", 'src,mt,ref\n"a"b,c,d\n')
    with pytest.raises(InputError, match=r"a\.csv, line 2: not a valid row of CSV"):
        read(tmp_path, "a.csv", 'src,mt,ref\n"' + "x" * 200_000)


def test_tsv_has_no_quoting(tmp_path: Path) -> None:
    corpus = read(tmp_path, "a.tsv", 'hyp\tref\n"a\tb"\n')
    assert corpus.systems["a"].to_list() == ['"a']


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (["source", "src"], r"'source' and 'src' are the same thing \(the source\)"),
        (["ref", "reference"], r"'ref' and 'reference' are the same thing"),
        (["ref_A", "reference:A"], r"are the same thing \(the reference A\)"),
        (["refrence", "hyp"], r"'refrence' is not known\. Did you mean reference\?"),
        (["a", "b"], r"none of the columns is known\. The columns are a, b; expected are source, reference"),
        (["ref", "system"], r"no column hypothesis"),
        (["ref", "system", "hyp"], r"no column segment"),
        (["ref", "hyp", "system:a"], r"is the column hyp another system\?"),
        (["references", "refA"], r"there are references in references and in refA"),
        (["systems", "system:a"], r"there are systems in systems and in system:a"),
    ],
)
def test_ambiguous_headers(header: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        layout_of(header, "x.tsv")


def test_headers() -> None:
    layout = layout_of(
        ["SRC", "Reference:Foo_1", "ref_b", "refC", "ref1", "REF", "system:My Sys", "post_edit:My Sys", "score"], "x"
    )
    assert layout.single == {"source": "SRC"}
    assert list(layout.references) == ["Foo_1", "b", "refC", "ref1", "ref"]
    assert layout.systems == {"My Sys": "system:My Sys"}
    assert layout.post_edits == {"My Sys": "post_edit:My Sys"}
    assert layout.ignored == ("score",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"ref": "a", "hyp": "b"}\n{"ref": "a" "hyp"', r"a\.jsonl, line 2, column 13: not valid JSON"),
        ('{"ref": "a", "hyp": "b"}\n\n{"ref": "a"}', r"a\.jsonl, line 2: the line is blank"),
        ("[1]", r"a\.jsonl, line 1: expected a JSON object"),
        ('{"ref": 5, "hyp": "b"}', r"line 1: ref must be text, not the number 5"),
        ('{"ref": "a", "hyp": null}', r"line 1: system a has no hypothesis"),
        ('{"ref": "a", "systems": {"x": "1", "x": "2"}}', r"line 1: 'x' is there twice in one object"),
        ('{"ref": "a", "systems": ["x"]}', r"line 1: systems must be an object"),
        ('{"ref": "a", "systems": "x"}', r"line 1: systems must be an object from name to text, not text"),
        ('{"ref": "a", "hyp": "\\ud800"}', r"a\.jsonl, line 1: a lone surrogate"),
        ('{"ref": "a", "hyp": "b", "doc": "\\ud800"}', r"a\.jsonl, line 1: a lone surrogate"),
        ('{"ref": "a", "hyp": "b", "doc": 1.5}', r"line 1: doc must be text or a whole number"),
        ('{"ref": "a", "hyp": "b", "doc": "d"}\n{"ref": "a", "hyp": "b"}', r"line 2: there is no document here"),
        ('{"ref": "a", "hyp": "b", "lp": "en-de"}\n{"ref": "a", "hyp": "b", "lp": "en-fr"}', "has 2 language pairs"),
        ('{"references": [], "hyp": "b"}', "the corpus has no references|segment 1 has no reference"),
        ("[" * 100_000, r"nested too deeply|not valid JSON"),
    ],
)
def test_bad_json(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, "a.jsonl", text).references_for()


def test_json_list(tmp_path: Path) -> None:
    assert read(tmp_path, "a.json", '[{"ref": "a", "hyp": "b"}]').systems["a"].to_list() == ["b"]
    with pytest.raises(InputError, match=r"a\.json, line 2, column 1: not valid JSON"):
        read(tmp_path, "a.json", "[\n")
    with pytest.raises(InputError, match="expected a JSON list"):
        read(tmp_path, "a.json", "{}")
    with pytest.raises(InputError, match="entry 1: expected a JSON object"):
        read(tmp_path, "a.json", "[1]")


def test_nested_parquet(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    rows = [
        {"id": 7, "references": ["a", "b"], "systems": {"x": "1", "y": "2"}},
        {"id": 9, "references": ["c"], "systems": {"x": "3", "y": ""}},
    ]
    polars.DataFrame(rows).write_parquet(path)
    corpus = read_corpus(path)
    assert corpus.segment_ids == ("7", "9")
    assert corpus.references_for().column.to_list() == ["a", "b", "c"]
    assert corpus.systems["y"].to_list() == ["2", ""]
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(InputError, match="is a Parquet file that is cut short"):
        read_corpus(path)


def test_real_csv(shared_data: Path) -> None:
    corpus = read_corpus(shared_data / "comet-tests" / "regression_data.csv")
    assert len(corpus) == 400
    assert corpus.metadata["ignored_columns"] == ("score",)
