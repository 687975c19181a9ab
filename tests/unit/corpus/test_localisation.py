"""XLIFF and TMX as translators' tools write them: machine output beside its post-edit, ids and codes that differ."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.contract.commands import run

from karat.corpus import load_corpus, read_corpus
from karat.corpus.model import split_language_pair
from karat.errors import InputError


def unit(number: str, source: str, target: str, *alternatives: str) -> str:
    texts = f"<source>{source}</source><target>{target}</target>"
    return f'<trans-unit id="{number}">{texts}{"".join(alternatives)}</trans-unit>'


def alternative(text: str, attributes: str = 'origin="engine"') -> str:
    return f"<alt-trans {attributes}><target>{text}</target></alt-trans>"


def xliff(*units: str, original: str = "a.docx") -> str:
    return (
        f'<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="{original}" '
        f'source-language="en" target-language="de"><body>{"".join(units)}</body></file></xliff>'
    )


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_machine_output_and_post_edit_in_one_file(tmp_path: Path) -> None:
    units = (
        unit("1", "a", "b", alternative("c"), alternative("worse"), alternative("no", 'alttranstype="rejected"')),
        unit("2", "d", "e", alternative("f <g>g</g><ph>x</ph>"), alternative("memory", 'origin="memory"')),
    )
    corpus = read_corpus(write(tmp_path / "job.xlf", xliff(*units)))
    assert {name: column.to_list() for name, column in corpus.systems.items()} == {"engine": ["c", "f g"]}
    assert corpus.references["target"].to_list() == ["b", "e"]


def test_an_origin_that_some_units_lack_is_named_where_nothing_else_is_left(tmp_path: Path) -> None:
    path = write(tmp_path / "job.xlf", xliff(unit("1", "a", "b", alternative("c")), unit("2", "d", "e")))
    done = run("score", "--corpus", str(path), "-m", "chrf")
    assert done.code == 2
    assert "no system's output (not every segment has one of engine), so there is nothing to score" in done.err


def test_the_targets_are_the_output_of_a_system_whose_name_is_another(tmp_path: Path) -> None:
    path = write(tmp_path / "job.xlf", xliff(unit("1", "a", "b", alternative("c", ""))))
    corpus = load_corpus(path, [("job", path), ("alt-trans", path)])
    assert {name: column.to_list() for name, column in corpus.systems.items()} == {"job": ["b"], "alt-trans": ["c"]}


def test_units_of_files_with_other_originals_are_joined_by_id(tmp_path: Path) -> None:
    reference = write(tmp_path / "pe.xlf", xliff(unit("1", "a", "A"), unit("2", "b", "B")))
    system = write(tmp_path / "mt.xlf", xliff(unit("2", "b", "y"), unit("1", "a", "x"), original="b.docx"))
    assert load_corpus(reference, [("mt", system)]).systems["mt"].to_list() == ["x", "y"]


def test_units_with_other_ids_are_joined_by_place_where_the_sources_are_the_same(tmp_path: Path) -> None:
    reference = write(tmp_path / "pe.xlf", xliff(unit("1", "a", "A"), unit("2", "b", "B")))
    system = write(tmp_path / "mt.xlf", xliff(unit("x1", "a", "x"), unit("x2", "b", "y")))
    assert load_corpus(reference, [("mt", system)]).systems["mt"].to_list() == ["x", "y"]
    other = write(tmp_path / "other.xlf", xliff(unit("x1", "a", "x"), unit("x2", "c", "y")))
    with pytest.raises(InputError, match=r"segment 1 of document a\.docx is in .*pe\.xlf, but not in .*other\.xlf"):
        load_corpus(reference, [("mt", other)])


def tmx(*codes: str) -> str:
    variants = "".join(f'<tuv xml:lang="{code}"><seg>{code}</seg></tuv>' for code in codes)
    return f'<tmx version="1.4"><header srclang="*all*"/><body><tu>{variants}</tu></body></tmx>'


@pytest.mark.parametrize("pair", ["en-de", "en_US-de_DE", "en-US-de-DE", "EN-de_de", "en_US_x-de"])
def test_language_codes_need_not_be_written_in_full(pair: str, tmp_path: Path) -> None:
    corpus = read_corpus(write(tmp_path / "m.tmx", tmx("en-US", "de-DE", "fr-FR")), language_pair=pair)
    assert corpus.references["target"].to_list() == ["de-DE"]


@pytest.mark.parametrize("pair", ["en-de", "en_US-de_DE", "EN-de_de"])
def test_languages_of_xliff_are_matched_by_prefix(pair: str, tmp_path: Path) -> None:
    path = write(tmp_path / "job.xlf", xliff(unit("1", "a", "b", alternative("c"))).replace('"de"', '"de-DE"'))
    assert read_corpus(path, language_pair=pair).systems["engine"].to_list() == ["c"]
    for other, message in (
        ("en-fr", "no target text in fr, only in de-DE"),
        ("cs-de", "no source text in cs, only in en"),
    ):
        with pytest.raises(InputError, match=message):
            read_corpus(path, language_pair=other)


def test_what_the_message_suggests_works(tmp_path: Path) -> None:
    path = write(tmp_path / "m.tmx", tmx("en-US", "de-DE", "de-AT"))
    with pytest.raises(InputError, match="name the language pair that is meant, such as -l en_US-de_DE") as caught:
        read_corpus(path)
    suggested = str(caught.value).rpartition(" ")[2]
    assert read_corpus(path, language_pair=suggested).references["target"].to_list() == ["de-DE"]
    with pytest.raises(InputError, match="has texts in de-DE, de-AT, and de may be any of them"):
        read_corpus(path, language_pair="en-de")
    with pytest.raises(InputError, match="has no text in fr, only in en-US, de-DE, de-AT"):
        read_corpus(path, language_pair="en-fr")


def test_codes_of_wmt_xml(tmp_path: Path) -> None:
    text = (
        '<dataset><doc id="d"><src lang="en"><p><seg id="1">a</seg></p></src>'
        '<ref lang="de_DE"><p><seg id="1">b</seg></p></ref>'
        '<ref lang="fr"><p><seg id="1">c</seg></p></ref></doc></dataset>'
    )
    corpus = read_corpus(write(tmp_path / "t.xml", text), language_pair="en-de")
    assert [column.to_list() for column in corpus.references.values()] == [["b"]]


def test_pairs_that_are_none() -> None:
    for pair in ("en", "en-", "en-de-fr", "a-b-c"):
        with pytest.raises(InputError, match="is not a language pair"):
            split_language_pair(pair)
