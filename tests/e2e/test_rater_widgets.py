"""Every widget of the rater's page in a small campaign, from the link to the last item, by keyboard only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from tests.browser import axe_violations, tab_to
from tests.contract.commands import run
from tests.e2e.campaign_server import Served, served
from tests.e2e.rater_pages import DESK, LOOKS, READY, begin, done, focused, opened
from tests.e2e.test_campaign import good
from tests.e2e.wire import wired

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TEXTS = {
    "source": ("Die Bru\u0308cke bleibt gesperrt.", "Wer hat das gesagt?"),
    "reference": ("The bridge stays closed.", "Who said that?"),
    "first": ("The bridge \U0001f309 remain barred.", "Who has said this?"),
    "second": ("A bridge is closed.", "That was said by who?"),
    "third": ("The bridge stays shut.", "Who did say that?"),
}
ITEMS = """
[[items]]
criterion = "comprehension"
name = "{name}"
segment = "{segment}"
text = "{text}"
options = ["the bridge", "the road", "the mayor", "nobody"]
right = ["the bridge"]
"""
PROTOCOLS = {
    "esa": ("first",),
    "mqm": ("first",),
    "ranking": ("first", "second", "third"),
    "preference": ("first", "second"),
    "comprehension": ("first",),
    "post-edit": ("first",),
}
NEEDS_MORE = ("comprehension",)


def made_for(protocol: str, place: Path, *options: str, systems: tuple[str, ...] = ()) -> Path:
    """A campaign of two segments and three raters."""
    for name, lines in TEXTS.items():
        (place / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (place / "documents.txt").write_text("news\nnews\n", encoding="utf-8")
    files = [f"-{name[0]}{place / name}.txt" for name in ("source", "reference")]
    texts = (*files, "--documents", str(place / "documents.txt"), "-l", "de-en", "--show", "source")
    outputs = [str(place / f"{name}.txt") for name in systems or PROTOCOLS[protocol]]
    directory = place / protocol
    people = ("--raters", "3", "--judgements", "3", "--protocol", protocol)
    outcome = run("campaign", "new", str(directory), *texts, *outputs, *people, *options)
    assert outcome.code == 0, outcome.err
    if protocol in NEEDS_MORE:
        plan = directory / "campaign.toml"
        asked = ((1, "what", "What is closed?"), (1, "who", "Who closed it?"), (2, "said", "What is it about?"))
        items = "".join(ITEMS.format(segment=segment, name=name, text=text) for segment, name, text in asked)
        template = plan.read_text(encoding="utf-8").partition("[[items]]")[0]
        plan.write_text(template + items, encoding="utf-8")
    return directory


@dataclass
class Campaigns:
    """Campaigns that are served once for all tests."""

    place: Path
    stack: ExitStack
    running: dict[str, Served] = field(default_factory=dict)

    def of(self, protocol: str) -> Served:
        if protocol not in self.running:
            place = self.place / f"texts-{protocol}"
            place.mkdir(exist_ok=True)
            self.running[protocol] = self.stack.enter_context(served(made_for(protocol, place)))
        return self.running[protocol]

    def answers(self, protocol: str, rater: int = 1) -> list[dict[str, Any]]:
        """What a rater has answered, in the order of the segments."""
        found = exported(self.place / f"texts-{protocol}" / protocol)
        return [judgement for judgement in found if judgement["rater"] == rater]


def exported(directory: Path) -> list[dict[str, Any]]:
    """Every judgement of a campaign."""
    file = directory / "all.jsonl"
    file.unlink(missing_ok=True)
    good("campaign", "export", str(directory), "-o", str(file))
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [line["judgement"] for line in lines if "judgement" in line]


@pytest.fixture(scope="module")
def campaigns(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaigns]:
    with ExitStack() as stack:
        yield Campaigns(tmp_path_factory.mktemp("widgets"), stack)


def press(page: Any, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def test_errors_are_marked_and_undone_while_the_network_is_away(browser: Any, campaigns: Campaigns) -> None:
    with wired(campaigns.of("esa").address) as wire:
        link = wire.through(campaigns.of("esa").links[1])
        with opened(browser, link, viewport=DESK) as page:
            begin(page)
            for number in (1, 2):
                tab_to(page, ".marked [role=option]")
                press(page, "ArrowRight", "Shift+ArrowRight", "2", "End", "1")
                assert page.locator(".spans li").count() == 2
                press(page, "Delete")
                assert page.locator(".spans li").count() == 1
                press(page, "u")
                assert page.locator(".spans li").all_inner_texts()[1].startswith("[missing]")
                page.reload()
                page.wait_for_selector(READY)
                assert page.locator(".spans li").count() == 2
                press(page, "Enter", "Enter")
                assert "set a value from 0 to 100" in page.inner_text("#notice")
                page.keyboard.type("40")
                if number == 1:
                    wire.cut()
                press(page, "Enter")
                if number == 1:
                    page.wait_for_selector("#notice.calm >> text=No connection")
                    wire.mend()
                done(page, number)
    stored = [answer for each in campaigns.answers("esa") for answer in each["answers"]]
    assert [answer["values"] for answer in stored] == [{"overall": 40}] * 2
    marks = {(quoted(span), span["severity"]) for answer in stored for span in answer["spans"]["errors"]}
    assert marks == {("bridge \U0001f309", "major"), ("has said", "major"), ("[missing]", "minor")}


def test_errors_get_kinds_on_both_texts(browser: Any, campaigns: Campaigns) -> None:
    with opened(browser, campaigns.of("mqm").links[1], viewport=DESK) as page:
        begin(page)
        tab_to(page, ".marked [role=option]")
        press(page, "End", "Shift+ArrowLeft", "1", "Enter")
        assert "say what kind of error it is" in page.inner_text("#notice")
        assert focused(page, "textContent") in ("gesperrt", "gesagt")
        press(page, "m")
        press(page, "Tab")
        press(page, "Home", "Control+ArrowRight", "Control+Shift+ArrowRight", "2", "s", "Enter")
        done(page, 1)
        press(page, "b")
        page.wait_for_selector("text=Save the change")
        assert page.locator(".spans .words").all_inner_texts() == [
            "Major, fluency/spelling",
            "Minor, accuracy/mistranslation",
        ]
        tab_to(page, ".spans .quote")
        press(page, "Enter", "Delete", "Enter")
        done(page, 1)
    (judgement,) = [each for each in campaigns.answers("mqm") if each["version"] == 2]
    (span,) = judgement["answers"][0]["spans"]["penalty"]
    assert (span["text"], span["category"], span["severity"]) == ("source", "accuracy/mistranslation", "minor")
    assert quoted(span) in ("gesperrt.", "gesagt?")


def test_translations_are_ranked_with_ties(browser: Any, campaigns: Campaigns) -> None:
    with opened(browser, campaigns.of("ranking").links[1], viewport=DESK) as page:
        begin(page)
        for number in (1, 2):
            press(page, "2", "1", "Enter")
            assert "Translation C: give it a rank" in page.inner_text("#notice")
            press(page, "2", "u", "3", "ArrowLeft", "Enter")
            done(page, number)
    for judgement in campaigns.answers("ranking"):
        assert [answer["values"]["overall"] for answer in judgement["answers"]] == [2, 1, 2]


def test_the_better_translation_is_told_or_none_is(browser: Any, campaigns: Campaigns) -> None:
    with opened(browser, campaigns.of("preference").links[1], viewport=DESK) as page:
        begin(page)
        press(page, "Enter")
        assert "Say which translation is best" in page.inner_text("#notice")
        press(page, "4")
        assert page.locator("label:has(:checked)").inner_text().split("\n")[-1] == "Both are bad"
        press(page, "Enter")
        done(page, 1)
        press(page, "2", "Enter")
        done(page, 2)
    stored = [[answer["values"]["overall"] for answer in each["answers"]] for each in campaigns.answers("preference")]
    assert sorted(stored) == [[2, 1], [2, 2]]


def test_questions_about_a_passage_are_answered_one_by_one(browser: Any, campaigns: Campaigns) -> None:
    with opened(browser, campaigns.of("comprehension").links[1], viewport=DESK) as page:
        begin(page)
        for number in (1, 2):
            asked = page.locator(".field").count()
            press(page, "Enter")
            assert "choose a point" in page.inner_text("#notice")
            for _ in range(asked):
                press(page, "1", "Enter")
            done(page, number)
    found = {
        name: value
        for each in campaigns.answers("comprehension")
        for name, value in each["answers"][0]["values"].items()
    }
    assert found == {"what": 0, "who": 0, "said": 0}


def test_a_translation_is_corrected_and_the_way_there_is_kept(browser: Any, campaigns: Campaigns) -> None:
    with opened(browser, campaigns.of("post-edit").links[1], viewport=DESK) as page:
        begin(page)
        tab_to(page, ".field textarea")
        text = page.locator(".field textarea").input_value()
        press(page, "Control+a", "Delete", "Enter")
        assert "Post-editing: write something" in page.inner_text("#notice")
        page.keyboard.type("ab\U0001f309e\u0301")
        press(page, "ArrowLeft", "Backspace", "c")
        page.reload()
        page.wait_for_selector(READY)
        page.locator(".field textarea").focus()
        press(page, "End", "!", "Enter")
        page.wait_for_selector("#notice.calm >> text=Your changes come to")
        done(page, 1)
    (judgement,) = campaigns.answers("post-edit")
    (written,) = judgement["answers"][0]["texts"].values()
    assert written["text"] != text
    assert written["log"]["keystrokes"] >= 10 and written["log"]["seconds"] > 0
    for edit in written["log"]["edits"]:
        text = text[: edit["start"]] + edit["inserted"] + text[edit["start"] + edit["removed"] :]
    assert text == written["text"]


def test_columns_of_a_document_are_marked_and_scored_one_after_the_other(browser: Any, tmp_path: Path) -> None:
    options = ("--together", "2", "--unit", "document")
    directory = made_for("esa", tmp_path, *options, systems=("first", "second"))
    plan = directory / "campaign.toml"
    text = plan.read_text(encoding="utf-8").replace('widget = "slider"', 'widget = "slider"\nspan_below = 50')
    plan.write_text(text, encoding="utf-8")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        tops = [box.bounding_box()["y"] for box in page.locator(".columns .text").all()]
        assert tops[0] == tops[1] < tops[2] == tops[3]
        tab_to(page, ".marked [role=option]")
        press(page, "Enter")
        page.keyboard.type("40")
        press(page, "Enter")
        assert "A value below 50 needs at least one mark" in page.inner_text("#notice")
        tab_to(page, ".marked [role=option]", "Shift+Tab")
        press(page, "1", "Enter")
        for number in (1, 2, 3):
            assert focused(page, "closest('.part').dataset.part") == str(number)
            press(page, "Enter")
            page.keyboard.type("60")
            press(page, "Enter")
        done(page, 1)
    (judgement,) = exported(directory)
    assert [answer["values"]["overall"] for answer in judgement["answers"]] == [40, 60, 60, 60]
    assert [len(answer["spans"]["errors"]) for answer in judgement["answers"]] == [1, 0, 0, 0]


READING = """
[[questions]]
criterion = "human"
widget = "choice"
options = ["a machine", "a person"]
help = "Who wrote this?"
reveal = true

[[tutorial]]
segment = "2"
system = "first"
values = {human = 1}
explanation = "Machines do not write **so**."
"""


def test_a_tutorial_in_which_words_are_uncovered_one_by_one(browser: Any, tmp_path: Path) -> None:
    directory = made_for("esa", tmp_path)
    plan = directory / "campaign.toml"
    head = plan.read_text(encoding="utf-8").partition("[[questions]]")[0]
    head = head.replace('protocol = "esa"', 'protocol = "custom"\ncontext = "document"')
    texts = 'guidelines = "# Read\\n\\nRead *with care*."\n' + READING + "\n[assignment]\nraters = 1\n"
    plan.write_text(head + texts, encoding="utf-8")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        assert page.inner_text("h2") == "Exercise 1"
        assert TEXTS["first"][0] in page.inner_text(".around[tabindex='0']")
        press(page, "n", "n")
        assert page.inner_text(".covered p") == "Who has"
        press(page, "n", "1", "n")
        assert page.inner_text(".covered p") == "Who has said"
        press(page, "Enter")
        page.wait_for_selector("text=This was not the answer expected")
        assert "a person" in page.inner_text(".answer")
        tab_to(page, "button.main")
        press(page, "Enter")
        page.wait_for_selector("#work:not([inert]) .covered")
        press(page, "g")
        assert page.locator("dialog em").inner_text() == "with care"
        tab_to(page, "dialog .wide-only")
        press(page, "Enter")
        assert page.locator("aside em").inner_text() == "with care"
        tab_to(page, "[data-next-word]")
        press(page, "Enter", "2", "Enter")
        done(page, 2)
    stored = exported(directory)
    assert [each["answers"][0]["words"] for each in stored] == [{"human": 3}, {"human": 1}]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_everybody_can_use_every_widget(browser: Any, campaigns: Campaigns, protocol: str) -> None:
    with opened(browser, campaigns.of(protocol).links[2], viewport=DESK, bypass_csp=True) as page:
        begin(page)
        if page.locator(".marked").count():
            tab_to(page, ".marked [role=option]")
            press(page, "1", "ArrowRight", "Shift+ArrowRight")
        press(page, "Enter")
        for look in LOOKS.values():
            page.wait_for_selector("#work:not([inert]) h2")
            page.set_viewport_size(look["viewport"])
            page.emulate_media(color_scheme=look["color_scheme"])
            assert page.evaluate("document.documentElement.scrollWidth") <= look["viewport"]["width"]
            assert axe_violations(page) == []


def quoted(span: dict[str, Any]) -> str:
    """What Python finds at the offsets of a mark, in the text with its hash."""
    texts = {sha256(line.encode()).hexdigest(): line for lines in TEXTS.values() for line in lines}
    return span.get("token") or texts[span["hash"]][span["start"] : span["end"]]
