"""Whole campaigns by keyboard only, from the link to the last item, while the network is cut and the page is closed."""

from __future__ import annotations

import json
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from tests.contract.commands import run
from tests.e2e.campaign_server import served
from tests.e2e.rater_pages import LOOKS, answer, begin, done, kept_on_device, opened, settle, systems_of
from tests.e2e.test_campaign import CANARIES, good, made
from tests.e2e.wire import Wire, wired

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

GOLD = """
[[gold]]
segment = "1"
system = "canary-alpha"
translation = "quite another text"
values = {{{values}}}
explanation = "canary-explanation"
"""
SECRETS = (*CANARIES, "canary-explanation", "bad-reference", '"repeat"', '"gold"', '"system"', '"control"')


def with_gold(directory: Path, values: str) -> Path:
    """The campaign with an item whose right answers are known, of which nobody is told."""
    plan = directory / "campaign.toml"
    plan.write_text(plan.read_text(encoding="utf-8") + GOLD.format(values=values), encoding="utf-8")
    return directory


def assert_blind(page: Any, wire: Wire) -> None:
    """Nothing that came over the wire or is on the device names a system or tells a control item from the rest."""
    received = b"".join(wire.received).decode(errors="replace")
    assert received.count('"public"') > 3
    everything = received + str(page.content()) + kept_on_device(page)
    assert [secret for secret in SECRETS if secret in everything] == []


def close_in_the_dark(page: Any, wire: Wire, link: str) -> Any:
    """Close the page while its answer is only in the outbox, and open the link once more when the network is back."""
    page.wait_for_selector("#notice.calm >> text=No connection")
    context = page.context
    page.close()
    wire.mend()
    again = context.new_page()
    again.goto(link)
    again.wait_for_selector("text=An answer that was waiting on this device has been sent")
    return again


@pytest.mark.parametrize("look", LOOKS)
def test_adequacy_and_fluency(browser: Any, tmp_path: Path, look: str) -> None:
    directory = with_gold(made(tmp_path, "--raters", "1", "--repeats", "0.2", "--degraded", "0.2"), "fluency = 5")
    tasks = 8 + 2 + 2 + 1
    with served(directory) as running, wired(running.address) as wire:
        link = wire.through(running.links[1])
        with opened(browser, link, **LOOKS[look]) as page:
            begin(page)
            assert page.url == f"{wire.address}/"
            for number, fluency in zip(range(1, tasks + 1), cycle("12345"), strict=False):
                if number == 4:  # gone for a while, with the page open
                    wire.cut()
                    page.keyboard.press(fluency)
                    page.keyboard.press("Enter")
                    page.wait_for_selector("#notice.calm >> text=No connection")
                    assert page.locator(".text").count() == 1  # the reference is not on the device
                    page.wait_for_timeout(3000)
                    wire.mend()
                    page.wait_for_selector("#work:not([inert]) fieldset#adequacy-0")
                    assert page.locator("#notice").is_hidden()
                    page.keyboard.press("3")
                    page.keyboard.press("Enter")
                elif number == 6:
                    settle(page, fluency)
                    wire.cut()
                    page.keyboard.press("3")
                    page.keyboard.press("Enter")
                    page = close_in_the_dark(page, wire, link)
                else:
                    answer(page, fluency)
                done(page, number)
            page.wait_for_selector("text=That was the last one")
            assert_blind(page, wire)
    assert_results_are_those_of_the_export(directory, tmp_path, tasks)


@pytest.mark.parametrize("look", LOOKS)
def test_direct_assessment_of_documents(browser: Any, tmp_path: Path, look: str) -> None:
    (tmp_path / "documents.txt").write_text("a\na\na\nb\n", encoding="utf-8")
    options = ("--documents", str(tmp_path / "documents.txt"), "--unit", "document", "--protocol", "da-sqm")
    directory = made(tmp_path, *options, "--raters", "1", "--show", "source", "--repeats", "0.25")
    values = cycle(("0", "100", "37", "62.5"))
    tasks = 4 + 1
    with served(directory) as running, wired(running.address) as wire:
        link = wire.through(running.links[1])
        with opened(browser, link, **LOOKS[look]) as page:
            begin(page)
            for number in range(1, tasks + 1):
                parts = page.locator(".part").count()
                for part in range(parts):
                    assert page.locator(f"#overall-{part} .unset").count() == 1
                    if part == 1:
                        page.keyboard.press("ArrowRight")  # from the middle, where it is not until it is moved
                    else:
                        page.keyboard.type(next(values))
                    if number == 2 and part == parts - 1:
                        wire.cut()
                    page.keyboard.press("Enter")
                if number == 2:
                    page = close_in_the_dark(page, wire, link)
                done(page, number)
            page.wait_for_selector("text=That was the last one")
            assert_blind(page, wire)
    assert {51.0, 0.0, 100.0} <= values_of(directory, tmp_path)
    assert_results_are_those_of_the_export(directory, tmp_path, tasks)


def values_of(directory: Path, place: Path) -> set[float]:
    ratings = place / "values.jsonl"
    good("convert", str(directory), "-o", str(ratings))
    return {json.loads(line)["value"] for line in ratings.read_text(encoding="utf-8").splitlines()}


def assert_results_are_those_of_the_export(directory: Path, place: Path, tasks: int) -> None:
    """Each answer was delivered once, and the page's campaign says what its export says."""
    (rater,) = good("campaign", "status", str(directory))["raters"]
    assert (rater["done"], rater["planned"]) == (tasks, tasks)
    good("campaign", "export", str(directory), "-o", str(place / "all.jsonl"))
    exported = (place / "all.jsonl").read_text(encoding="utf-8")
    assert exported.count('"version": 1') == tasks and '"version": 2' not in exported
    good("convert", str(directory), "-o", str(place / "ratings.jsonl"))
    assert systems_of(directory) == systems_of(place / "ratings.jsonl") != []
    outcome = run("campaign", "results", str(directory), "--json")
    assert json.loads(outcome.out)["systems"] == systems_of(directory)
