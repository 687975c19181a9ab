"""Files of annotations: CoNLL-U, trees, JSONL; what is wrong with one is told with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.annotations import annotated, annotation_of

import karat
from karat.corpus import Corpus
from karat.corpus.files import InputFile
from karat.corpus.readers.annotations import read_annotations, read_placed
from karat.errors import InputError
from karat.text import TextColumn
from karat.text.annotation import Annotation, Annotations, Span
from karat.text.annotation.jsonform import to_text

CONLLU = """# newdoc
1-2\tAuntie's\t_\t_\t_\t_\t_\t_\t_\t_
1\tAuntie\tauntie\tPROPN\tNNP\t_\t3\tnmod\t_\tner=B-PER|chunk=B-NP
2\t's\t's\tPART\tPOS\t_\t1\tcase\t_\tchunk=I-NP
3\thats\that\tNOUN\tNNS\t_\t0\troot\t_\tchunk=B-NP
3.1\tgone\t_\t_\t_\t_\t_\t_\t_\t_

1\tYes\tyes\tINTJ\tUH\t_\t0\troot\t_\t_
"""


def written(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_conllu_has_all_that_its_columns_have(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conllu", CONLLU)
    first, second = read_annotations(path, TextColumn.of(["Auntie's hats", "Yes"]), "a")
    assert first == Annotation(
        tokens=("Auntie", "'s", "hats"),
        lemmas=("auntie", "'s", "hat"),
        pos=("PROPN", "PART", "NOUN"),
        tags=("NNP", "POS", "NNS"),
        heads=(2, 0, -1),
        relations=("nmod", "case", "root"),
        chunks=(Span("NP", 0, 2), Span("NP", 2, 3)),
        entities=(Span("PER", 0, 1),),
    )
    assert second.layers == first.layers
    assert [one.line for one in read_placed(InputFile(path))] == [3, 8]


def test_sentences_of_a_segment_are_told_by_comments(tmp_path: Path) -> None:
    numbered = CONLLU.replace("# newdoc", "# segment = 2\n# newdoc").replace("1\tYes", "# segment = 2\n1\tYes")
    path = written(tmp_path / "a.conllu", f"{numbered}\n# segment = 3\n\n")
    empty, both, last = read_annotations(path, TextColumn.of(["", "Auntie's hats Yes", " "]), "a")
    assert (empty.tokens, last.tokens) == ((), ())
    assert both.heads == (2, 0, -1, -1)


def test_columns_that_say_nothing_are_no_layers(tmp_path: Path) -> None:
    path = written(tmp_path / "a.conllu", "1\ta\t_\tDET\t_\t_\t_\t_\t_\t_\n2\t_\t_\tSYM\t_\t_\t_\t_\t_\t_\n")
    assert read_annotations(path, TextColumn.of(["a _"]), "a").layers == ("pos",)


def test_chunks_in_other_marks(tmp_path: Path) -> None:
    marks = ["I-NP", "E-NP", "S-NP", "O", "B-VP", "I-NP"]
    lines = [f"{i}\tw\t_\tX\t_\t_\t_\t_\t_\tChunk={mark}" for i, mark in enumerate(marks, 1)]
    path = written(tmp_path / "a.conllu", "\n".join(lines))
    (only,) = read_annotations(path, TextColumn.of(["w w w w w w"]), "a")
    assert only.chunks == (Span("NP", 0, 2), Span("NP", 2, 3), Span("VP", 4, 5), Span("NP", 5, 6))


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("a.conllu", CONLLU.replace("\t3\tnmod", "\t4\tnmod"), r"line 3: the head of 'Auntie' is 4, .* words 1 to 3"),
        ("a.conllu", CONLLU.replace("\t3\tnmod", "\t_\tnmod"), r"line 3: the head of 'Auntie' is _"),
        ("a.conllu", CONLLU.replace("\t3\tnmod", "\t2\tnmod"), r"line 3: the heads of token 1 \('Auntie'\) lead back"),
        ("a.conllu", CONLLU.replace("\n3\t", "\n4\t"), r"line 5: the word has the number 4, and 3 is next"),
        ("a.conllu", CONLLU.replace("\tUH", " UH"), r"line 8: 9 columns; a word of CoNLL-U has 10"),
        ("a.conllu", f"# segment = 1\n{CONLLU}", r"line 9: the sentence has no comment '# segment = NUMBER'"),
        ("a.conllu", "# segment = 0\n\n", r"line 1: segment 0 is out of order"),
        ("a.conllu", "# segment = 99999999999\n\n", r"line 1: segment 99999999999 is too high: 10,000,000"),
        ("a.conllu", f"# segment = {'9' * 5000}\n\n", r"line 1: segment 9+ is too high"),
        ("a.conllu", CONLLU.replace("\t3\tnmod", f"\t{'9' * 5000}\tnmod"), r"line 3: the head of 'Auntie' is 999"),
        ("a.conllu", CONLLU.replace("\t3\tnmod", "\t٣\tnmod"), r"line 3: the head of 'Auntie' is ٣"),
        ("a.conllu", CONLLU.replace("1\tAuntie\t", "1\t\t"), r"line 3: column 2 is empty; write _"),
        ("a.conllu", CONLLU.partition("\n\n")[0], r"line 3: there are annotations of 1 segment, but out has 2"),
        ("a.conllu", f"{CONLLU}\n{CONLLU}", r"line 12: there are annotations of 4 segments, but out has 2"),
        (
            "a.conllu",
            CONLLU.replace("Auntie\t", "X\t").replace("hats", "Y").replace("Yes", "Z"),
            r"line 3: most of the",
        ),
        (
            "a.trees",
            "(S (NN hats))\n(S (NN Yes)\n",
            r"line 2: a bracket is not closed; each segment stands on one line",
        ),
        ("a.jsonl", '{"tokens": ["hats"]}\n{"tokens": 3}\n', r"line 2: tokens is not a list"),
        ("a.jsonl", '{"tokens": ["hats"]}\n{"tokens": \n', r"line 2: not valid JSON"),
        ("a.jsonl", "", r"line 1: there are annotations of 0 segments"),
        ("a.txt", "", r"cannot be read as annotations: name it .conllu, .trees"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(name: str, text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{name}.*{problem}"):
        read_annotations(written(tmp_path / name, text), TextColumn.of(["Auntie's hats", "Yes"]), "out")


def test_what_parsers_change_in_some_words_does_not_matter(tmp_path: Path) -> None:
    path = written(tmp_path / "a.trees", "(X (-LRB- -LRB-) (NN a) (-RRB- -RRB-))\n(X (`` ``) (NN b) ('' ''))\n")
    assert len(read_annotations(path, TextColumn.of(["(a)", '"b"']), "out")) == 2


TEXTS = ["the cat sat", "", "a dog"]


def test_texts_of_a_corpus_are_annotated_by_name(tmp_path: Path) -> None:
    lines = "".join(f"{to_text(annotation_of(text))}\n" for text in TEXTS)
    path = written(tmp_path / "texts.jsonl", lines)
    corpus = Corpus.of(systems={"a": TEXTS, "ref": TEXTS}, references={"ref": TEXTS}, source=TEXTS)
    known = annotated(TEXTS).given_annotations
    assert known is not None
    found = corpus.annotated({"a": path, "reference:ref": known, "source": list(known)})
    for column in (found.systems["a"], found.references["ref"].text, found.source):
        assert column is not None
        assert column.given_annotations == known
    assert found.systems["ref"].given_annotations is None
    assert found.slice(1, 3).references_for().column.given_annotations == known[1:]
    with pytest.raises(
        InputError,
        match=r"annotations of b: there is no system, reference or source 'b'. There is: a, ref, reference:ref, source",
    ):
        corpus.annotated({"b": path})
    with pytest.raises(InputError, match=r"annotations of source: there is no source text: add -s FILE"):
        Corpus.of(systems={"a": TEXTS}, references={"r": TEXTS}).annotated({"source": path})
    with pytest.raises(InputError, match="that text has some already"):
        Corpus.of(systems={}, references={"r": TEXTS}).annotated({"r": path, "reference": path})


def test_references_that_some_segments_lack_keep_their_annotations() -> None:
    first, second = ["a", None, "c"], ["x", "y", None]
    corpus = Corpus.of(systems={"s": ["a", "b", "c"]}, references={"one": first, "two": second})
    known = {
        name: Annotations.of(None if text is None else annotation_of(text) for text in texts)
        for name, texts in (("one", first), ("two", second))
    }
    column = corpus.annotated(known).references_for().column
    assert column.given_annotations is not None
    assert [one.tokens for one in column.given_annotations] == [("a",), ("x",), ("y",), ("c",)]
    assert column.to_list() == ["a", "x", "y", "c"]


def test_from_python_annotations_are_given_by_name() -> None:
    with pytest.raises(InputError, match="want one for each segment"):
        karat.score(["a"], [["a", "b"]], annotations={"reference": Annotations.of([annotation_of("a")])})
