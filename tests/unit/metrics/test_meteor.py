"""METEOR: scores that its program printed, and the program itself on sentences in six languages."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.oracles import meteor_text as oracle
from tests.oracles.meteor_jar import statistics
from tests.oracles.records import record

from karat import kernels
from karat.corpus.references import References
from karat.errors import InputError, MissingResourceError, SpecError
from karat.metrics.meteor import Meteor
from karat.metrics.reading.meteor import MeteorTokenizer
from karat.registry import metric

RECORDS = {
    "o01": "meteor",
    "o02": "meteor(modules=exact,normalize=false)",
    "o03": "meteor(modules=exact,normalize=false,alpha=0.9,beta=3,gamma=0.5,delta=0.5)",
    "o04": "meteor(modules=exact,normalize=false,parameters=independent)",
    "o05": "meteor(modules=exact+stem+synonym)",
    "o06": "meteor(language=en)",
}

PAIRS = {
    "en": [
        ("The two boats weren't sold to Mr. Hale's sister, were they?", "Mr. Hale's sisters did not buy both boats."),
        ("In the U.S. she paid $3,500.50 for it -- too much.", "She paid 3,500.50 dollars in the U.S.; far too much!"),
        ("He “never” walked home at night", "At night he never walks “home”."),
        ("", "An empty line has no words ."),
        ("The same line.", "The same line."),
    ],
    "de": [
        ("Die Boote wurden am 5. Mai verkauft, z.B. an Dr. Weber.", "Das Boot hat er am 5. Mai an Dr. Weber verkauft."),
        ("Im Norden regnete es stark.", "Es regnet stark im Norden."),
    ],
    "cs": [("Loď byla prodána v pátek, č. 5.", "V pátek prodali loď č. 5."), ("Prší na severu.", "Na severu prší.")],
    "fr": [("L'homme n'a pas vendu le bateau.", "L'homme a vendu les bateaux hier."), ("Il pleut", "Il pleuvait")],
    "es": [("Los barcos fueron vendidos ayer.", "Ayer vendieron el barco."), ("Llueve mucho.", "Llovía mucho.")],
    "ru": [
        ("Лодки были проданы вчера.", "Вчера лодка была продана."),
        ("На севере идёт дождь.", "Дождь шёл на севере."),
    ],
}
TABLE = [
    ("boats", "boat"),
    ("did not buy", "weren't sold"),
    ("was sold", "bought"),
    ("er", "wurden"),
    ("v pátek", "byla"),
]


@pytest.mark.parametrize(("number", "spec"), RECORDS.items())
def test_scores_are_those_that_the_program_printed(shared_spec: Path, number: str, spec: str) -> None:
    known = record(shared_spec, number)
    rows = metric(spec).prepare(References.from_streams(known["refs"])).rows(known["hyps"])
    assert rows.unit_scores() / 100 == pytest.approx(known["seg_scores"], abs=1e-12)
    assert rows.score / 100 == pytest.approx(known["corpus_score"], abs=1e-12)


@pytest.mark.parametrize("language", sorted(PAIRS))
@pytest.mark.parametrize("punctuation", [True, False])
def test_statistics_are_those_of_the_program(language: str, punctuation: bool, tmp_path: Path) -> None:
    table = tmp_path / "table.gz"
    table.write_bytes(gzip.compress("".join(f"0.5\n{one}\n{other}\n" for one, other in TABLE).encode()))
    modules = "exact+paraphrase" if language == "cs" else "exact+stem+paraphrase"
    chosen = {"paraphrases": str(table), "function_words": "released"}
    one = Meteor(language=language, modules=modules, punctuation=punctuation, **chosen)
    hypotheses, references = [list(side) for side in zip(*PAIRS[language], strict=True)]
    code = "cz" if language == "cs" else language
    options = ["-l", code, "-norm", "-a", str(table), *([] if punctuation else ["-noPunct"])]
    expected = statistics(hypotheses, [[line] for line in references], modules, *options)
    assert one.prepare(references).values(hypotheses).tolist() == expected.tolist()


def test_synonyms_and_several_references_are_those_of_the_program() -> None:
    hypotheses = ["he bought an auto and went home fast", "the shore was near", "kids ran"]
    references = [
        ["he purchased a car and drove home quickly", "a car was bought , then he went fast"],
        ["it was close to the bank"] * 2,
        ["the child was running", "children run"],
    ]
    modules = "exact+stem+synonym"
    expected = statistics(hypotheses, references, modules, "-l", "en", "-p", "0.85 0.2 0.6 0.75")
    one = Meteor(modules=modules, normalize=False, stem=1, synonym=1)
    assert one.prepare(references).values(hypotheses).tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("language", "line", "words"),
    [
        ("en", "Mr. O'Neil's 'well-known' U.S. tour…", "mr. o 'neil 's ' well known ' us tour …"),
        ("en", "No. 5, no. six -- “quoted” ``twice''...", 'no. 5 , no. six - " quoted " " twice " ...'),
        ("fr", "L'homme d'ici", "l' homme d' ici"),
        ("de", "Am 5. Mai, z.B. 3,5 kg.", "am 5. mai , zb 3,5 kg ."),
        ("hi", "पाठ। दो", "पाठ । दो"),
    ],
)
def test_text_is_cut_as_by_the_program(language: str, line: str, words: str) -> None:
    column = MeteorTokenizer(language=language).normalize(kernels.Text([line, ""]))
    assert column.to_list() == [words, ""]


MARKS = ".,'-`‘’“”– \n\u3000()/\"…。"
LETTERS = "asMéŽИԨ漢ΣÖ×z05٣😀"
# Rules are about marks, and what a match takes from the next one shows where they are dense.
LINES = st.lists(st.text(st.sampled_from(MARKS * 2 + ".,'-" * 4 + LETTERS + "as5M"), max_size=24), max_size=4)


@settings(max_examples=400)
@given(LINES, st.sampled_from(["en", "fr", "de"]), st.booleans())
@example(["a,é,b 5,a,5", "''' 5's s's s'5 '' 5'a"], "en", True)
@example(["M. a M. 5 M. M é. 5 é. .. a.. ..a. M.5. 5.5."], "fr", False)
def test_the_normaliser_equals_its_definition(lines: list[str], language: str, punctuation: bool) -> None:
    always, before_numbers = frozenset({"M", "aé"}), frozenset({"é", "s"})
    chosen = {"punctuation": punctuation, "always": always, "before_numbers": before_numbers}
    found = kernels.meteor_normalize(kernels.Text(lines), language, **chosen, threads=2)
    assert found.to_list() == [oracle.normalize(line, language, **chosen) for line in lines]


def test_the_normaliser_knows_every_character() -> None:
    codes = [
        *range(0x600),
        *range(0x1D00, 0x1D80),
        *range(0x1FF0, 0x2070),
        *range(0xA630, 0xA6A0),
        *range(0x600, 0xD800, 53),
    ]
    lines = [f"a{chr(c)}b '{chr(c)}' -{chr(c)}-" for c in [*codes, *range(0xE000, 0x110000, 997)]]
    for punctuation in (True, False):
        found = kernels.meteor_normalize(kernels.Text(lines), "en", punctuation=punctuation)
        assert found.to_list() == [oracle.normalize(line, "en", punctuation=punctuation) for line in lines]


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", "α σ , i̇stanbul stra ß e"), ("el", "ας , i̇stanbul straße"), ("tr", "ας , i̇stanbul straße")],
)
def test_case_is_lowered_as_by_python(language: str, words: str) -> None:
    column = MeteorTokenizer(language=language).normalize(kernels.Text(["ΑΣ, İSTANBUL STRAẞE"]))
    assert column.to_list() == [words]


def test_parameters_follow_the_language_until_chosen() -> None:
    assert Meteor(language="de").values.gamma == 0.55
    assert Meteor(language="fi").values == Meteor(parameters="independent").values
    assert Meteor(language="deu", gamma=0.25).values[:4] == (0.95, 1.0, 0.25, 0.55)
    assert Meteor().for_language("cs") == Meteor(language="cs")


def test_the_published_search_finds_matches_that_the_released_one_drops() -> None:
    """Two ways to match one word make it count for nothing in the released search."""
    references, hypotheses = ["car"], ["automobile"]
    released, published = (
        Meteor(language="en", modules="exact+stem+synonym+paraphrase", alignment=name)
        .prepare(references)
        .rows(hypotheses)
        for name in ("released", "published")
    )
    assert (released.values[0, -1], published.values[0, -1]) == (0, 1)


def test_the_signature_tells_whose_search_was_used() -> None:
    references = ["a word"]
    assert "|search:meteor-1.5|" in str(Meteor().prepare(references).signature)
    assert "|search:paper|" in str(Meteor(alignment="published").prepare(references).signature)


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"modules": "exact+stems"}, "stem"),
        ({"modules": "stem"}, "exact"),
        ({"alpha": 1.5}, "alpha"),
        ({"beta": 0}, "beta"),
        ({"beam": 0}, "beam"),
        ({"punctuation": False, "normalize": False}, "normalize"),
        ({"parameters": "adequacy", "language": "de"}, "English only"),
    ],
)
def test_parameters_without_sense_are_refused(parameters: dict[str, object], problem: str) -> None:
    with pytest.raises(SpecError, match=problem):
        Meteor(**parameters)


def test_a_module_that_is_named_must_have_what_it_needs() -> None:
    references = ["ein Satz"]
    with pytest.raises(MissingResourceError, match=r"paraphrases for german is not here.*paraphrases=FILE"):
        Meteor(language="de", modules="exact+paraphrase").prepare(references)
    assert "modules:exact+stem|" in str(Meteor(language="de").prepare(references).signature)


def test_what_it_does_without_is_told_with_the_install_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("KARAT_WORDNET", "KARAT_METEOR"):
        monkeypatch.setenv(variable, str(tmp_path))
    for name in ("m-bleu", "m-ter", "meteor-2005"):
        assert ["apt-get install wordnet-base" in lack for lack in metric(name).lacking] == [True]
    synonyms, paraphrases = metric("meteor").lacking
    assert "apt-get install wordnet-base" in synonyms
    assert "pip install 'karat[meteor]'" in paraphrases
    assert metric("meteor(modules=exact)").lacking == ()


def test_the_signature_names_the_dictionary_of_the_tokenizer_that_follows() -> None:
    pytest.importorskip("MeCab")
    assert "|tok:ja-mecab-" in str(metric("meteor(tokenize=ja-mecab,language=ja)").prepare(["猫"]).signature)


def test_a_broken_table_is_named(tmp_path: Path) -> None:
    table = tmp_path / "table.txt"
    table.write_text("0.5\none\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"table\.txt: line 2"):
        Meteor(paraphrases=str(table)).prepare(["one"]).rows(["one"])


def test_details_make_up_the_score() -> None:
    one = Meteor(language="en", modules="exact", function_words="none")
    rows = one.prepare(["a b c d"]).rows(["b a x"])
    details = one.details(rows.sum())
    assert (details["precision"], details["recall"], details["chunks"]) == (pytest.approx(2 / 3), 0.5, 2)
    mean = details["precision"] * details["recall"] / (0.85 * details["precision"] + 0.15 * details["recall"])
    assert rows.score == pytest.approx(100 * mean * (1 - details["penalty"]))
    assert np.isclose(details["penalty"], 0.6)
