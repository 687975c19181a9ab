"""Marks made in a real browser on texts of many scripts: their offsets are those of Python's own slices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.e2e.page_modules import module_page, show_text, spans_of
from tests.examples import examples

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

WORDS = {
    "ar": ("قال", "رئيسُ", "البلديّة", "إنّ", "الجسرَ", "لا", "مغلقٌ", "لأ"),
    "zh": ("市长", "星期四说，", "这座桥", "将关闭", "到秋天。", "𠮷野家", "２０２６年"),
    "de": ("scho\u0308n", "Bru\u0308cke", "Straße,", "a\u0308\u0323rger", "E-Mail", "3,5", "n\u0303."),
    "en": ("👩‍👩‍👧", "thumbs👍🏽", "🇩🇪🇫🇷", "plain", "don't", "e\u0301te\u0301", "❤️"),
}
MIXED = {"he": ("שלום", "ABC,", "12.5", "בְּרֵאשִׁית", "٢٠٢٦،", "\U0001f309")}
"""Words of both directions in one text, in which the place of a character does not tell its number."""
CHARACTERS = "(text) => import('/static/widgets/cuts.js').then(({characterEdges}) => characterEdges(text, null))"
SEEN = """() => {
    const body = document.querySelector(".marked > p");
    const pieces = [...body.querySelectorAll(".mark")].filter((piece) => piece.textContent !== "");
    const range = document.createRange();
    range.setStart(body, 0);
    range.setEndBefore(pieces[0]);
    const before = range.toString();
    range.setStartBefore(pieces[0]);
    range.setEndAfter(pieces.at(-1));
    return [before, range.toString()];
}"""
PLACE = """([from, to]) => {
    const body = document.querySelector(".marked > p");
    const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
    const at = (unit) => {
        walker.currentNode = body;
        for (let node = walker.nextNode(), seen = 0; node; seen += node.length, node = walker.nextNode())
            if (unit < seen + node.length) return [node, unit - seen];
    };
    const range = document.createRange();
    range.setStart(...at(from));
    const [last, offset] = at(to - 1);
    range.setEnd(last, offset + 1);
    const box = range.getBoundingClientRect();
    return { left: box.left, right: box.right, middle: box.top + box.height / 2 };
}"""

OFFERED = {"text": "hypothesis", "category": None, "token": None}
LOG = """([start, texts]) => import("/static/widgets/typing_log.js").then(({ TypingLog }) => {
    const log = new TypingLog(start, start, null);
    for (const text of texts) log.wrote(text);
    return log.record.edits;
})"""
LETTERS = "(names) => import('/static/widgets/letters.js').then(({ lettersFor }) => lettersFor(names))"

in_page = settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def page(browser: Any) -> Iterator[Any]:
    with module_page(browser) as opened:
        yield opened


@st.composite
def texts(draw: st.DrawFn, known: Mapping[str, tuple[str, ...]]) -> tuple[str, str]:
    """A language, and a text of some of its words."""
    language = draw(st.sampled_from(sorted(known)))
    words = draw(st.lists(st.sampled_from(known[language]), min_size=1, max_size=6))
    return language, draw(st.sampled_from(["", " "]) if language == "zh" else st.just(" ")).join(words)


def onwards(page: Any) -> str:
    """The arrow that points to the next word."""
    direction = page.evaluate("getComputedStyle(document.querySelector('.marked > p')).direction")
    return "ArrowLeft" if direction == "rtl" else "ArrowRight"


def code_point(text: str, unit: int) -> int:
    """The code point at a unit of UTF-16."""
    return len(text.encode("utf-16-le")[: 2 * unit].decode("utf-16-le"))


def assert_seen(page: Any, text: str) -> dict[str, Any]:
    """The one mark covers on the page what Python finds at its offsets."""
    (span,) = spans_of(page)
    before, marked = page.evaluate(SEEN)
    assert (text[: span["start"]], text[span["start"] : span["end"]]) == (before, marked)
    return span


@in_page
@given(text=texts(WORDS | MIXED), first=st.integers(0, 5), more=st.integers(0, 3))
def test_words_chosen_by_keys_are_where_python_finds_them(
    page: Any, text: tuple[str, str], first: int, more: int
) -> None:
    language, content = text
    show_text(page, content, language)
    forward = onwards(page)
    page.locator(".word").first.focus()
    for key in ["Home", *[forward] * first, *[f"Shift+{forward}"] * more, "2"]:
        page.keyboard.press(key)
    words = page.locator(".word").all_inner_texts()
    chosen = words[min(first, len(words) - 1) : first + more + 1] or words[-1:]
    span = assert_seen(page, content)
    assert "".join(content[span["start"] : span["end"]].split()) == "".join("".join(chosen).split())


@in_page
@given(text=texts(WORDS), data=st.data())
def test_characters_under_a_mouse_are_where_python_finds_them(
    page: Any, text: tuple[str, str], data: st.DataObject
) -> None:
    language, content = text
    show_text(page, content, language)
    edges = page.evaluate(CHARACTERS, content)
    characters = [index for index, edge in enumerate(edges[:-1]) if content.encode("utf-16-le")[2 * edge] != 32]
    first = data.draw(st.sampled_from(characters))
    last = data.draw(st.sampled_from([index for index in characters if index >= first]))
    boxes = [page.evaluate(PLACE, [edges[index], edges[index + 1]]) for index in (first, last)]
    start, end = ("right", "left") if language == "ar" else ("left", "right")
    inwards = -1 if language == "ar" else 1
    page.mouse.move(boxes[0][start] + inwards, boxes[0]["middle"])
    page.mouse.down()
    page.mouse.move(boxes[1][end] - inwards, boxes[1]["middle"])
    page.mouse.up()
    page.keyboard.press("1")
    span = assert_seen(page, content)
    assert (span["start"], span["end"]) == (code_point(content, edges[first]), code_point(content, edges[last + 1]))


@in_page
@given(
    text=texts(WORDS | MIXED),
    steps=st.lists(st.sampled_from(["Control+ArrowRight", "Control+Shift+ArrowRight"]), max_size=5),
)
def test_characters_chosen_by_keys_are_whole(page: Any, text: tuple[str, str], steps: list[str]) -> None:
    language, content = text
    show_text(page, content, language)
    page.locator(".word").first.focus()
    for key in ["Home", *steps, "1"]:
        page.keyboard.press(key.replace("ArrowRight", onwards(page)))
    span = assert_seen(page, content)
    edges = {code_point(content, edge) for edge in page.evaluate(CHARACTERS, content)}
    assert {span["start"], span["end"]} <= edges


def test_what_was_offered_is_kept_changed_or_removed(page: Any) -> None:
    offered = [{**OFFERED, "start": 2 * n, "end": 2 * n + 1, "severity": "minor"} for n in range(3)]
    show_text(page, "a b c d", "en", offered=offered)
    assert page.evaluate("field.initial.map(({ fate }) => fate)") == ["kept"] * 3
    page.locator(".word").nth(1).click()
    page.keyboard.press("2")
    page.locator(".word").nth(2).click()
    page.keyboard.press("Delete")
    fates = "value.map(({ fate, offered, severity }) => [fate, offered, severity])"
    assert page.evaluate(fates) == [["kept", 0, "minor"], ["changed", 1, "major"], ["removed", 2, "minor"]]
    page.locator(".spans li.removed button").last.click()
    page.keyboard.press("2")
    page.locator(".word").nth(1).click()
    page.keyboard.press("1")
    assert page.evaluate(fates) == [["kept", 0, "minor"], ["kept", 1, "minor"], ["changed", 2, "major"]]


def test_where_marks_may_not_overlap_a_new_one_takes_the_place_of_one_but_not_of_two(page: Any) -> None:
    show_text(page, "one two three four", "en", overlap=False)
    words = page.locator(".word")
    words.nth(0).click()
    page.keyboard.press("1")
    words.nth(1).click(modifiers=["Shift"])
    page.keyboard.press("2")
    assert [(span["start"], span["end"], span["severity"]) for span in spans_of(page)] == [(0, 7, "major")]
    words.nth(3).click()
    page.keyboard.press("1")
    words.nth(1).click()
    words.nth(3).click(modifiers=["Shift"])
    page.keyboard.press("1")
    assert len(spans_of(page)) == 2
    assert "must not overlap" in page.inner_text(".hint")


def test_words_and_the_gaps_between_them_are_marked_and_freed(page: Any) -> None:
    show_text(page, "one  two", None, severities=[], unit="words", gaps=True)
    page.locator("[role=option]").first.focus()
    for key in ("Space", "ArrowRight", "Space", "ArrowRight", "Space", "Space", "End", "Space"):
        page.keyboard.press(key)
    assert [(span["start"], span["end"]) for span in spans_of(page)] == [(0, 0), (0, 3), (8, 8)]


def test_gaps_are_named_by_the_words_around_them(page: Any) -> None:
    show_text(page, "one  two", None, severities=[], unit="words", gaps=True)
    names = page.eval_on_selector_all(".gap", "(gaps) => gaps.map((gap) => gap.getAttribute('aria-label'))")
    assert names == ["before “one”", "between “one” and “two”", "after “two”"]
    show_text(page, "", None, severities=[], unit="words", gaps=True)
    assert page.locator(".gap").get_attribute("aria-label") == "the empty text"


def test_several_kinds_of_one_word_are_several_marks(page: Any) -> None:
    show_text(page, "one two", None, severities=[], categories=["form", "order", "word/form"], unit="words")
    page.locator(".word").last.focus()
    kinds = []
    for letter in (*page.evaluate("field.letters"), page.evaluate("field.letters[1]")):
        page.keyboard.press(letter)
        kinds.append([span["category"] for span in spans_of(page)])
    assert kinds == [["form"], ["form", "order"], ["form", "order", "word/form"], ["form", "word/form"]]


@in_page
@given(names=st.lists(st.text("abcxyz/", min_size=1, max_size=6), unique=True, max_size=30))
def test_categories_have_keys_of_their_own_while_there_are_any(page: Any, names: list[str]) -> None:
    letters = page.evaluate(LETTERS, names)
    free = 26 - len("bfgpu")
    assert len(letters) == len(names)
    assert len(set(letters[:free])) == min(free, len(names))
    assert not set(letters) & set("bfgpu")


@in_page
@given(
    start=st.text("aä\u0308\U0001f309", max_size=8),
    texts=st.lists(st.text("aä\u0308\U0001f309\n", max_size=8), max_size=5),
)
def test_edits_lead_from_the_first_text_to_the_last(page: Any, start: str, texts: list[str]) -> None:
    text = start
    for edit in page.evaluate(LOG, [start, texts]):
        text = text[: edit["start"]] + edit["inserted"] + text[edit["start"] + edit["removed"] :]
    assert text == [start, *texts][-1]
