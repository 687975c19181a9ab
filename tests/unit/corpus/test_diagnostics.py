from __future__ import annotations

from pathlib import Path

import pytest

from karat.corpus import Corpus, DiagnosticCounter, diagnose, load_corpus, read_corpus, system_arguments

REFERENCE = [f"Das ist Satz Nummer {i}, und er ist gut." for i in range(40)]
SYSTEM = [f"Dies ist der Satz {i}, er ist gut." for i in range(40)]
SOURCE = [f"This is sentence number {i}, and it is good." for i in range(40)]


def codes(system: list[str] = SYSTEM, reference: list[str] = REFERENCE, source: list[str] | None = SOURCE) -> list[str]:
    return [warning.code for warning in diagnose(Corpus.of(systems={"a": system}, references=reference, source=source))]


def test_nothing_to_say_of_ordinary_text() -> None:
    assert codes() == []
    assert codes(["x"], ["y"], ["z"]) == []


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (REFERENCE, ["identical-to-reference"]),
        ([line.replace(".", " .") for line in SYSTEM], ["tokenized"]),
        ([line.replace(",", " ,") for line in SYSTEM], ["tokenized"]),
        (SOURCE[:6] + SYSTEM[6:], ["untranslated"]),
        (SOURCE[:3] + SYSTEM[3:], []),
        (["", " ", *SYSTEM[2:]], ["empty"]),
        (["Это предложение на другом языке"] * 40, ["script"]),
        ([line.lower() for line in SYSTEM], ["lowercase"]),
        (["caf\ufffd", *SYSTEM[1:]], ["replacement-character"]),
        (["a\rb", *SYSTEM[1:]], ["carriage-return"]),
        ([""] * 40, ["empty"]),
    ],
)
def test_each_warning(system: list[str], expected: list[str]) -> None:
    assert codes(system) == expected


def test_references_are_looked_at_too() -> None:
    assert codes(reference=[line.replace(".", " .") for line in REFERENCE]) == ["tokenized"]
    assert codes(reference=["caf\ufffd", *REFERENCE[1:]]) == ["replacement-character"]


def test_caseless_and_lowercase_references_give_no_alarm() -> None:
    chinese = [f"这是第{i}句话，它很好。" for i in range(40)]
    assert codes([line.replace("很", "挺") for line in chinese], chinese) == []
    assert codes([line.lower() for line in SYSTEM], [line.lower() for line in REFERENCE]) == []
    assert codes(SYSTEM, chinese) == ["script"]


def test_warnings_say_where() -> None:
    system = [*SYSTEM]
    for position in (3, 5, 7, 9, 11, 13):
        system[position] = ""
    (warning,) = diagnose(Corpus.of(systems={"a": system}, references=REFERENCE))
    assert (warning.system, warning.segments) == ("a", (4, 6, 8, 10, 12))
    assert warning.message == "system a has 6 of 40 hypotheses empty (segments 4, 6, 8, 10, 12, ...)"


def test_identical_systems_and_references() -> None:
    corpus = Corpus.of(systems={"a": SYSTEM, "b": SYSTEM, "c": SOURCE}, references={"A": REFERENCE, "B": REFERENCE})
    found = [(warning.code, warning.system, warning.reference) for warning in diagnose(corpus)]
    assert found == [("identical-references", None, "B"), ("identical-systems", "b", None)]


def test_blocks_give_the_warnings_of_the_whole() -> None:
    systems = {
        "same": REFERENCE,
        "late": [*REFERENCE[:-1], "anders"],
        "twin": [*REFERENCE[:-1], "anders"],
        "copied": SOURCE,
        "odd": ["", "a\rb"] + ["ПРИВЕТ, как дела сегодня"] * 36 + ["\ufffd", ""],
    }
    corpus = Corpus.of(systems=systems, references={"A": REFERENCE}, source=SOURCE)
    counter = DiagnosticCounter()
    for start in range(0, 40, 7):
        counter.update(corpus.slice(start, min(start + 7, 40)))
    assert counter.warnings() == diagnose(corpus)
    assert [warning.code for warning in counter.warnings()] == [
        "identical-to-reference",
        "identical-systems",
        "untranslated",
        "empty",
        "replacement-character",
        "carriage-return",
        "script",
    ]


def test_text_with_line_ends_inside() -> None:
    assert codes(["two\nlines and More"] * 40) == []


@pytest.mark.parametrize("name", ["wmt21-news-ende", "wmt22-general-enzh", "sacrebleu-wmt17-ende"])
def test_no_false_alarm_on_real_systems(name: str, shared_data: Path) -> None:
    root = shared_data / name
    references = sorted((root / "references").glob("*")) or [root / "ref.de"]
    systems = system_arguments([str(path) for path in sorted((root / "system-outputs").glob("*"))])
    source = next((path for path in [root / "source.en", *root.glob("sources/*")] if path.exists()), None)
    assert len(systems) > 5
    assert diagnose(load_corpus(references, systems, source)) == ()


def test_no_false_alarm_on_paragraphs(shared_data: Path) -> None:
    assert diagnose(read_corpus(shared_data / "wmt23-mtme-ende" / "wmt23")) == ()


def test_real_tokenised_text_is_seen(shared_data: Path) -> None:
    root = shared_data / "compare-mt-example"
    tokenised = load_corpus([root / "ted.ref.eng"], [("a", root / "ted.sys1.eng")], root / "ted.orig.slk")
    assert [warning.code for warning in diagnose(tokenised)] == ["tokenized", "tokenized"]
    plain = load_corpus([root / "ted.ref.detok.eng"], [("a", root / "ted.sys1.detok.eng")], root / "ted.orig.slk")
    assert diagnose(plain) == ()


def test_the_wrong_language_is_seen(shared_data: Path) -> None:
    root = shared_data / "wmt22-general-enzh"
    (source,) = root.glob("sources/*")
    references = sorted(root.glob("references/*"))
    found = diagnose(load_corpus(references, [("copy", source)], source))
    assert [warning.code for warning in found] == ["untranslated", "script"]
