"""Flaws of single segments: each fires where it must and is silent where it must not."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.commands import run
from tests.unit.analysis.planting import FAULTS, PLANTED, TERMS, planted
from tests.unit.analysis.signal_faults import wmt22_chinese, wmt23

from karat.analysis.flaws.model import Flaw, FlawReport
from karat.analysis.flaws.numbers import digits_of
from karat.analysis.flaws.search import FINDERS, search_flaws
from karat.analysis.flaws.situation import Situation
from karat.analysis.flaws.terms import Term, read_terms
from karat.corpus import Corpus
from karat.errors import InputError
from karat.service.flaws import _scores, flaws_of

DOCS = Path(__file__).parents[3] / "docs" / "how-to" / "findings.md"
LONG = "This sentence is here so that lengths and scripts have something to be compared with."
CODES = [finder.check.code for finder in FINDERS]


def report(
    output: str | list[str],
    source: str | list[str] | None = None,
    reference: str | list[str] | None = None,
    pair: str | None = None,
    terms: tuple[Term, ...] = (),
) -> FlawReport:
    """What is found in an output beside a few sentences that nothing is wrong with."""

    def texts(given: str | list[str] | None) -> list[str] | None:
        if given is None:
            return None
        return [*([given] if isinstance(given, str) else given), *[LONG] * 5]

    outputs, sources, references = map(texts, (output, source, reference))
    assert outputs is not None
    corpus = Corpus.of(
        systems={"a": outputs}, references={"ref": references} if references else {}, source=sources, language_pair=pair
    )
    return search_flaws(Situation.of(corpus, terms=terms))


def codes(found_report: FlawReport) -> set[str]:
    return {flaw.code for flaw in found_report.flaws if flaw.segment == 1}


class Case(NamedTuple):
    code: str
    output: str
    source: str | None = None
    reference: str | None = None
    pair: str | None = None


FIRING = [
    Case("empty", " ", "Hallo Welt.", "Hello world."),
    Case("repetition", "He said that he said that he said that he said.", "Er sagte es.", "He said it."),
    Case("repetition", "我们我们我们我们我们我们去了北京。", "We went.", "我们去了北京。", "en-zh"),
    Case(
        "untranslated", "Wir gingen nach Hause und schliefen.", "Wir gingen nach Hause und schliefen.", "We went home."
    ),
    Case("untranslated", "Wir gingen – nach – Hause – !", "Wir gingen nach Hause!", "We went home."),
    Case("wrong-script", "We went to Москва yesterday.", "Wir fuhren nach Moskau.", "We went to Moscow yesterday."),
    Case("truncated", "We went home and", "Wir gingen nach Hause und schliefen bis zum Morgen.", None),
    Case("placeholder", "Hello {nom}, %d files.", "Hallo {name}, %s Dateien.", None),
    Case("tag", "A <b>bold<b> word.", "Ein <b>fettes</b> Wort.", "A <b>bold</b> word."),
    Case("tag", "A </b>bold<b> word.", "Ein <b>fettes</b> Wort.", "A <b>bold</b> word."),
    Case("source-words", "He was very zufrieden today.", "Er war heute sehr zufrieden.", "He was content today."),
    Case("number", "It cost 1,005 euros.", "Es kostete 1.500 Euro.", "It cost 1,500 euros."),
    Case("number", "كلفت ٢٥٠ يورو", "It cost 205 euros.", "كلفت ٢٠٥ يورو", "en-ar"),
    Case("number", "It cost 1,005 euros.", None, "It cost 1,500 euros."),
    Case("url", "See http://a.example/y.", "Siehe http://a.example/x.", "See http://a.example/x."),
    Case("email", "Write to me.", "Schreib an me@a.example.", "Write to me@a.example."),
    Case("name", "Yesterday we met him there.", "Gestern trafen wir Ivica dort.", "Yesterday we met Ivica there."),
    Case("length", "Yes. " * 4 + LONG * 3, LONG, LONG),
    Case("bracket", "We (he and I went.", "Wir (er und ich) gingen.", "We (he and I) went."),
    Case("bracket", "「はい」と言った（笑", "He said yes (laughs)", "「はい」と言った（笑）", "en-ja"),
    Case("quote", '"Yes, he said.', "„Ja“, sagte er.", "“Yes,” he said."),
]

SILENT = [
    Case("empty", "", "", ""),
    Case("repetition", "Very, very, very good.", "Sehr, sehr, sehr gut.", "Very, very, very good."),
    Case("repetition", "no no no no no no no", "nein nein nein nein nein nein nein", "no no no no no no no"),
    Case(
        "untranslated",
        "Robert Bosch GmbH, Stuttgart 1",
        "Robert Bosch GmbH, Stuttgart 1",
        "Robert Bosch GmbH, Stuttgart 1",
    ),
    Case("wrong-script", "We (Москва) went.", "Wir (Москва) gingen.", "We (Москва) went."),
    Case("wrong-script", "我用iPhone。", "I use an iPhone.", "我用iPhone。", "en-zh"),
    Case("truncated", "A headline without an end", "Eine Überschrift ohne Ende, die viel länger ist", None),
    Case("placeholder", "50 % of all, 100%.", "50 % aller, 100%.", None),
    Case("tag", "I <3 you, a < b.", "Ich <3 dich, a < b.", None),
    Case("source-words", "The hotel was fine.", "Das hotel war gut.", "The hotel was good."),
    Case("number", "It cost 1,500.50 euros.", "Es kostete 1.500,50 Euro.", None),
    Case("number", "It cost 1.5 million.", "Es kostete 1.500.000.", None),
    Case("number", "It was at 5 p.m. in the 90s.", "Es war um 17 Uhr in den 1990ern.", None),
    Case("number", "Three of them.", "3 von ihnen.", None),
    Case("number", "كلفت ٢٠٥ يورو", "It cost 205 euros.", None, "en-ar"),
    Case("number", "10 500 personnes", "10,500 people", None),
    Case("number", "See http://a.example/1.", "Siehe http://a.example/1.", None),
    Case("number", "It took 12 inches.", "Es brauchte 30 cm.", "It took 12 inches."),
    Case("url", "See (http://a.example/x).", "Siehe http://a.example/x.", None),
    Case("email", "Write to ME@A.example", "Schreib an me@a.example.", None),
    Case(
        "name", "Gestern trafen wir ihn dort.", "Yesterday we met Anna there.", "Gestern trafen wir Anna dort.", "en-de"
    ),
    Case("name", "Jučer smo sreli Davida.", "Yesterday we met David.", "Jučer smo sreli Davida.", "en-hr"),
    Case("length", "Yes.", "Ja.", "Yes."),
    Case("bracket", "a) this :-) 1) that", "a) dies :-) 1) das", None),
    Case("bracket", "and that was it)", "und das war es)", None),
    Case(
        "quote",
        "»Ja«, sagte er. «Non», dit-il. ”Joo”, hän sanoi.",
        '"Yes", he said. "No", he said. "Yes", he said.',
        None,
    ),
    Case("quote", 'צה"ל הודיע', "The army said", None, "en-he"),
    Case("quote", 'He said "yes.', "Er sagte „ja.", None),
]


@pytest.mark.parametrize("case", FIRING, ids=[f"{case.code} {i}" for i, case in enumerate(FIRING)])
def test_it_fires(case: Case) -> None:
    assert case.code in codes(report(case.output, case.source, case.reference, case.pair))


@pytest.mark.parametrize("case", SILENT, ids=[f"{case.code} {i}" for i, case in enumerate(SILENT)])
def test_it_is_silent(case: Case) -> None:
    assert case.code not in codes(report(case.output, case.source, case.reference, case.pair))


def test_terms_are_asked_for_where_the_source_has_them() -> None:
    terms = (Term("Kessel", ("boiler*", "tank")), Term("锅炉", ("boiler",)))
    assert "term" in codes(report("The kettle is hot.", "Der Kessel ist heiß.", None, terms=terms))
    assert "term" in codes(report("The kettle is hot.", "这个锅炉很热。", None, terms=terms))
    assert "term" in codes(report("The kettle is hot.", None, "The boilers are hot.", terms=terms[:1]))
    assert "term" not in codes(report("The Boilers are hot.", "Der Kessel ist heiß.", None, terms=terms))
    assert "term" not in codes(report("The kettle is hot.", "Der Kesselflicker ist da.", None, terms=terms))


def test_far_below_takes_all_other_systems() -> None:
    texts = ["A completely different sentence stands here.", LONG, LONG]
    corpus = Corpus.of(systems={"a": texts, "b": [LONG] * 3, "c": [LONG] * 3}, references={"ref": [LONG] * 3})
    found_flaws = [(flaw.code, flaw.system, flaw.segment, flaw.against) for flaw in flaws_of(corpus).flaws]
    assert found_flaws == [("below-others", "a", 1, "systems")]
    two = Corpus.of(systems={"a": texts, "b": texts, "c": [LONG] * 3}, references={"ref": [LONG] * 3})
    assert flaws_of(two).flaws == ()


def test_another_language_is_found_where_that_is_asked_for() -> None:
    pytest.importorskip("py3langid", reason="pip install py3langid")
    spanish = "El tren de la mañana llegó con dos horas de retraso a la estación central."
    corpus = Corpus.of(systems={"a": [spanish, LONG, LONG]}, references={"ref": [LONG] * 3}, language_pair="de-en")
    found_flaws = flaws_of(corpus, identify_languages=True).flaws
    assert ("wrong-language", 1, ("es",)) in [(flaw.code, flaw.segment, flaw.added) for flaw in found_flaws]
    assert "wrong-language" not in {flaw.code for flaw in flaws_of(corpus).flaws}


@pytest.mark.parametrize("code", CODES)
def test_what_is_judged_has_a_count_also_where_nothing_was_found(code: str) -> None:
    clean = report(LONG, LONG, LONG, "de-en", TERMS)
    check = next(check for check in clean.checks if check.code == code)
    counts = [count for count in clean.counts if count.code == code]
    assert (check.skipped is None) == (len(counts) == 1)
    assert all(count.judged == 6 for count in counts)


def hits(code: str, system: str = "neural", whole: Corpus | None = None, count: int = PLANTED) -> tuple[int, int, int]:
    """Segments with a planted fault, those that the check found, and those that are both."""
    corpus, broken = planted(code, system, whole=whole, count=count)
    situation = Situation.of(
        corpus, terms=TERMS, scores=_scores(corpus, 1), identify_languages=code == "wrong-language"
    )
    seen = {flaw.segment for flaw in search_flaws(situation).flaws if (flaw.system, flaw.code) == (system, code)}
    return len(broken), len(seen), len(seen & broken)


def documented() -> dict[str, tuple[str, str]]:
    """Precision and recall of each check on planted faults, as the docs page gives them."""
    rows = re.findall(r"^\| `([a-z-]+)` \| \w+ \| .*? \| ([0-9.]+) \| ([0-9.]+) \|$", DOCS.read_text("utf-8"), re.M)
    return {code: (precision, recall) for code, precision, recall in rows}


def test_every_check_has_its_planted_faults_and_its_line_in_the_docs() -> None:
    assert set(FAULTS) == set(CODES) == set(documented())


@pytest.mark.parametrize("code", CODES)
def test_planted_faults_are_found_as_the_docs_say(code: str) -> None:
    if code == "wrong-language":
        pytest.importorskip("py3langid", reason="pip install py3langid")
    faults, seen, both = hits(code)
    assert faults >= 15
    assert (f"{both / seen:.2f}", f"{both / faults:.2f}") == documented()[code]


@given(st.integers(0, 10**9), st.sampled_from([",", ".", "'", "\u202f", "٬"]))
def test_a_number_is_the_same_with_any_separator_and_in_any_digits(number: int, separator: str) -> None:
    grouped = f"{number:,}".replace(",", separator)
    arabic = grouped.translate({ord(str(digit)): 0x660 + digit for digit in range(10)})
    assert digits_of(grouped) == digits_of(arabic) == str(number)


@given(st.lists(st.text(max_size=60), min_size=1, max_size=4))
def test_any_text_can_be_searched(texts: list[str]) -> None:
    strings = [text.encode("utf-8", "ignore").decode() for text in texts]
    corpus = Corpus.of(systems={"a": strings, "b": strings}, references={"ref": strings}, source=strings)
    flaws = flaws_of(corpus).flaws
    assert all(1 <= flaw.segment <= len(strings) for flaw in flaws)
    assert not {flaw.code for flaw in flaws} & {"number", "url", "email", "tag", "placeholder", "bracket", "quote"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("Haus\thouse\nohne\n", "line 2: 1 column;"),
        ("a\tb\tc\n", "line 1: 3 columns"),
        ("Haus\thouse|\n", "line 1: a term is empty"),
        ("# nothing\n", "has no terms"),
    ],
)
def test_a_wrong_file_of_terms_is_refused_by_line(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "terms.tsv"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read_terms(path)
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    text = str(tmp_path / "a.txt")
    outcome = run("analyse", "findings", "-s", text, text, "--terms", str(path))
    assert (outcome.code, "terms.tsv" in outcome.err) == (2, True)


def test_outputs_need_something_to_be_held_against(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x\n", encoding="utf-8")
    outcome = run("analyse", "findings", str(tmp_path / "a.txt"))
    assert (outcome.code, "add -r FILE (repeat it for several references), or the source with -s" in outcome.err) == (
        2,
        True,
    )


def test_findings_name_their_document_and_tables_the_end_of_a_long_name(tmp_path: Path) -> None:
    names = [f"https://example.org/2021/a-name-as-long-as-a-line/{i}" for i in range(3)]
    for name, lines in {"ref": ["a 1", "b 2", "c 3"], "out": ["a 1", "b 4", "c 3"], "docs": names}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    files = ("-r", str(tmp_path / "ref.txt"), "-i", str(tmp_path / "out.txt"))
    told = (*files, "--documents", str(tmp_path / "docs.txt"))
    assert [flaw["document"] for flaw in json.loads(run("analyse", "findings", *files, "--json").out)["findings"]] == [
        None
    ]
    (flaw,) = json.loads(run("analyse", "findings", *told, "--json").out)["findings"]
    assert (flaw["code"], flaw["segment"], flaw["document"]) == ("number", 2, names[1])
    table = run("analyse", "findings", *told).out
    assert f"out      …{names[1][-23:]}" in table
    assert "Document" not in run("analyse", "findings", *files).out


ERROR_TYPES = {"source-words": ("UNTRANSLATED", 79, 127, 247), "name": ("NE", 105, 123, 359)}


def test_real_errors_that_people_marked(shared_data: Path) -> None:
    """English to Croatian of WMT 2022: how many of the segments found have the error type that people marked."""
    directory = shared_data / "wmt22-enhr-errortypes"
    annotated = {path.name.split(".")[2]: _annotated(path) for path in sorted(directory.glob("*.hyp"))}
    corpus = Corpus.of(
        systems={name: texts for name, (texts, _) in annotated.items()},
        references={name: _annotated(directory / f"annotated.en-hr.{name}.ref")[0] for name in ("prof", "stud")},
        source=(directory / "en.src").read_text("utf-8").splitlines(),
        language_pair="en-hr",
    )
    flaws = flaws_of(corpus).flaws
    labels = {name: types for name, (_, types) in annotated.items()}

    def agreement(code: str, label: str) -> tuple[int, int, int]:
        places = {(flaw.system, flaw.segment - 1) for flaw in flaws if flaw.code == code}
        marked = {(name, i) for name, types in labels.items() for i, kinds in enumerate(types) if label in kinds}
        return len(places & marked), len(places), len(marked)

    for code, (label, both, seen, marked) in ERROR_TYPES.items():
        assert agreement(code, label) == (both, seen, marked)
    # Omissions of single words are nothing that a length could show.
    assert agreement("length", "OMISSION")[0] + agreement("truncated", "OMISSION")[0] == 0
    assert agreement("truncated", "OMISSION")[2] == 632


def _annotated(path: Path) -> tuple[list[str], list[set[str]]]:
    """The texts, and the error types of each segment; an omission is marked by a word that is not there."""
    texts, types = [], []
    for line in path.read_text("utf-8").splitlines():
        words = [token.rpartition("|")[::2] for token in line.split()]
        texts.append(" ".join(word for word, kinds in words if (word, "OMISSION" in kinds) != ("XX", True)))
        types.append({kind for _, kinds in words for kind in kinds.split("+")})
    return texts, types


def test_the_sample_shows_what_its_systems_do() -> None:
    from karat.sample import path

    outcome = run("analyse", "findings", "--corpus", str(path("corpus.jsonl")), "-l", "de-en", "--json")
    document = json.loads(outcome.out)
    counts = {(count["system"], count["code"]): count["segments"] for count in document["counts"]}
    assert counts["fluent", "number"] == 15
    assert counts["neural", "number"] == counts["literal", "number"] == 0
    assert counts["glossary", "source-words"] > 90
    assert all(isinstance(Flaw(**finding).segment, int) for finding in document["findings"])


@pytest.mark.parametrize(
    ("pair", "text", "why"),
    [
        ("en-de", LONG, "capitals do not mark names in the target language"),
        (None, LONG.lower(), "the references do not set names off by capitals"),
    ],
)
def test_why_names_are_not_looked_for(pair: str | None, text: str, why: str) -> None:
    checks = flaws_of(Corpus.of(systems={"a": [text]}, references={"ref": [text]}, language_pair=pair)).checks
    assert [check.skipped for check in checks if check.code == "name"] == [why]


@pytest.mark.parametrize("code", [code for code in CODES if code not in ("name", "wrong-language")])
def test_faults_planted_where_no_limit_was_set_are_found_as_the_docs_say(code: str, shared_data: Path) -> None:
    systems, references = wmt23(shared_data)
    kept = {name: systems[name] for name in ("GPT4-5shot", "ONLINE-B", "ONLINE-W", "ONLINE-Y")}
    lines = (shared_data / "wmt23-mtme-ende" / "wmt23" / "sources" / "en-de.txt").read_text("utf-8").split("\n")
    source = lines[: len(references["refA"])]
    corpus = Corpus.of(systems=kept, references=references, source=source, language_pair="en-de")
    faults, seen, both = hits(code, "ONLINE-W", corpus, 100)
    assert faults == 100
    assert f"| `{code}` | {both / seen:.2f} | {both / faults:.2f} |\n" in DOCS.read_text("utf-8")


@pytest.mark.parametrize("held_out", ["WMT 2023 English-German", "WMT 2022 English-Chinese"])
def test_findings_on_texts_that_no_limit_was_set_by(held_out: str, shared_data: Path) -> None:
    """As many as the docs say, on sets that nobody looked at before."""
    directory = shared_data / ("wmt23-mtme-ende" if "2023" in held_out else "wmt22-general-enzh")
    if "2023" in held_out:
        (systems, references), source = wmt23(shared_data), directory / "wmt23" / "sources" / "en-de.txt"
    else:
        systems, references = wmt22_chinese(shared_data)
        source = directory / "sources" / "generaltest2022.en-zh.src.en"
    count = len(next(iter(systems.values())))
    pair = "en-de" if "2023" in held_out else "en-zh"
    lines = source.read_text("utf-8").split("\n")[:count]
    corpus = Corpus.of(systems=systems, references=references, source=lines, language_pair=pair)
    codes = Counter(flaw.code for flaw in flaws_of(corpus).flaws)
    told = ", ".join(f"`{code}` {number}" for code, number in codes.most_common())
    assert f"| {held_out}, {len(systems)} systems | {count * len(systems):,} | {told} |" in DOCS.read_text("utf-8")
