"""The page's scripts against what they are versions of: words, differences, signs, CSV cells and formulas."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.browser import visit

from karat.analysis.segment_view import _formula_of_metric
from karat.analysis.word_cuts import cut, cut_mark, cut_words
from karat.csv_cells import harmless_cell
from karat.registry import metric
from karat.report.page.shell import joined
from karat.report.page.signs import with_signs
from karat.text import TextColumn, tokenizer

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]  # one worker, one browser

in_page = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.fixture(scope="module")
def page(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    file: Path = tmp_path_factory.mktemp("scripts") / "page.html"
    file.write_text(f"<!doctype html><meta charset=utf-8><script>{joined('scripts', '.js')}</script>", encoding="utf-8")
    with visit(browser, file) as visited:
        yield visited.page


@in_page
@given(text=st.text(st.characters(codec="utf-8"), max_size=60), name=st.sampled_from(["none", "13a", "zh", "char"]))
def test_words_are_those_that_were_marked(page: Any, text: str, name: str) -> None:
    (tokens,) = TextColumn.of([text]).tokens(tokenizer(name)).to_lists()
    mark = cut_mark([text])
    marked = cut(text, tokens, mark)
    found = page.evaluate("([marked, mark]) => cutText(marked, mark)", [marked, mark])
    assert found["text"] == text
    assert [word["text"] for word in found["words"]] == cut_words(marked, mark)


words = st.lists(st.sampled_from("abcd"), max_size=12)


@in_page
@given(left=words, right=words)
def test_differences_are_those_of_a_longest_common_subsequence(page: Any, left: list[str], right: list[str]) -> None:
    steps = page.evaluate("([left, right]) => differences(left, right)", [left, right])
    kinds = [step["kind"] for step in steps]
    assert [left[step["left"]] for step in steps if step["kind"] != "missing"] == left
    assert [right[step["right"]] for step in steps if step["kind"] != "extra"] == right
    assert all(left[step["left"]] == right[step["right"]] for step in steps if step["kind"] == "same")
    assert kinds.count("same") == longest_common(left, right)


def longest_common(left: list[str], right: list[str]) -> int:
    table = np.zeros((len(left) + 1, len(right) + 1), dtype=int)
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            table[i + 1, j + 1] = table[i, j] + 1 if one == other else max(table[i, j + 1], table[i + 1, j])
    return int(table[-1, -1])


def test_texts_that_are_too_long_are_not_compared(page: Any) -> None:
    assert page.evaluate("differences(Array(3000).fill('a').concat('x'), Array(3000).fill('b').concat('y'))") is None


@in_page
@given(hypothesis=words, references=st.lists(words, max_size=2))
def test_words_know_the_longest_ngram_that_a_reference_has(
    page: Any, hypothesis: list[str], references: list[list[str]]
) -> None:
    found = page.evaluate("([words, references]) => matchedOrders(words, references)", [hypothesis, references])
    expected = [0] * len(hypothesis)
    for order in range(1, 5):
        known = {tuple(words[i : i + order]) for words in references for i in range(len(words) - order + 1)}
        for i in range(len(hypothesis) - order + 1):
            if tuple(hypothesis[i : i + order]) in known:
                expected[i : i + order] = [order] * order
    assert found == expected


tenths = st.integers(-30, 30).map(lambda number: number / 10)


@in_page
@given(differences=st.lists(tenths, min_size=1, max_size=30))
def test_every_bar_holds_the_segments_that_it_filters_by(page: Any, differences: list[float]) -> None:
    bars = page.evaluate(
        """(differences) => {
        const nought = differences.map(() => 0);
        const data = {measures: [{scores: [differences, nought]}]};
        const query = {metric: 0, a: 0, b: 1, from: null, to: null};
        const places = [...differences.keys()];
        return histogram(data, query, places).map((bar) => [bar.places,
          places.filter((place) => inBar({...query, from: bar.from, to: bar.to}, differences[place]))]);
        }""",
        differences,
    )
    assert all(held == filtered for held, filtered in bars)
    assert sum(len(held) for held, _ in bars) == len(differences)


def test_every_character_has_the_sign_that_it_has_in_python(page: Any) -> None:
    shown = page.evaluate("Array.from({length: 0x10000}, (_, code) => withSigns(String.fromCharCode(code)))")
    other = [code for code, sign in enumerate(shown) if sign != with_signs(chr(code)) and not 0xD800 <= code < 0xE000]
    assert other == []
    assert {shown[code] for code in (0xD800, 0xDFFF)} == {"⟨U+D800⟩", "⟨U+DFFF⟩"}
    assert page.evaluate("withSigns('\\u{1F600}')") == "\U0001f600"


CELLS = (
    *(
        "=1+1",
        "-0.5",
        "+1e3",
        "-x",
        "@a",
        "\tb",
        "'=x",
        "''-y",
        "plain",
        "1.5",
        ".5",
        "-",
        "",
        "'",
        "-1.",
        "+.5e-3",
        "-1e",
    ),
    *("-\uff11", "+\u0663", " =1", "-1\u2028", "\u2212x", "--1", "-Infinity", "=cmd()", "\x00=x", "-1 "),
)


@pytest.mark.parametrize("cell", CELLS)
def test_cells_are_as_harmless_as_elsewhere(page: Any, cell: str) -> None:
    assert page.evaluate("(cell) => csvCell(cell)", cell) == harmless_cell(cell)


def test_cells_with_commas_quotes_or_lines_are_quoted(page: Any) -> None:
    assert page.evaluate("csvText([{'a,b': 'x\"y', c: null, d: 2.5}, {'a,b': 'l\\nm', c: '=z', d: -1}])") == (
        '"a,b",c,d\n"x""y",,2.5\n"l\nm",\'=z,-1\n'
    )


SPECS = (
    "bleu",
    "bleu(smooth=floor)",
    "bleu(smooth=add-k)",
    "bleu(smooth=add-k,smooth_value=2.5)",
    "bleu(smooth=none)",
    "bleu(effective_order=true)",
    "bleu(max_order=2,weights=[0.3,0.7])",
    "chrf",
    "chrf++",
    "chrf(beta=1,char_order=3)",
    "chrf(eps_smoothing=true)",
    "ter",
    "wer",
    "cer",
)


@pytest.mark.parametrize("spec", SPECS)
def test_formulas_are_those_of_the_metrics(page: Any, spec: str) -> None:
    known, formula = metric(spec), _formula_of_metric(spec)
    assert formula is not None
    rows = plausible_rows(known.columns, random.Random(spec))
    plain = {"kind": formula.kind, **formula.parameters}
    found = page.evaluate("([formula, rows]) => rows.map((row) => scoreOf(formula, row))", [plain, rows])
    assert found == pytest.approx(known.aggregate(np.array(rows, dtype=float)).tolist(), rel=1e-12, abs=1e-12)


def plausible_rows(columns: tuple[str, ...], rng: random.Random) -> list[list[int]]:
    """Rows in which nothing matches more often than it is there, with all kinds of zeros."""
    rows = [[0] * len(columns)]
    for _ in range(300):
        most = rng.choice([1, 4, 30, 5000])
        row = [rng.randint(0, most) for _ in columns]
        for place, name in enumerate(columns):
            if name.startswith("correct"):
                row[place] = rng.choice([0, rng.randint(0, row[columns.index(name.replace("correct", "total"))])])
            if name.startswith("match"):
                both = [row[columns.index(name.replace("match", side))] for side in ("hypothesis", "reference")]
                row[place] = rng.randint(0, min(both))
        rows.append(row)
    return rows
