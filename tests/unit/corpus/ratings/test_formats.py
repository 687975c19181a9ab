"""Every format: small files written here are read, checked, and written back byte for byte."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from karat.corpus.ratings import (
    Ratings,
    comparisons,
    format_named,
    formats,
    ratings_bytes,
    read_ratings,
    write_ratings,
)
from karat.corpus.ratings.formats import pearmut
from karat.errors import InputError, SpecError


@dataclass(frozen=True)
class Sample:
    """A file, what is in it, and a row that makes no sense."""

    file: str
    text: str
    count: int
    protocol: str
    criteria: tuple[str, ...]
    bad: tuple[str, str, str] | None = None
    """Text to be replaced, by what, and the place and reason of the refusal."""
    writes: bool = True


GOOGLE = (
    "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\tcomment\n"
    'neural\td1\t1\t1\tr1\tDas "Haus".\tThe <v>horse</v>.\tAccuracy/Mistranslation\tMajor\tnot a horse\n'
    'neural\td1\t1\t1\tr1\tDas "Haus".\t<v>The</v> horse.\tStyle/Awkward\tMinor\t\n'
    'literal\td1\t1\t1\tr1\tDas "Haus".\tThe house.\tNo-error\tNo-error\t\n'
    "neural\td1\t2\t2\tr2\t<v>Ja</v>, אולי 👍.\tPerhaps.\tAccuracy/Omission\tMajor\t\n"
    "literal\td1\t2\t2\tr2\tJa, אולי 👍.\tכן 👍<v>?</v>\tFluency/Punctuation\tMinor\t\n"
)
PEARMUT = (
    json.dumps(
        {
            "annotation": [
                {"a": {"score": 70,
                       "error_spans": [{"start_i": 4, "end_i": 8, "category": None, "severity": "major"}],
                       "textfield": None},
                 "b": {"score": 95.5, "error_spans": [], "textfield": "fine"}},
            ],
            "actions": [{"time": 1771311126.056, "action": "load"}, {"time": 1771311292.195, "action": "submit"}],
            "item": [{"item_id": "s1", "src": "Das Haus.", "tgt": {"a": "The horse.", "b": "The house."}}],
            "user_id": "anna",
            "item_i": 0,
        },
        ensure_ascii=False,
    )
    + "\n"
)  # fmt: skip

SAMPLES = {
    "google-mqm": Sample(
        "mqm.tsv", GOOGLE, 4, "mqm", ("penalty",), ("The <v>horse</v>.", "The <v>ho<v>rse</v>.", "line 2, target: <v>")
    ),
    "marot": Sample(
        "marot.tsv",
        "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory\tseverity\tmetadata\n"
        'a\td\t1\t7\tr1\tEins\t<v>On</v>e\tStyle\tMinor\t{"timestamp": 5}\n'
        "b\td\t1\t7\tr1\tEins\tOne\tNo-error\tNo-error\t{}\n",
        2,
        "mqm",
        ("penalty",),
        ("b\td\t1\t7\tr1", "b\td\t1\t7\t", "line 3, rater: there is none"),
    ),
    "mqm-offsets": Sample(
        "errors.tsv",
        "system\tdoc\tdocSegId\tglobalSegId\trater\tstart\tend\tcategory\tseverity\n"
        "a\td\t1\t1\tr3\t10\t12\tFluency/Punctuation\tMinor\n"
        "a\td\t1\t1\tr3\t-1\t-1\tAccuracy/Omission\tMajor\n"
        "a\td\t1\t1\tr3\t-1\t-1\tFound\tHOTW-test\n"
        "b\td\t1\t1\tr3\t-1\t-1\tNo-error\tNo-error\n",
        3,
        "mqm",
        ("penalty",),
        ("\t10\t12\t", "\t12\t10\t", "line 2, spans: a span ends at '10', which is before its start"),
    ),
    "mqm-averages": Sample(
        "mqm.avg_seg_scores.tsv",
        "system mqm_avg_score seg_id\nnobody\tNone 1\na\t-1.333333 1\na\tNone 2\nb\t-0.000000 1\nb\t-5.000000 2\n",
        3,
        "mqm",
        ("score",),
        ("-1.333333", "1.333333", "line 3, value: '1.333333' is not a number to 0"),
    ),
    "mtme-scores": Sample(
        "en-de.mqm.seg.score",
        "nobody\tNone\nnobody\tNone\na\t-1.5\na\tNone\nb\t-0.1\nb\t-25.200000000000003\n",
        3,
        "mqm",
        ("score",),
        ("a\t-1.5", "a\tminus one", "line 3, value: 'minus one' is not a finite number"),
    ),
    "mtme-ratings": Sample(
        "en-de.mqm.merged.seg.rating",
        'a\t{"errors": []}\n'
        'a\t{"errors": [{"start": 3, "end": 5, "category": "style", "severity": "minor", "score": 0.1, '
        '"is_source_error": false}]}\n'
        "b\tNone\n"
        'b\t{"errors": [{"start": 0, "end": 5, "category": "accuracy", "severity": "major", "score": 5.0, '
        '"is_source_error": true}]}\n',
        3,
        "mqm",
        ("penalty",),
        ('a\t{"errors": []}', 'a\t{"errors": 3}', "line 1, rating: spans must be a list of objects"),
    ),
    "wmt-ranking": Sample(
        "wmt16.csv",
        "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n"
        "ron,eng,651,651,judge5,x.online-B,5,x.uedin+x.jhu,5,1627\n"
        "ron,eng,651,651,judge5,x.uedin+x.jhu,1,x.online-B,5,1628\n",
        2,
        "ranking",
        ("overall",),
        ("judge5,x.online-B,5", "judge5,x.online-B,0", "line 2, value: '0.0' is not a whole number from 1"),
    ),
    "wmt-da": Sample(
        "ad-good-stnd.csv",
        "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score time\n"
        "H1\tW1\tcs\ten\tad\t4\tonline.7\t10\tSYSTEM\t177\t0.620848309044951\t931.0\n"
        "H1\tW1\tcs\ten\tad\t4\tonline.7\t10\tREPEAT\t177\t-0.0250276951630604\t931.0\n"
        "H1\tW1\tcs\ten\tad\t4\tonline.7\t10\tBAD_REF\t177\t-1\t931.0\n"
        "H1\tW1\tcs\ten\tad\t4\tonline.7\t10\tREF\t178\t1e-05\t931.0\n",
        4,
        "da",
        ("z",),
        ("\tSYSTEM\t", "\tSISTEM\t", "line 2, type: 'SISTEM' is none of SYSTEM, REPEAT, BAD_REF, REF"),
    ),
    "wmt-da-scores": Sample(
        "ad-seg-scores.csv",
        "SYS SEGID RAW.SCR Z.SCR N SID\na.1 doc::1 39.0 -1.5 2 78\na.1 doc::2 71.5 -8.12e-05 1 79\n",
        4,
        "da",
        ("overall", "z"),
        ("39.0", "139.0", "line 2, value: '139.0' is not a number from 0 to 100"),
    ),
    "appraise": Sample(
        "scores.csv",
        "engdeu01,sys.a,100,TGT,eng,deu,87,doc-1#a,False,[],1711317347.693,1711317347.693\n"
        'engdeu01,sys.b,99,BAD,eng,deu,36,doc-1#b#bad7,False,'
        '"[{""start_i"":4,""end_i"":8,""severity"":""major"",""error_type"":null},'
        '{""start_i"":""missing"",""end_i"":""missing"",""severity"":""minor""}]",1711317247.414,1711317254.82\n',
        2,
        "esa",
        ("overall",),
        ("eng,deu,87,", "eng,deu,870,", "line 1, value: '870.0' is not a number from 0 to 100"),
    ),
    "pearmut": Sample(
        "log.jsonl", PEARMUT, 2, "esa", ("overall",), ('"start_i": 4', '"start_i": "x"', "line 1, annotation: a span")
    ),
    "mlqe-da": Sample(
        "dev.ende.df.short.tsv",
        "index\toriginal\ttranslation\tscores\tmean\tz_scores\tz_mean\tmodel_scores\n"
        '0\tA "house.\tEin Haus.\t[20, 35.5]\t27.75\t[-2.44, 1.5]\t-0.47\t-0.29\n'
        "1\tNo.\tNein.\t[100]\t100.0\t[0.25]\t0.25\t-0.21\n",
        6,
        "da",
        ("overall", "z"),
        ("[20, 35.5]", "[20, many]", "line 2, scores: '[20, many]' is not a list of numbers"),
    ),
    "mlqe-catastrophic": Sample(
        "ende_majority_dev.tsv",
        "8004\tA word\tEin Wort\t[0, 1, 0]\tNOT\n17\tNo\tJa\t[1, 1, 3]\tERR\n",
        6,
        "catastrophic",
        ("catastrophic",),
        ("[0, 1, 0]", "[0, 7, 0]", "line 1, value: '7.0' is not a whole number from 0 to 3"),
    ),
    "parity": Sample(
        "ratings.csv",
        "participant_id,condition,type,exp_item_number,rating\nA,fluency,document,E-1,mt\nA,adequacy,sentence,O-2,tie\n",
        2,
        "preference",
        ("fluency", "adequacy"),
        ("E-1,mt", "E-1,pc", "line 2, rating: 'pc' is none of human, mt, tie"),
    ),
    "parity-table": Sample(
        "results.csv",
        "file_id,file_order,task_id,task_order,wmt_article,wmt_line,level,fluency_rater1,fluency_rater2,adequacy_rater1,"
        "adequacy_rater2,A_origin,B_origin\n1d,1,dd,19,85,1:4,document,human_a,tie,human_a,human_a,human_a,spam\n"
        "2s,2,cd,28,48,6:6,sentence,mt,mt,human_b,tie,mt,human_b\n",
        8,
        "preference",
        ("fluency", "adequacy"),
        ("sentence,mt,", "sentence,human_a,", "line 3, value: 'human_a' is neither the origin of A"),
        writes=False,
    ),
    "parity-sheet": Sample(
        "osaka.csv", "ID,Judgement\nm1s-1,A\nm1d-2,X\n", 2, "preference", ("overall",),
        ("m1s-1,A", "m1s-1,C", "line 2, label: 'C' is none of A, B, X"), writes=False,
    ),
    "parity-errors": Sample(
        "errors.csv", 'Item,Example,Word Order,"Context (Register, etc.)",Notes\n1,A,0,2,"one, two"\n1,B,1,0,\n', 4,
        "error-types", ("Word Order", "Context (Register, etc.)"),
        ("1,B,1,0", "1,B,one,0", "line 3, value: 'one' is not a finite number"), writes=False,
    ),
    "numbers": Sample(
        "target.effort3scores", "5\t5\t4\n4\t3\t3\n", 6, "effort", ("effort",),
        ("4\t3\t3", "4\t3", "line 2, row: 2 cells"),
    ),
    "word-errors": Sample(
        "annotated.en-hr.neural.hyp",
        "Okus|None je|None grozan.|VERB+CASE \nXX|OMISSION Gilmour|NE predmet||None XX|OMISSION XX|PRON+OMISSION \n",
        2, "error-types", ("penalty",), ("je|None", "je", "line 1, word: 'je' has no error type"),
    ),
    "comet-pairs": Sample(
        "pairs.csv", "src,ref,pos,neg\nA,B,C,D\n", 1, "preference", ("overall",),
        ("A,B,C,D", "A,B,C", "line 2, row: 3 cells"),
        writes=False,
    ),
    "comet-scores": Sample(
        "scored.csv", "src,mt,ref,score\nA,B,C,0.5\nE,F,G,0.75\n", 2, "custom", ("overall",),
        ("0.75", "high", "line 3, value: 'high' is not a finite number"), writes=False,
    ),
}  # fmt: skip
ELSEWHERE = {"tsv", "csv", "jsonl", "parquet", "mtme", "mlqe-post-edits"}


def sample_path(name: str, tmp_path: Path, text: str | None = None) -> Path:
    path = tmp_path / SAMPLES[name].file
    path.write_bytes((SAMPLES[name].text if text is None else text).encode())
    return path


def test_every_format_has_a_sample() -> None:
    assert set(SAMPLES) | ELSEWHERE == set(formats())


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_format_is_recognised_and_read(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    path = sample_path(name, tmp_path)
    ratings = read_ratings(path)
    assert len(ratings) == sample.count
    assert ratings.protocols == (sample.protocol,)
    assert ratings.criteria == sample.criteria
    assert ratings.skipped == ()
    assert read_ratings(path, format=name).frame.equals(ratings.frame)


@pytest.mark.parametrize("name", sorted(name for name, sample in SAMPLES.items() if sample.writes))
def test_what_is_read_is_written_byte_for_byte(name: str, tmp_path: Path) -> None:
    path = sample_path(name, tmp_path)
    assert ratings_bytes(read_ratings(path), name).decode() == SAMPLES[name].text


@pytest.mark.parametrize("name", sorted(name for name, sample in SAMPLES.items() if not sample.writes))
def test_a_format_that_is_only_read_says_so(name: str, tmp_path: Path) -> None:
    ratings = read_ratings(sample_path(name, tmp_path))
    with pytest.raises(SpecError, match=f"karat reads {name}, but does not write it; it writes appraise"):
        ratings_bytes(ratings, name)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_no_column_is_lost_on_the_way_through_jsonl(name: str, tmp_path: Path) -> None:
    ratings = read_ratings(sample_path(name, tmp_path))
    write_ratings(ratings, tmp_path / "all.parquet")
    assert read_ratings(tmp_path / "all.parquet").frame.equals(ratings.frame)
    write_ratings(ratings, tmp_path / "all.jsonl", "jsonl")
    again = read_ratings(tmp_path / "all.jsonl", format="jsonl").frame
    assert again.select(sorted(again.columns)).equals(ratings.frame.select(sorted(name for name in again.columns))), (
        "a column that is null everywhere need not come back"
    )


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_a_malformed_row_is_refused_with_its_line_or_skipped(name: str, tmp_path: Path) -> None:
    sample = SAMPLES[name]
    assert sample.bad is not None
    before, after, message = sample.bad
    assert sample.text.count(before) == 1
    path = sample_path(name, tmp_path, sample.text.replace(before, after))
    with pytest.raises(InputError) as caught:
        read_ratings(path, format=name)
    assert f"{path}, {message}" in str(caught.value)
    if sample.text.strip().count("\n") + 1 - (name not in ("appraise", "pearmut")) > 1:
        ratings = read_ratings(path, format=name, skip_bad=True)
        assert 0 < len(ratings) < sample.count + 1
        assert [str(row).startswith(f"{path}, {message}") for row in ratings.skipped] == [True]


OFFSETS = {
    "mqm-offsets": "\t10\t12\t",
    "mtme-ratings": '"start": 3, "end": 5',
    "appraise": '""start_i"":4,""end_i"":8',
    "pearmut": '"start_i": 4, "end_i": 8',
}


@pytest.mark.parametrize("name", sorted(OFFSETS))
@pytest.mark.parametrize("offset", ["1099511627776", "9223372036854775808", "9" * 400, "1e300", "1.5"])
def test_an_offset_that_no_text_is_long_enough_for_is_refused(name: str, offset: str, tmp_path: Path) -> None:
    good = OFFSETS[name]
    assert SAMPLES[name].text.count(good) == 1
    end = re.findall(r"\d+", good)[-1]
    bad = good.removesuffix("\t").removesuffix(end) + offset + "\t" * good.endswith("\t")
    with pytest.raises(InputError, match=r", line \d+, \w+: .*(span|place|number)") as caught:
        read_ratings(sample_path(name, tmp_path, SAMPLES[name].text.replace(good, bad)), format=name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_byte_order_mark_and_crlf_do_not_matter(name: str, tmp_path: Path) -> None:
    ratings = read_ratings(sample_path(name, tmp_path), format=name)
    marked = sample_path(name, tmp_path, "\ufeff" + SAMPLES[name].text.replace("\n", "\r\n"))
    assert read_ratings(marked).frame.equals(ratings.frame)


def test_tags_become_offsets_in_code_points(tmp_path: Path) -> None:
    frame = read_ratings(sample_path("google-mqm", tmp_path)).frame
    spans = frame["spans"].to_list()
    assert [(span["start"], span["end"], span["side"]) for row in spans for span in row] == [
        (4, 9, "target"),
        (0, 3, "target"),
        (0, 2, "source"),
        (4, 5, "target"),
    ]
    assert frame["source"][0] == 'Das "Haus".', "quotation marks mean nothing"
    assert frame["target"].to_list() == ["The horse.", "The house.", "Perhaps.", "כן 👍?"]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[20, 35.5]", f"[{'9' * 400}, 1]", "line 2, scores: '[9"),
        ("[20, 35.5]", "[1e999, 1]", "line 2, value: 'inf' is not a number from 0 to 100"),
        ("\n1\tNo.", "\none\tNo.", "line 3, index: 'one' is not the number of a line, from 0"),
        ("\n1\tNo.", f"\n{'9' * 30}\tNo.", "line 3, index: '9"),
    ],
)
def test_numbers_of_mlqe_beyond_reason_are_refused(old: str, new: str, problem: str, tmp_path: Path) -> None:
    path = sample_path("mlqe-da", tmp_path, SAMPLES["mlqe-da"].text.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_ratings(path)
    assert problem in str(caught.value)


@pytest.mark.parametrize("place", ["9" * 25, "1e308", "-1e308", "0.5"])
def test_offsets_of_mqm_beyond_any_text_are_refused(place: str, tmp_path: Path) -> None:
    path = sample_path("mqm-offsets", tmp_path)
    header, first, *_ = SAMPLES["mqm-offsets"].text.split("\n")
    cells = first.split("\t")
    cells[header.split("\t").index("end")] = place
    path.write_text("\n".join([header, "\t".join(cells), ""]), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2, end: .* is not the place of a character"):
        read_ratings(path)


def test_types_of_errors_are_texts(tmp_path: Path) -> None:
    text = SAMPLES["appraise"].text.replace('""severity"":""minor""', '""severity"":""minor"",""error_type"":[""a"",5]')
    with pytest.raises(InputError, match="error_type is 5"):
        read_ratings(sample_path("appraise", tmp_path, text))


@pytest.mark.parametrize("number", ["9" * 25, "-1e308", "0.5"])
def test_keystrokes_that_no_column_holds_are_refused(number: str, tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(f"rater,system,segment,protocol,value,keystrokes\nr,a,1,da,10,{number}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line 2, keystrokes: .* is not a whole number"):
        read_ratings(path)


def test_the_index_of_mlqe_counts_lines_from_0(tmp_path: Path) -> None:
    assert read_ratings(sample_path("mlqe-da", tmp_path)).frame["segment"].unique().sort().to_list() == ["1", "2"]


def test_an_unclosed_tag_marks_the_rest_and_is_told(tmp_path: Path) -> None:
    text = GOOGLE.replace("כן 👍<v>?</v>", "כן 👍<v>?")
    path = sample_path("google-mqm", tmp_path, text)
    ratings = read_ratings(path)
    assert ratings.frame["spans"].to_list()[-1][0]["end"] == 5
    assert ratings.notes == (f"{path}, line 6, target: <v> is not closed, so the span reaches to the end of the text",)


def test_no_error_beside_an_error_is_refused(tmp_path: Path) -> None:
    text = GOOGLE.replace("literal\td1\t1\t1\tr1", "neural\td1\t1\t1\tr1")
    with pytest.raises(InputError, match="line 4, severity: 'No-error', but the same judgement has other rows"):
        read_ratings(sample_path("google-mqm", tmp_path, text))


def test_attention_tests_are_control_items(tmp_path: Path) -> None:
    frame = read_ratings(sample_path("mqm-offsets", tmp_path)).frame
    assert frame.select("system", "control", pl.col("spans").list.len()).rows() == [
        ("a", None, 2),
        ("a", "gold", 1),
        ("b", None, 0),
    ]


def test_spans_without_text_do_not_fit_into_tags(tmp_path: Path) -> None:
    ratings = read_ratings(sample_path("mqm-offsets", tmp_path))
    with pytest.raises(InputError, match="1 of 3 ratings do not fit into google-mqm"):
        ratings_bytes(ratings, "google-mqm")


def test_what_is_not_judged_is_no_rating_but_remembered(tmp_path: Path) -> None:
    ratings = read_ratings(sample_path("mtme-scores", tmp_path))
    assert ratings.frame.select("system", "segment", "value").rows() == [
        ("a", "1", -1.5),
        ("b", "1", -0.1),
        ("b", "2", -25.200000000000003),
    ]
    assert [(one.system, one.unit) for one in ratings.unjudged] == [("nobody", "1"), ("nobody", "2"), ("a", "2")]
    assert ratings.systems_in_order() == ("nobody", "a", "b")


@pytest.mark.parametrize(
    ("file", "text", "columns"),
    [
        ("en-de.da-sqm.sys.score", "a\t71.25\nb\t80.5\n", ("system", "value")),
        ("en-de.mqm.domain.score", "news\ta\t-1.5\nnews\tb\t-2.5\n", ("domain", "system", "value")),
        ("en-de.ESA-1.seg.score", "a\t47\na\t64\n", ("system", "segment", "value")),
        ("en-de.mqm.doc.score", "a\t-4.5\nb\t-6.25\n", ("system", "document", "value")),
    ],
)
def test_levels_of_mtme_scores(file: str, text: str, columns: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / file
    path.write_text(text, encoding="utf-8")
    ratings = read_ratings(path)
    assert ratings.names("language_pair") == ("en-de",)
    used = [name for name in ratings.frame.columns if ratings.frame[name].null_count() < len(ratings)]
    assert set(used) == {*columns, "language_pair", "protocol", "criterion"}
    assert ratings_bytes(ratings, "mtme-scores").decode() == text


def test_a_directory_of_human_scores(tmp_path: Path) -> None:
    inner = tmp_path / "wmt99" / "human-scores"
    inner.mkdir(parents=True)
    (inner / "en-de.mqm.seg.score").write_text("a\t-1.5\na\tNone\n", encoding="utf-8")
    (inner / "en-de.mqm.seg.rating").write_text('a\t{"errors": []}\na\tNone\n', encoding="utf-8")
    (inner / "de-en.da-sqm.sys.score").write_text("b\t71.5\n", encoding="utf-8")
    assert len(read_ratings(tmp_path / "wmt99")) == 3
    only = read_ratings(inner, language_pair="de-en")
    assert only.frame.select("system", "value", "protocol").rows() == [("b", 71.5, "da-sqm")]
    with pytest.raises(InputError, match="has no human scores of fr-en"):
        read_ratings(inner, language_pair="fr-en")


def test_a_ranking_of_five_becomes_five_rows(tmp_path: Path) -> None:
    names = (
        ",".join(f"system{i}Number,system{i}Id" for i in range(1, 6))
        + ","
        + ",".join(f"system{i}rank" for i in range(1, 6))
    )
    systems = "1,a,2,b,3,c,4,d,5,e"
    path = tmp_path / "wmt13.csv"
    header = f"srclang,trglang,srcIndex,documentId,segmentId,judgeId,{names}"
    path.write_text(f"{header}\ncze,eng,8,doc,8,j1,{systems},1,2,2,5,-1\n", encoding="utf-8")
    ratings = read_ratings(path)
    assert ratings.frame.select("system", "value", "item").rows() == [
        ("a", 1.0, "line 2"),
        ("b", 2.0, "line 2"),
        ("c", 2.0, "line 2"),
        ("d", 5.0, "line 2"),
    ]
    assert len(comparisons(ratings)) == 6
    write_ratings(ratings, path, "wmt-ranking")
    assert read_ratings(path).frame.equals(ratings.frame)


def test_pairs_keep_their_order(tmp_path: Path) -> None:
    pairs = comparisons(read_ratings(sample_path("wmt-ranking", tmp_path)))
    assert pairs.select("first", "second", "outcome", "item").rows() == [
        ("x.online-B", "x.uedin+x.jhu", "tie", "1627"),
        ("x.uedin+x.jhu", "x.online-B", "first", "1628"),
    ]


def test_raw_direct_assessments_are_told_from_standardised_ones(tmp_path: Path) -> None:
    text = SAMPLES["wmt-da"].text.replace("\t-", "\t")
    assert read_ratings(sample_path("wmt-da", tmp_path, text)).criteria == ("overall",)


def test_appraise_spans_end_at_their_last_character(tmp_path: Path) -> None:
    ratings = read_ratings(sample_path("appraise", tmp_path))
    row = ratings.frame.row(1, named=True)
    assert [(span["start"], span["end"], span["side"]) for span in row["spans"]] == [
        (4, 9, "target"),
        (None, None, "missing"),
    ]
    assert (row["control"], row["seconds"], row["language_pair"]) == ("bad-reference", 7.406, "eng-deu")
    assert format_named("appraise").lost(ratings) == {}


def test_appraise_with_categories_is_mqm_and_without_spans_da(tmp_path: Path) -> None:
    text = SAMPLES["appraise"].text.replace('""error_type"":null', '""error_type"":[""Accuracy"",""Omission""]')
    path = sample_path("appraise", tmp_path, text)
    ratings = read_ratings(path)
    assert (ratings.protocols, ratings.frame["value"].to_list()) == (("mqm",), [None, None])
    assert ratings.frame["spans"].to_list()[1][0]["category"] == "Accuracy/Omission"
    assert ratings_bytes(ratings, "appraise").decode() == text
    plain = "u1,a,1,TGT,eng,deu,50,doc#a,False,1.5,2.5\nu1,b,2,CHK,eng,deu,51,doc#b,True,1.5,2.75\n"
    path.write_text(plain, encoding="utf-8")
    ratings = read_ratings(path)
    assert (ratings.protocols, ratings.frame["control"].to_list()) == (("da",), [None, "repeat"])
    assert ratings_bytes(ratings, "appraise").decode() == plain


def test_appraise_tutorials_are_control_items_and_untimed_rows_have_no_time(tmp_path: Path) -> None:
    text = (
        "u1,ende-tutorial1,2,TGT,eng,deu,5,ende-tutorial1,False,[],3.0,3.5\n"
        "u1,ende-tutorial1,1,BAD,eng,deu,5,ende-tutorial1,False,[],2.0,2.5\n"
        "u1,a,3,TGT,eng,deu,80,doc#a,False,[],4.0,4.0\n"
        "u1,tutorial-net,3,TGT,eng,deu,80,doc#tutorial-net,False,[],4.0,5.0\n"
    )
    ratings = read_ratings(sample_path("appraise", tmp_path, text))
    assert ratings.frame["control"].to_list() == ["tutorial", "bad-reference", None, None]
    assert ratings.frame["seconds"].to_list() == [0.5, 0.5, None, 1.0]
    assert ratings_bytes(ratings, "appraise").decode() == text


def test_pearmut_downloads_campaigns_tutorials_and_resets(tmp_path: Path) -> None:
    entry = json.loads(PEARMUT)
    reset = {"user_id": "anna", "item_i": 0, "annotation": "RESET"}
    tutorial = {**entry, "item_i": "welcome_0"}
    other = {**entry, "user_id": "bert"}
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps({"camp": [entry, reset, tutorial, other]}), encoding="utf-8")
    ratings = read_ratings(path)
    assert ratings.frame.select("rater", "system", "control", "extra:campaign").rows() == [
        ("anna", "a", "tutorial", "camp"),
        ("anna", "b", "tutorial", "camp"),
        ("bert", "a", None, "camp"),
        ("bert", "b", None, "camp"),
    ]
    assert ratings.notes == (f"{path}: 1 entries were reset by their users, and are not read",)
    span = ratings.frame["spans"].to_list()[0][0]
    assert "The horse."[span["start"] : span["end"]] == "horse"


def test_of_what_was_submitted_twice_in_pearmut_the_last_counts(tmp_path: Path) -> None:
    first, other = json.loads(PEARMUT), json.loads(PEARMUT) | {"item_i": 1}
    again = json.loads(PEARMUT)
    again["annotation"][0]["a"]["score"] = 7
    fewer = json.loads(PEARMUT)
    del fewer["annotation"][0]["a"]
    path = tmp_path / "annotations.json"
    path.write_text(json.dumps([first, other, again, fewer]), encoding="utf-8")
    ratings = read_ratings(path)
    assert ratings.frame.filter(system="a").select("item", "value").rows() == [
        ("1", first["annotation"][0]["a"]["score"]),
        ("0", 7.0),
    ]
    assert len(ratings) == 5
    assert ratings.notes == (f"{path}: 1 entries were submitted anew later, and are not read",)
    path.write_text(json.dumps([first, other, {"user_id": "anna", "annotation": "__RESET__"}, again]), encoding="utf-8")
    ratings = read_ratings(path)
    assert ratings.frame.filter(system="a").select("item", "value").rows() == [("0", 7.0)]
    assert ratings.notes == (f"{path}: 2 entries were reset by their users, and are not read",)


def test_sliders_of_pearmut_are_criteria_of_their_own(tmp_path: Path) -> None:
    entry = json.loads(PEARMUT)
    spans = entry["annotation"][0]["a"]["error_spans"]
    answers = {
        "a": {"score": None, "error_spans": spans, "textfield": "hm", "sliders": {"Fluency": 3, "XSTS": 4.5}},
        "b": {"score": None, "error_spans": [], "textfield": None, "sliders": {"Fluency": 0, "XSTS": 1}},
    }
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(entry | {"annotation": [answers]}) + "\n", encoding="utf-8")
    ratings = read_ratings(path)
    assert ratings.protocols == ("custom",)
    assert ratings.frame.select("system", "criterion", "value", "comment").rows() == [
        ("a", "Fluency", 3.0, "hm"),
        ("a", "XSTS", 4.5, None),
        ("b", "Fluency", 0.0, None),
        ("b", "XSTS", 1.0, None),
    ]
    assert [None if each is None else len(each) for each in ratings.frame["spans"].to_list()] == [1, None, 0, None]
    assert json.loads(ratings_bytes(ratings, "pearmut"))["annotation"] == [answers]


def test_pearmut_counts_as_browsers_do_and_marks_tokens_behind_the_text(tmp_path: Path) -> None:
    text = "Na \U0001f44d\U0001f3fd: 好的 a\u0301!"
    units = len(text.encode("utf-16-le")) // 2
    marked = {"\U0001f44d\U0001f3fd": (3, 6), "好的": (9, 10), "a\u0301": (12, 13), "!": (14, 14), None: (units, units)}
    spans = [{"start_i": start, "end_i": end, "severity": "major", "category": None} for start, end in marked.values()]
    answer = {"a": {"score": 5, "error_spans": spans, "textfield": None}}
    item = {"src": "x", "tgt": {"a": text}, "item_id": "1"}
    entry = {"annotation": [answer], "item": [item], "actions": [], "user_id": "u", "item_i": 0}
    path = tmp_path / "log.jsonl"
    path.write_text(json.dumps(entry) + "\n", encoding="utf-8")
    ratings = read_ratings(path)
    found = ratings.frame["spans"].to_list()[0]
    assert [(span["start"] is not None and text[span["start"] : span["end"]]) or None for span in found] == [*marked]
    assert [span["side"] for span in found] == ["target"] * 4 + ["missing"]
    written = json.loads(ratings_bytes(ratings, "pearmut"))
    assert written["annotation"] == [answer]
    for beyond in ({"start_i": 2, "end_i": units}, {"start_i": units + 100, "end_i": units + 100}):
        spans[:] = [beyond]
        path.write_text(json.dumps(entry) + "\n", encoding="utf-8")
        with pytest.raises(InputError, match="beyond the end of the text"):
            read_ratings(path)


@given(text=st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=20), data=st.data())
@settings(max_examples=examples(60))
def test_spans_of_any_text_go_into_the_form_of_pearmut_and_back(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start, len(text)))
    first, last = pearmut._units_of(text, {"start": start, "end": end})
    assert text.encode("utf-16-le")[2 * int(first) : 2 * int(last) + 2].decode("utf-16-le") == text[start:end]
    assert pearmut._place_in(text, int(first), int(last)) == (start, end)


def test_rankings_of_any_length_come_back_from_the_form_of_wmt(tmp_path: Path) -> None:
    systems = {"r1": {"a": 2, "b": 1, "c": 2, "d": 4, "e": 5}, "r2": {"c": 1, "a": 1}, "r3": {"b": 3, 'd, or "e"': 1}}
    rows = [
        {"rater": "anna", "segment": "7", "document": "news", "language_pair": "de-en", "item": item, "system": system,
         "value": float(rank), "protocol": "ranking", "criterion": "overall", "extra:srcIndex": "7"}
        for item, ranks in systems.items() for system, rank in ranks.items()
    ]  # fmt: skip
    ratings = Ratings.of(pl.DataFrame(rows))
    path = tmp_path / "rankings.csv"
    write_ratings(ratings, path, "wmt-ranking")
    again = read_ratings(path)
    assert again.frame.select(*rows[0]).rows() == ratings.frame.select(*rows[0]).rows()
    assert comparisons(again).rows() == comparisons(ratings).rows()
    assert format_named("wmt-ranking").lost(ratings) == {}
    half = Ratings.of(pl.DataFrame([*rows, rows[0], {**rows[1], "value": 1.5}, {**rows[1], "item": None}]))
    assert format_named("wmt-ranking").writable(half).to_list() == [True] * len(rows) + [False] * 3


def test_post_edits_of_a_directory(tmp_path: Path) -> None:
    texts = {
        "src": "a b\nc\n",
        "mt": "x y\nz\n",
        "pe": "x q\nz\n",
        "hter": "0.500000\n0.000000\n",
        "tags": "OK OK OK BAD OK\nOK OK OK\n",
        "source_tags": "OK BAD\nOK\n",
    }
    directory = tmp_path / "en-de-dev"
    directory.mkdir()
    for part, text in texts.items():
        (directory / f"dev.{part}").write_text(text, encoding="utf-8")
    ratings = read_ratings(directory)
    assert ratings.protocols == ("post-edit", "word-tags")
    assert ratings.frame["post_edit"].to_list()[:2] == ["x q", "z"]
    write_ratings(ratings, tmp_path / "again", "mlqe-post-edits")
    assert {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "again").iterdir()} == {
        f"dev.{part}": text for part, text in texts.items()
    }
    (directory / "dev.tags").write_text("OK OK OK BAD OK\nOK OK\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2, label: the number of tags does not fit the words of the target"):
        read_ratings(directory)
    (directory / "dev.pe").write_text("x q\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"\.mt has 2 lines, and \.pe has 1"):
        read_ratings(directory)


def test_standard_input_is_recognised_by_its_first_line(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stdin:
        def __init__(self, data: bytes) -> None:
            self.pieces = [data]
            self.buffer = self

        def read(self, size: int) -> bytes:  # noqa: ARG002
            return self.pieces.pop() if self.pieces else b""

    monkeypatch.setattr("sys.stdin", Stdin(GOOGLE.encode()))
    assert len(read_ratings("-")) == 4


def test_ratings_of_several_files_stay_in_order(tmp_path: Path) -> None:
    one = read_ratings(sample_path("mtme-scores", tmp_path))
    both = Ratings.concat([one, one])
    assert len(both) == 6
    assert [place.after for place in both.unjudged] == [0, 0, 1, 3, 3, 4]


@pytest.mark.parametrize("absent", ["mt", "pe"])
def test_post_edits_without_one_of_their_files_are_refused(absent: str, tmp_path: Path) -> None:
    for part in {"src", "mt", "pe"} - {absent}:
        (tmp_path / f"dev.{part}").write_text("a b\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"has no \*\.{absent}: post-edits are read with what they correct"):
        read_ratings(tmp_path, format="mlqe-post-edits")
