"""Tables with named columns: read exactly, refused with line and field, written and read back."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fuzzing.decoding import Decoder

from karat.corpus.ratings import Ratings, comparisons, protocol, protocol_names, ratings_bytes, read_ratings
from karat.errors import InputError, SpecError
from karat.sample import path as sample_path

ROOT = Path(__file__).parents[4]


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_bytes(text.encode())
    return path


def test_the_sample_is_read_by_name() -> None:
    ratings = read_ratings(sample_path("ratings.tsv"))
    assert len(ratings) == 3168
    assert ratings.protocols == ("adequacy-fluency",)
    assert ratings.frame["control"].value_counts(sort=True)["count"].to_list() == [3048, 120]
    first = ratings.frame.row(0, named=True)
    assert (first["rater"], first["system"], first["segment"], first["value"], first["seconds"]) == (
        "rater-1",
        "neural",
        "1",
        5.0,
        14.4,
    )


@pytest.mark.parametrize("kind", ["tsv", "csv", "jsonl", "parquet"])
def test_what_is_written_reads_back(kind: str, tmp_path: Path) -> None:
    ratings = read_ratings(sample_path("ratings.tsv"))
    data = ratings_bytes(ratings, kind)
    (tmp_path / f"again.{kind}").write_bytes(data)
    again = read_ratings(tmp_path / f"again.{kind}")
    assert again.frame.equals(ratings.frame)
    if kind != "parquet":
        assert ratings_bytes(again, kind) == data


def test_every_column_survives(tmp_path: Path) -> None:
    span = {
        "start": 2,
        "end": 4,
        "side": "target",
        "category": "Style",
        "severity": "major",
        "score": 5.0,
        "comment": "x",
    }
    missing = dict.fromkeys(span) | {"side": "missing", "severity": "minor"}
    ratings = Ratings.of(
        {
            "rater": ["a", "b"],
            "system": ["s", "s"],
            "segment": ["1", "1"],
            "protocol": ["esa", "esa"],
            "criterion": ["overall", "overall"],
            "value": [1.5, 90.0],
            "time": [datetime(2024, 3, 24, 21, 55, 47, 693000, tzinfo=UTC), None],
            "seconds": [0.25, None],
            "keystrokes": [7, None],
            "source": ["שלום, עולם", 'a "quoted" word'],
            "target": ["👍🏽 gut\u2028so", "b,c"],
            "spans": [[span, missing], []],
            "comment": ["two\twords", None],
            "extra:wave": ["1", None],
        }
    )
    for kind in ("csv", "jsonl", "parquet"):
        (tmp_path / f"all.{kind}").write_bytes(ratings_bytes(ratings, kind))
        assert read_ratings(tmp_path / f"all.{kind}").frame.equals(ratings.frame), kind
    with pytest.raises(InputError, match="rating 1: comment has a tab"):
        ratings_bytes(ratings, "tsv")


names = st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1, max_size=8)
texts = st.none() | st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
rows = st.fixed_dictionaries(
    {
        "rater": names,
        "system": names,
        "segment": names,
        "value": st.floats(0, 100) | st.integers(0, 100).map(float),
        "seconds": st.none() | st.floats(0, 1e6),
        "control": st.sampled_from([None, "repeat", "gold"]),
        "comment": texts,
        "target": texts,
    }
)


@settings(max_examples=40)
@given(st.lists(rows, min_size=1, max_size=5))
def test_any_text_survives(
    tmp_path_factory: pytest.TempPathFactory, decoder: Decoder, made: list[dict[str, object]]
) -> None:
    columns = {name: [row[name] for row in made] for name in made[0]}
    ratings = Ratings.of(columns | {"protocol": ["da"] * len(made), "criterion": ["overall"] * len(made)})
    directory = tmp_path_factory.mktemp("any")
    for kind in ("csv", "jsonl", "parquet"):
        (directory / f"any.{kind}").write_bytes(ratings_bytes(ratings, kind))
        again = decoder.reading(directory / f"any.{kind}", read_ratings)
        assert again.frame.equals(ratings.frame), kind


HEADER = "rater,system,segment,protocol,criterion,value\n"

BAD = {
    "number": ("a,s,1,da,overall,high\n", "line 2, value: 'high' is not a finite number"),
    "huge": ("a,s,1,custom,overall,-1e300\n", "line 2, value: '-1e+300' is beyond 1e+15, as no rating is"),
    "nan": ("a,s,1,da,overall,nan\n", "line 2, value: 'nan' is not a finite number"),
    "scale": ("a,s,1,adequacy-fluency,adequacy,6\n", "'6.0' is not a whole number from 1 to 5"),
    "half": ("a,s,1,adequacy-fluency,adequacy,2.5\n", "'2.5' is not a whole number from 1 to 5"),
    "protocol": ("a,s,1,dda,overall,6\n", "line 2, protocol: there is no protocol 'dda'. Did you mean da"),
    "criterion": ("a,s,1,adequacy-fluency,style,4\n", "has no criterion 'style'; it has adequacy, fluency"),
    "cells": ("a,s,1,da,overall\n", "line 2, row: 5 cells, but the header has 6 columns"),
    "nothing": ("a,s,1,da,overall,\n", "line 2, value: there is no value, but da needs one"),
    "quote": ('a,s,1,da,"over"all,5\n', "line 2, row: not a valid row of CSV"),
}


@pytest.mark.parametrize("kind", sorted(BAD))
def test_a_bad_row_is_refused_with_line_and_field_or_skipped(kind: str, tmp_path: Path) -> None:
    row, message = BAD[kind]
    path = written(tmp_path, "bad.csv", HEADER + row + "a,s,2,da,overall,50\n")
    with pytest.raises(InputError, match=r"bad\.csv, line 2") as caught:
        read_ratings(path)
    assert message in str(caught.value)
    ratings = read_ratings(path, skip_bad=True)
    assert ratings.frame["segment"].to_list() == ["2"]
    assert len(ratings.skipped) == 1
    assert message in str(ratings.skipped[0])


def test_the_line_of_a_bad_row_counts_line_ends_in_quotes(tmp_path: Path) -> None:
    path = written(tmp_path, "x.csv", 'rater,system,segment,value,comment\na,s,1,5,"two\nlines"\na,s,2,x,\n')
    with pytest.raises(InputError, match="line 4, value"):
        read_ratings(path)


def test_a_file_of_bad_rows_only_is_refused_even_if_bad_rows_are_skipped(tmp_path: Path) -> None:
    path = written(tmp_path, "x.csv", HEADER + "a,s,1,da,overall,x\n")
    with pytest.raises(InputError, match=r"all of its 1 rows are bad, the first: .*line 2, value"):
        read_ratings(path, skip_bad=True)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", "", "is empty"),
        ("x.csv", "\ufeff\r\n", "is empty"),
        ("x.tsv", "rater\tvalue\n", "has no ratings"),
        ("x.csv", "ratter,value\na,1\n", "did you mean 'rater'"),
        ("x.csv", "rater,system\na,s\n", "there is no column of judgements"),
        ("x.csv", "rater,score,value\na,1,1\n", "'value' is the second column for value"),
        ("x.csv", "rater,value,value\na,1,1\n", "2 columns are called 'value'"),
        ("x.jsonl", '{"value": 1}\n[2]\n', "line 2, row: expected a JSON object"),
        ("x.jsonl", '{"value": 1}\n{"val\n', "line 2, row: not valid JSON"),
        ("x.jsonl", '{"rater": "r", "val', "line 1, row: not valid JSON"),
        ("x.jsonl", "1\n2\n", r"line 1, row: expected a JSON object .*1 more bad row"),
        ("x.parquet", "PAR1", "may be damaged"),
        ("x.doc", "hello\n", "the format is not known"),
    ],
)
def test_what_is_no_table_of_ratings_is_refused(name: str, text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_ratings(written(tmp_path, name, text))


def test_a_directory_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a directory without ratings that karat knows: name a file in it"):
        read_ratings(tmp_path)


def test_byte_order_mark_and_crlf_do_not_matter(tmp_path: Path) -> None:
    plain = "rater,system,segment,value\nanna,s,1,5\nbert,s,1,4\n"
    ratings = read_ratings(written(tmp_path, "a.csv", plain))
    marked = written(tmp_path, "b.csv", "\ufeff" + plain.replace("\n", "\r\n"))
    assert read_ratings(marked).frame.equals(ratings.frame)
    tabs = written(tmp_path, "b.tsv", "\ufeff" + plain.replace(",", "\t").replace("\n", "\r\n"))
    assert read_ratings(tabs).frame.equals(ratings.frame)


def test_spans_are_checked_against_the_text_in_code_points(tmp_path: Path) -> None:
    head = '{"rater": "a", "system": "s", "segment": "1", "protocol": "mqm", "target": "ab👍", "spans": '
    good = written(tmp_path, "good.jsonl", head + '[{"start": 2, "end": 3, "severity": "major"}]}\n')
    assert read_ratings(good).frame["spans"].to_list()[0][0]["side"] == "target"
    for spans, message in (
        ('[{"start": 2, "end": 4}]', "beyond the end of the text"),
        ('[{"start": 3, "end": 2}]', "before its start"),
        ('[{"start": 2}]', "only one of start and end"),
        ('[{"begin": 2}]', "a span has 'begin'"),
        ('[{"start": "2", "end": 3}]', "start is '2', not a whole number"),
        ('[{"start": 2, "end": 3, "score": 1e300}]', r"score is 1e\+300, not a number up to 1e\+15"),
        ("7", "must be a list of objects"),
    ):
        with pytest.raises(InputError, match=f"line 1, spans: .*{message}"):
            read_ratings(written(tmp_path, "bad.jsonl", head + spans + "}\n"))


def test_times_are_iso_or_unix(tmp_path: Path) -> None:
    lines = [
        "2024-03-24T21:55:47.693Z",
        "2024-03-24 21:55:47.693",
        "1711317347.693",
        "2024-03-24T22:55:47.693+01:00",
        "",
    ]
    path = written(tmp_path, "t.csv", "rater,system,segment,value,time\n" + "".join(f"a,s,1,5,{t}\n" for t in lines))
    times = read_ratings(path).frame["time"].to_list()
    assert times == [datetime(2024, 3, 24, 21, 55, 47, 693000, tzinfo=UTC)] * 4 + [None]
    with pytest.raises(InputError, match="line 2, time: 'noon' is neither ISO 8601"):
        read_ratings(written(tmp_path, "u.csv", "rater,value,time\na,1,noon\n"))


def test_an_empty_text_needs_jsonl() -> None:
    ratings = Ratings.of({"rater": ["a"], "protocol": ["post-edit"], "criterion": ["hter"], "post_edit": [""]})
    with pytest.raises(InputError, match="rating 1: post_edit is an empty text, which CSV cannot tell"):
        ratings_bytes(ratings, "csv")
    assert b'"post_edit": ""' in ratings_bytes(ratings, "jsonl")


def test_the_caller_says_what_the_file_leaves_out(tmp_path: Path) -> None:
    path = written(tmp_path, "x.csv", "rater,segment,value\na,1,88\n")
    frame = read_ratings(path, protocol="direct-assessment", system="neural", language_pair="en-de").frame
    row = frame.row(0, named=True)
    assert (row["protocol"], row["criterion"], row["system"], row["language_pair"]) == (
        "da",
        "overall",
        "neural",
        "en-de",
    )


def test_a_preference_needs_its_systems_and_a_known_label(tmp_path: Path) -> None:
    head = "rater,system,other_system,protocol,criterion,label\n"
    with pytest.raises(InputError, match="label: 'left' is none of first, second, tie"):
        read_ratings(written(tmp_path, "x.csv", head + "a,s,t,preference,overall,left\n"))
    with pytest.raises(InputError, match="other_system: there is no other_system"):
        read_ratings(written(tmp_path, "x.csv", head + "a,s,,preference,overall,tie\n"))


def test_comparisons_of_rankings_and_preferences() -> None:
    ranking = Ratings.of(
        {
            "rater": ["r1", "r1", "r2", "r2", "r1"],
            "system": ["a", "b", "b", "a", "x"],
            "other_system": [None] * 4 + ["y"],
            "item": ["1"] * 4 + ["9"],
            "segment": ["1"] * 5,
            "protocol": ["ranking"] * 4 + ["preference"],
            "criterion": ["overall"] * 5,
            "value": [1, 3, 2, 2, None],
            "label": [None] * 4 + ["second"],
        }
    )
    pairs = comparisons(ranking)
    assert pairs.select("rater", "first", "second", "outcome").rows() == [
        ("r1", "a", "b", "first"),
        ("r2", "b", "a", "tie"),
        ("r1", "x", "y", "second"),
    ]


def test_a_table_of_other_columns_is_refused() -> None:
    with pytest.raises(InputError, match="no column 'ratr'"):
        Ratings.of({"ratr": ["a"]})
    with pytest.raises(InputError, match="must have these columns"):
        Ratings(pl.DataFrame({"rater": ["a"]}))


@pytest.mark.parametrize("name", protocol_names())
def test_every_protocol_is_whole(name: str) -> None:
    one = protocol(name)
    assert f"{{{one.citation}," in (ROOT / "docs" / "references.bib").read_text(encoding="utf-8")
    for part in (one.title, one.summary, one.definition, one.formula, one.use_when, one.avoid_when, one.choice):
        assert part.strip()
    for scale in one.scales.values():
        for value, label in scale.labels:
            assert label
            assert (scale.minimum or 0) <= value <= (scale.maximum or value)


def test_an_unknown_protocol_or_format_lists_near_names() -> None:
    with pytest.raises(SpecError, match="Did you mean"):
        protocol("adequacy-fluensy")
    with pytest.raises(SpecError, match="Did you mean tsv"):
        read_ratings(sample_path("ratings.tsv"), format="tsf")


def test_scales_are_normalised_as_arpa_did() -> None:
    assert protocol("adequacy-fluency").scale("adequacy").normalised(4) == 0.75
    assert protocol("fidelity").scale("fidelity").normalised(0) == 1.0
    assert protocol("custom").scale("anything").normalised(4) is None
