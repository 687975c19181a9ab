from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karat.corpus import Corpus, read_corpus, write_corpus
from karat.corpus.model import PartialTexts
from karat.errors import InputError, SpecError

ANY = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
CELL = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\t\n\r"), max_size=12)


@st.composite
def corpora(draw: st.DrawFn, text: st.SearchStrategy[str], least: int) -> Corpus:
    size = draw(st.integers(1, 4))
    full = text.filter(lambda value: len(value) >= least)

    def column(values: st.SearchStrategy[str | None]) -> list[str | None]:
        return draw(st.lists(values, min_size=size, max_size=size))

    optional: st.SearchStrategy[str | None] = st.none() | full
    references: dict[str, PartialTexts] = {"refA": column(full), "B": column(optional)}
    return Corpus.of(
        systems={"a": column(text), "b c:d": column(text)},  # type: ignore[dict-item]
        references=references,
        source=draw(st.none() | st.lists(text, min_size=size, max_size=size)),
        targeted={"a": column(full)} if draw(st.booleans()) else {},
        documents=draw(st.none() | st.lists(full, min_size=size, max_size=size)),
        domains=draw(st.none() | st.lists(full, min_size=size, max_size=size)),
        ids=draw(st.none() | st.lists(full, min_size=size, max_size=size, unique=True)),
        language_pair=draw(st.sampled_from([None, "en-de"])),
    )


def round_trip(corpus: Corpus, name: str) -> Corpus:
    with TemporaryDirectory() as directory:
        path = Path(directory) / name
        write_corpus(corpus, path)
        return read_corpus(path)


@settings(max_examples=60)
@given(corpora(ANY, 0))
def test_jsonl_holds_any_corpus(corpus: Corpus) -> None:
    again = round_trip(corpus, "x.jsonl")
    assert again.content_hash == corpus.content_hash
    assert again.language_pair == corpus.language_pair
    assert list(again.systems) == list(corpus.systems)
    assert list(again.references) == list(corpus.references)


@settings(max_examples=60)
@given(corpora(CELL, 1))
def test_tsv_holds_any_text_of_one_line(corpus: Corpus) -> None:
    again = round_trip(corpus, "x.tsv")
    assert again.content_hash == corpus.content_hash
    assert again.language_pair == corpus.language_pair


@pytest.mark.parametrize("text", ["a\tb", "a\nb", "a\r"])
def test_tsv_refuses_what_it_cannot_hold(text: str, tmp_path: Path) -> None:
    corpus = Corpus.of(systems={"a": ["x", text]}, references=["r", "s"])
    with pytest.raises(InputError, match=r"segment 2: the text of system:a has a tab or a line end.* use JSONL"):
        write_corpus(corpus, tmp_path / "x.tsv")
    assert not (tmp_path / "x.tsv").exists()


def test_tsv_refuses_empty_references(tmp_path: Path) -> None:
    corpus = Corpus.of(systems={"a": ["x", ""]}, references=["r", ""])
    with pytest.raises(InputError, match="segment 2: the text of reference:ref is empty"):
        write_corpus(corpus, tmp_path / "x.tsv")


def test_unknown_formats_and_places(tmp_path: Path) -> None:
    corpus = Corpus.of(systems={"a": ["x"]}, references=["r"])
    with pytest.raises(SpecError, match=r"cannot write the format 'jsonn'\. Did you mean jsonl"):
        write_corpus(corpus, tmp_path / "x.jsonn")
    with pytest.raises(InputError, match="cannot write"):
        write_corpus(corpus, tmp_path / "nowhere" / "x.tsv")
    write_corpus(corpus, tmp_path / "x.out", format="jsonl")
    assert (tmp_path / "x.out").read_text() == '{"segment": "1", "references": {"ref": "r"}, "systems": {"a": "x"}}\n'
