"""TER-Plus against the slow definition, against records of the authors' program, and by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.oracles import terp as oracle
from tests.oracles.records import record

from karat import registry
from karat.errors import InputError, SpecError
from karat.metrics.reading.terp import normalized
from karat.metrics.terp import Terp

# Two words each with a stem, two synonyms, a function word, and one that stands alone.
VOCABULARY = ["run", "running", "cat", "cats", "auto", "wagen", "the", "x"]
FUNCTION_WORDS = frozenset(["the"])
PARAPHRASES = {(("cat", "the"), ("x",)): 0.25, (("run",), ("the", "x")): 1.0, (("auto", "cat"), ("cats", "run")): 0.5}
BINARY = {"deletion": 1.0, "insertion": 0.5, "substitution": 1.5, "stem": 0.25, "synonym": 0.125, "shift": 0.5}
FORMULA = {"phrase": 0.25, "phrase_log": -0.5, "phrase_probability": 0.0, "phrase_edits": 0.125}
OTHER = {"phrase_log": 0.0, "phrase_edits": 0.5}  # what a paraphrase costs is exact in binary, so that ties are ties

sentences = st.lists(st.sampled_from(VOCABULARY), max_size=9)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A thesaurus, a list of function words and a table of paraphrases."""
    directory = tmp_path_factory.mktemp("terp")
    (directory / "th_en_XX_v2.dat").write_text("UTF-8\nauto|1\n-|auto|wagen\n")
    (directory / "function.txt").write_text("\n".join(FUNCTION_WORDS))
    entries = [f"{p}\n{' '.join(phrase)}\n{' '.join(other)}\n" for (phrase, other), p in PARAPHRASES.items()]
    (directory / "table").write_text("".join(entries))
    return {
        "synonyms": str(directory / "th_en_XX_v2.dat"),
        "function_words": str(directory / "function.txt"),
        "paraphrases": str(directory / "table"),
    }


def rules(costs: dict[str, float], *, paraphrases: bool, size: int = 10, distance: int = 50) -> oracle.Rules:
    stems = {"running": "run", "cats": "cat"}
    return oracle.Rules(
        same_stem=lambda a, b: stems.get(a, a) == stems.get(b, b),
        synonyms=lambda a, b: {a, b} == {"auto", "wagen"},
        costs={"match": 0.0, **costs},
        function_words=FUNCTION_WORDS,
        paraphrases=PARAPHRASES if paraphrases else {},
        size=size,
        distance=distance,
    )


def cost(terp: Terp, hypothesis: list[str], reference: list[str]) -> float:
    return float(terp.prepare([" ".join(reference)], 1).rows([" ".join(hypothesis)]).values[0, 0])


@settings(max_examples=200)
@given(data=st.data(), hypothesis=sentences, reference=sentences)
def test_it_equals_the_slow_definition(
    files: dict[str, str], data: st.DataObject, hypothesis: list[str], reference: list[str]
) -> None:
    paraphrases = data.draw(st.booleans())
    size, distance = data.draw(st.sampled_from([(10, 50), (2, 50), (10, 2), (0, 50)]))
    costs = {**BINARY, **FORMULA, **OTHER}
    resources = {**files, "paraphrases": files["paraphrases"] if paraphrases else "none"}
    terp = Terp(**costs, **resources, shift_size=size, shift_distance=distance)
    slow = oracle.edits(hypothesis, reference, rules(costs, paraphrases=paraphrases, size=size, distance=distance))
    assert cost(terp, hypothesis, reference) == pytest.approx(slow, rel=1e-12)


@pytest.mark.usefixtures("installed_wordnet")  # the program's synonyms
@pytest.mark.parametrize(("identifier", "alias"), [("o12", "terp-a"), ("o13", "terp-h")])
def test_records_of_the_authors_program(shared_spec: Path, identifier: str, alias: str) -> None:
    known = record(shared_spec, identifier)
    rows = registry.metric(alias).prepare(known["refs"][0]).rows(known["hyps"])
    assert (rows.unit_scores() / 100).tolist() == pytest.approx(known["seg_scores"], rel=1e-12)
    totals = {"o12": 21.31, "o13": 20.56}
    assert rows.values.sum(axis=0).tolist() == pytest.approx([totals[identifier], 65], abs=0.005)


def test_with_unit_costs_and_no_resources_it_is_ter(shared_spec: Path) -> None:
    known = record(shared_spec, "o11")
    units = dict.fromkeys(("deletion", "insertion", "substitution", "shift"), 1.0)
    plain = Terp(**units, stems=False, synonyms="none", function_words="none", beam=20.0)
    rows = plain.prepare(known["refs"][0]).rows(known["hyps"])
    assert (rows.unit_scores() / 100).tolist() == pytest.approx(known["seg_scores"], rel=1e-12)
    assert rows.score / 100 == pytest.approx(known["corpus_score"], rel=1e-12)


def own(files: dict[str, str], **options: Any) -> Terp:
    return Terp(**{**BINARY, **FORMULA, **OTHER, **files, **options})


def test_each_edit_costs_what_it_should(files: dict[str, str]) -> None:
    terp = own(files)
    reference = ["cat", "x", "auto"]
    assert cost(terp, ["cat", "x", "auto"], reference) == 0
    assert cost(terp, ["cat", "x"], reference) == 1.0
    assert cost(terp, ["cat", "x", "auto", "y"], reference) == 0.5
    assert cost(terp, ["cat", "x", "y"], reference) == 1.5
    assert cost(terp, ["cats", "x", "auto"], reference) == 0.25
    assert cost(terp, ["cat", "x", "wagen"], reference) == 0.125
    assert cost(terp, ["auto", "cat", "x"], reference) == 0.5
    assert cost(own(files, match=0.25), ["cat", "x", "auto"], reference) == 0.75
    # A paraphrase between phrases that are a deletion, a stem and an insertion apart.
    assert cost(terp, ["y", "cats", "run"], ["y", "auto", "cat"]) == 0.25 + 0.5 * (1.0 + 0.25 + 0.5)


def test_function_words_do_not_move_alone(files: dict[str, str]) -> None:
    terp = own(files, shift=0.125)
    assert cost(terp, ["a", "b", "the"], ["the", "a", "b"]) == 1.5  # inserted and deleted
    assert cost(own(files, shift=0.125, function_words="none"), ["a", "b", "the"], ["the", "a", "b"]) == 0.125


def test_blocks_of_stems_and_synonyms_move(files: dict[str, str]) -> None:
    assert cost(own(files), ["a", "b", "cats", "wagen"], ["cat", "auto", "a", "b"]) == 0.5 + 0.25 + 0.125


def test_a_segment_is_capped_and_the_references_are_averaged(files: dict[str, str]) -> None:
    rows = own(files).prepare([["a", "a b c"]]).rows(["p q r s t u v w"])
    assert rows.values[0, 1] == 2.0
    assert rows.score == 100.0
    assert own(files, capped=False).prepare([["a", "a b c"]]).rows(["p q r s t u v w"]).score > 100


def test_empty_sides(files: dict[str, str]) -> None:
    rows = own(files).prepare(["", "a b", ""]).rows(["a", "", ""])
    assert rows.values.tolist() == [[0.5, 0.0], [2.0, 2.0], [0.0, 0.0]]
    assert rows.unit_scores().tolist() == [100.0, 100.0, 0.0]


def test_a_beam_that_is_too_narrow_still_finds_a_way(files: dict[str, str]) -> None:
    wide, narrow = (cost(own(files, beam=beam), ["b"] * 30, ["a"] * 3 + ["b"] * 30) for beam in (99.0, 0.0))
    assert wide == 3.0
    assert narrow >= wide


def test_words_are_cut_as_the_authors_program_does() -> None:
    assert normalized("&quot;no&quot;, 1,000.5 men: 3-4 (Mr. X's).").split() == [
        *('"', "no", '"', ",", "1,000.5", "men", ":", "3", "-", "4", "(", "Mr", ".", "X", "'s", ")", "."),
    ]
    score = Terp(synonyms="none").prepare(["the man 's hat ."]).rows(["The man's hat."]).score
    assert score == 0.0
    assert Terp(synonyms="none", tokenize="none", lowercase=False).prepare(["The hat."]).rows(["The hat ."]).score > 0


def test_what_was_used_stands_in_the_signature(files: dict[str, str]) -> None:
    signed = str(own(files).prepare(["a"]).signature)
    for part in ("stems:snowball-porter", "synonyms:th_en_XX_v2/", "paraphrases:table/", "function:file-function/"):
        assert f"|{part}" in signed
    assert "|function:karat-en/" in str(Terp(synonyms="none").prepare(["a"]).signature)


def test_other_languages_take_their_own_resources(files: dict[str, str]) -> None:
    german = Terp(language="de", synonyms="none", function_words=files["function_words"])
    assert german.prepare(["die Häuser"]).rows(["die Haus"]).score == 0.0
    assert "snowball-german" in str(german.prepare(["a"]).signature)
    assert Terp(synonyms="none").for_language("de") == Terp(synonyms="none", language="de")


def test_aliases_have_the_names_of_the_paper() -> None:
    assert registry.metric("terp-a") == Terp()
    assert Terp().display_name == "TERp-A"
    assert registry.metric("terp-h").display_name == "TERp-H"
    assert Terp(shift=1.0).display_name == "TERp"


def test_what_makes_no_sense_is_refused(tmp_path: Path) -> None:
    for options in ({"shift": -1.0}, {"beam": float("nan")}, {"shift_size": -1}, {"phrase": float("inf")}):
        with pytest.raises(SpecError, match=next(iter(options))):
            Terp(**options)
    with pytest.raises(SpecError, match="no tokenizer"):
        Terp(tokenize="tarp")
    (tmp_path / "table").write_text("0.5\na\n")
    with pytest.raises(InputError, match="table"):
        Terp(synonyms="none", paraphrases=str(tmp_path / "table")).prepare(["a"]).rows(["a"])


def test_two_thousand_equal_words_are_no_trouble(files: dict[str, str]) -> None:
    rows = own(files).prepare(["x " * 2000]).rows(["x " * 1990])
    assert rows.values.tolist() == [[10.0, 2000.0]]


def test_what_takes_too_long_is_refused(files: dict[str, str]) -> None:
    with pytest.raises(InputError, match="segment 1 is too long to align"):
        own(files).prepare(["a b " * 2000]).rows(["b a " * 2000])
