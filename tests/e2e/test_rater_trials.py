"""What raters and their browsers do that nobody planned: nothing is lost, nothing is another's, and all is said."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.browser import CANARIES as INJECTIONS
from tests.contract.commands import run
from tests.e2e.campaign_server import Served, served
from tests.e2e.rater_pages import DESK, PHONE, READY, answer, begin, done, focused, kept_on_device, opened, settle
from tests.e2e.test_campaign import good, made
from tests.e2e.wire import wired

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MINUTES = 60_000
BROKEN_STORAGE = """
Object.defineProperty(window, "indexedDB", {get() { throw new Error("private"); }});
Object.defineProperty(window, "localStorage", {get() { throw new Error("private"); }});
Object.defineProperty(Crypto.prototype, "randomUUID", {value: undefined});
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(made(tmp_path_factory.mktemp("page"), "--raters", "9", "--judgements", "6")) as running:
        yield running


@pytest.fixture(scope="module")
def slider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    options = ("--protocol", "da", "--raters", "3", "--judgements", "3")
    with served(made(tmp_path_factory.mktemp("slider"), *options)) as running:
        yield running


def stored(directory: Path) -> list[dict[str, Any]]:
    """The judgements of a campaign as they are exported."""
    file = directory.parent / f"export-{len(list(directory.parent.iterdir()))}.jsonl"
    good("campaign", "export", str(directory), "-o", str(file))
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [line["judgement"] for line in lines if "judgement" in line]


def test_two_raters_in_one_browser_are_kept_apart(browser: Any, tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "2")
    with served(directory) as running, wired(running.address) as wire:
        first, second = (wire.through(running.links[rater]) for rater in (1, 2))
        with opened(browser, first, viewport=DESK) as page:
            begin(page)
            settle(page, "1")
            wire.cut()
            page.keyboard.press("1")
            page.keyboard.press("Enter")
            page.wait_for_selector("#notice >> text=No connection")
            page.close()
            wire.mend()
            other = page.context.new_page()
            other.goto(second)
            begin(other)
            answer(other, "5", "5")
            done(other, 1)
            assert [judgement["rater"] for judgement in stored(directory)] == [2]
            again = page.context.new_page()
            again.goto(first)
            again.wait_for_selector("text=An answer that was waiting on this device has been sent")
    assert {(each["rater"], each["answers"][0]["values"]["fluency"]) for each in stored(directory)} == {(2, 5), (1, 1)}


def test_a_page_sends_nothing_as_somebody_else(browser: Any, tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "2")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        settle(page, "4")
        other = page.context.new_page()
        other.goto(running.links[2])
        begin(other)
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Somebody else’s link has been opened in this browser")
        assert stored(directory) == []
        page.goto(running.links[1])
        page.reload()
        page.wait_for_selector("text=An answer that was waiting on this device has been sent")
        assert [judgement["rater"] for judgement in stored(directory)] == [1]


def test_an_older_page_goes_on_after_the_link_was_opened_again(browser: Any, server: Served) -> None:
    with opened(browser, server.links[1], viewport=DESK) as page:
        begin(page)
        other = page.context.new_page()
        other.goto(server.links[1])
        other.wait_for_selector(READY)
        answer(page)
        done(page, 1)


def test_a_browser_that_keeps_nothing_still_sends(browser: Any, server: Served) -> None:
    with opened(browser, "about:blank", viewport=DESK) as page:
        page.add_init_script(BROKEN_STORAGE)
        page.goto(server.links[2])
        begin(page)
        answer(page)
        done(page, 1)


def test_a_key_that_is_held_down_answers_once(browser: Any, server: Served) -> None:
    with opened(browser, server.links[3], viewport=DESK) as page:
        begin(page)
        page.keyboard.press("4")
        for _ in range(5):
            page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        page.wait_for_selector("fieldset#adequacy-0")
        assert page.locator("#notice").is_hidden()
        page.keyboard.press("3")
        page.evaluate("() => { const main = document.querySelector('button.main'); main.click(); main.click(); }")
        done(page, 1)
        assert page.locator("#notice").is_hidden()


def test_choices_can_be_undone(browser: Any, server: Served) -> None:
    with opened(browser, server.links[4], viewport=DESK) as page:
        begin(page)
        page.keyboard.press("2")
        page.keyboard.press("4")
        page.keyboard.press("u")
        assert page.locator("input:checked").input_value() == "2"
        page.keyboard.press("Control+z")
        assert page.locator("input:checked").count() == 0
        assert page.inner_text("#said") == "Undone."
        page.keyboard.press("u")
        assert "nothing to undo" in page.inner_text("#said")


def test_keys_work_on_other_keyboards_and_can_be_turned_off(browser: Any, server: Served) -> None:
    def press(key: str, code: str) -> None:
        event = "new KeyboardEvent('keydown', {key, code, bubbles: true, cancelable: true})"
        page.evaluate(f"([key, code]) => document.activeElement.dispatchEvent({event})", [key, code])

    with opened(browser, server.links[5], viewport=DESK) as page:
        begin(page)
        press("\u00e9", "Digit2")  # France
        assert page.locator("input:checked").input_value() == "2"
        press("\u0663", "Digit3")  # Egypt
        assert page.locator("input:checked").input_value() == "3"
        press("\u0433", "KeyU")  # Russia
        assert page.locator("input:checked").input_value() == "2"
        press("\u061f", "Slash")
        page.wait_for_selector("dialog[open]")
        page.click("text=Letters and digits work as keys")
        page.keyboard.press("Escape")
        press("4", "Digit4")
        assert page.locator("input:checked").input_value() == "2"


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [("101", "101 is not"), ("-1", "-1 is not"), ("1e2", "1e2 is not"), ("5 0", "5 0 is not"), (" ", "set a value")],
)
def test_what_is_no_value_is_refused_in_its_words(browser: Any, slider: Served, typed: str, complaint: str) -> None:
    with opened(browser, slider.links[1], viewport=DESK) as page:
        page.wait_for_selector("#work:not([inert]) button")
        if page.locator("text=Do you read").count():
            begin(page)
        page.locator("input[type=text]").fill(typed)
        page.keyboard.press("Enter")
        assert complaint in page.inner_text("#notice")
        assert complaint in page.inner_text(".lack")
        assert focused(page, "getAttribute('aria-invalid')") == "true"


def test_values_are_typed_in_any_script_and_keys_work_meanwhile(browser: Any, slider: Served) -> None:
    with opened(browser, slider.links[2], viewport=DESK) as page:
        begin(page)
        box, scale = page.locator("input[type=text]"), page.locator("input[type=range]")
        for typed, value in (("\u0663\u0667", "37"), ("\uff14\uff12", "42"), ("12,5", "13"), ("0", "0")):
            box.fill(typed)
            assert (scale.input_value(), page.locator(".unset").count()) == (value, 0)
        page.keyboard.press("ArrowUp")
        assert box.input_value() == "1"
        page.keyboard.press("u")
        assert box.input_value() == "0"
        page.keyboard.press("?")
        page.wait_for_selector("dialog[open]")
        page.keyboard.press("Escape")
        box.fill("")
        assert page.locator(".unset").count() == 1
        scale.click()  # its middle
        assert box.input_value() == "50"
        page.keyboard.press("u")
        assert page.locator(".unset").count() == 1
        place = scale.bounding_box()
        page.mouse.click(place["x"] + place["width"] * 0.75, place["y"] + place["height"] / 2)
        assert 73 <= int(box.input_value()) <= 77


def test_a_pause_stops_the_clock(browser: Any, tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "1")
    with served(directory) as running, opened(browser, "about:blank", viewport=DESK) as page:
        page.clock.install()
        page.goto(running.links[1])
        begin(page)
        page.clock.fast_forward(2 * MINUTES)
        page.keyboard.press("p")
        assert page.locator(".text").first.is_hidden()
        page.keyboard.press("4")
        page.clock.fast_forward(30 * MINUTES)
        page.keyboard.press("p")
        assert page.locator("input:checked").count() == 0
        answer(page)
        done(page, 1)
    (judgement,) = stored(directory)
    assert 120 <= judgement["answers"][0]["seconds"] < 300


def test_something_broken_needs_a_reason_and_no_other_answer(browser: Any, tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "1")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        page.keyboard.press("f")
        page.keyboard.press("Control+Enter")
        assert "Say what is broken" in page.inner_text(".flag .lack")
        page.keyboard.type("the source is another text?")
        page.reload()
        page.wait_for_selector("textarea")
        assert page.locator("textarea").input_value() == "the source is another text?"
        page.locator("textarea").press("Control+Enter")
        done(page, 1)
    assert [judgement["answers"][0]["broken"] for judgement in stored(directory)] == ["the source is another text?"]


def test_who_withdraws_takes_everything_along(browser: Any, tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "2")
    with served(directory) as running:
        for rater in (2, 1):
            with opened(browser, running.links[rater], viewport=DESK) as page:
                begin(page)
                answer(page)
                done(page, 1)
                if rater == 2:
                    continue
                before = stored(directory)
                page.evaluate("localStorage.setItem('another', 'stays')")
                page.keyboard.press("2")
                page.keyboard.press("?")
                page.click("text=Withdraw from this campaign")
                page.click("text=Erase all my answers")
                page.wait_for_selector("text=Your answer has been erased")
                assert kept_on_device(page) == '[{"another":"stays"},{},[],""]'
                page.reload()
                page.wait_for_selector("text=Open the link that you were given")
    assert stored(directory) == [judgement for judgement in before if judgement["rater"] != 1]


def with_plan(directory: Path, old: str, new: str) -> Path:
    """The campaign with something else in its file."""
    plan = directory / "campaign.toml"
    text = plan.read_text(encoding="utf-8")
    assert old in text
    plan.write_text(text.replace(old, new), encoding="utf-8")
    return directory


def test_an_answer_to_a_loud_check_is_told_and_can_be_looked_at_again(browser: Any, tmp_path: Path) -> None:
    gold = (
        '[[gold]]\nsegment = "1"\nsystem = "canary-alpha"\nvalues = {fluency = 5}\nexplanation = "It is <b>fine</b>."\n'
    )
    directory = with_plan(made(tmp_path, "--raters", "1"), "[controls]", '[controls]\nloud = ["gold"]')
    plan = directory / "campaign.toml"
    plan.write_text(plan.read_text(encoding="utf-8") + gold, encoding="utf-8")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        for number in range(1, 10):
            answer(page, "1")
            page.locator("#progress", has_text=f"{number - 1} of").wait_for()
            page.wait_for_selector("#work:not([inert]) h2")
            if "That was a check" in page.inner_text("main"):
                break
            done(page, number)
        assert "It is <b>fine</b>." in page.inner_text("main")
        assert focused(page, "tagName") == "H2"
        page.click("text=Look at it again")
        page.wait_for_selector("text=You have answered this before")
        assert "It is <b>fine</b>." in page.inner_text("main")
        page.keyboard.press("Enter")  # unchanged: nothing is stored twice
        page.wait_for_selector("text=Leave it as it is", state="detached")
    assert [judgement["version"] for judgement in stored(directory)] == [1] * number


def test_who_answers_a_loud_check_well_is_told(browser: Any, tmp_path: Path) -> None:
    gold = '[[gold]]\nsegment = "1"\nsystem = "canary-alpha"\nvalues = {overall = 60}\n'
    directory = with_plan(
        made(tmp_path, "--raters", "1", "--protocol", "da"), "[controls]", '[controls]\nloud = ["gold"]'
    )
    plan = directory / "campaign.toml"
    plan.write_text(plan.read_text(encoding="utf-8") + gold, encoding="utf-8")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        told = []
        for number in range(1, 10):
            page.keyboard.press("Enter")
            assert "set a value" in page.inner_text("#notice")
            page.keyboard.type("60")
            assert page.locator("#notice").is_hidden()
            page.keyboard.press("Enter")
            done(page, number)
            told += page.locator("#notice.calm").all_inner_texts()
    assert told == ["That was a check, and you answered it well."]


def test_texts_are_never_markup_and_fit_any_page(browser: Any, tmp_path: Path) -> None:
    hostile = [text.replace("\x00", "").replace("\u2028", " ") for text in INJECTIONS]
    lines = [*hostile, "unbroken" * 60, "\u05e9\u05dc\u05d5\u05dd" * 80, "\u6f22\u5b57" * 200]
    (tmp_path / "long.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    again = ("-s", str(tmp_path / "long.txt"), "-r", str(tmp_path / "long.txt"), str(tmp_path / "long.txt"))
    outcome = run("campaign", "new", str(tmp_path / "odd"), *again, "--protocol", "custom", "--raters", "1")
    assert outcome.code != 0  # a scale of one's own has to be written into the file
    outcome = run(
        "campaign", "new", str(tmp_path / "odd"), *again, "--protocol", "sqm", "--show", "both", "--raters", "1"
    )
    assert outcome.code == 0, outcome.err
    directory = with_plan(
        tmp_path / "odd",
        'criterion = "overall"',
        'criterion = "<b>x</b>"\nscale = {minimum = -1, maximum = 9}\n'
        'labels = {"-1" = "<img src=x onerror=alert(1)>", "9" = "' + "long " * 20 + '"}',
    )
    with_plan(directory, 'protocol = "sqm"', 'protocol = "custom"\nguidelines = "<script>alert(5)</script>"')
    with served(directory) as running, opened(browser, running.links[1], viewport=PHONE) as page:
        page.on("dialog", lambda dialog: pytest.fail(f"the page opened a dialog: {dialog.message}"))
        begin(page)
        for number, key in enumerate(("-1", *"012345678", "9", "0"), 1):
            page.keyboard.type(key)
            assert page.locator("input:checked").input_value() == key
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            page.keyboard.press("Enter")
            done(page, number)
        page.wait_for_selector("text=That was the last one")


def test_the_way_past_the_heading_is_no_secret_of_a_link(browser: Any, server: Served) -> None:
    with opened(browser, server.links[6], viewport=DESK) as page:
        begin(page)
        page.locator("#skip").focus()
        page.keyboard.press("Enter")
        assert focused(page, "tagName") == "H2"
        page.reload()
        page.wait_for_selector(READY)


@pytest.mark.parametrize(
    ("language", "text", "direction"),
    [
        ("ar", "KDE \u0647\u0648 \u0628\u0631\u0646\u0627\u0645\u062c.", "rtl"),
        ("ar", "It was left in English.", "ltr"),
        ("he", "\u05e9\u05dc\u05d5\u05dd", "rtl"),
        ("ja", "\u3053\u3093\u306b\u3061\u306f", "ltr"),
    ],
)
def test_texts_have_their_own_language_and_direction(
    browser: Any, tmp_path: Path, language: str, text: str, direction: str
) -> None:
    directory = made(tmp_path, "--raters", "1", "-l", f"en-{language}")
    texts = directory / "texts.jsonl"
    rows = [json.loads(line) for line in texts.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        row["outputs"] = dict.fromkeys(row["outputs"], text)
    texts.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    plan = directory / "campaign.toml"
    kept = [line for line in plan.read_text(encoding="utf-8").splitlines() if not line.startswith("texts_sha256")]
    plan.write_text("\n".join(kept) + "\n", encoding="utf-8")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        shown = page.locator(".text p").last
        assert shown.get_attribute("lang") == language
        assert shown.evaluate("(element) => getComputedStyle(element).direction") == direction
        assert shown.inner_text() == text


def test_an_answer_to_a_server_that_stands_still_counts_once(browser: Any, tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "1")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        settle(page, "4")
        running.process.send_signal(signal.SIGSTOP)
        try:
            page.keyboard.press("3")
            page.keyboard.press("Enter")
            page.wait_for_selector("#notice.calm >> text=No connection")
        finally:
            running.process.send_signal(signal.SIGCONT)
        done(page, 1)
        assert page.locator("#notice").is_hidden()
    assert [judgement["version"] for judgement in stored(directory)] == [1]


def test_the_stored_answer_can_be_kept_and_a_revoked_link_ends_the_page(browser: Any, tmp_path: Path) -> None:
    directory = made(tmp_path, "--raters", "1")
    with served(directory) as running, opened(browser, running.links[1], viewport=DESK) as page:
        begin(page)
        settle(page, "1")
        other = page.context.new_page()
        other.goto(f"{running.address}/")
        other.wait_for_selector("fieldset#adequacy-0")
        other.keyboard.press("1")
        other.keyboard.press("Enter")
        done(other, 1)
        page.keyboard.press("5")
        page.keyboard.press("Enter")
        page.click("text=Keep the stored answer")
        page.wait_for_selector("#work:not([inert]) fieldset#fluency-0")
        assert [judgement["answers"][0]["values"]["adequacy"] for judgement in stored(directory)] == [1]
        settle(page, "3")
        good("campaign", "link", str(directory), "1", "--revoke")
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Open the link that you were given")
        assert '"owner"' in kept_on_device(page)
