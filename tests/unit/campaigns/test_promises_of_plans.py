"""What a campaign judges stays as it began: every setting, every text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from tests.unit.campaigns.campaign_of import NOW, answer, material_of, plan_of

from karat.campaigns import Assignment, CampaignPlan, Controls, Gold, Material, Question, work
from karat.campaigns.answers import Answer
from karat.campaigns.files import CampaignFiles, write_campaign
from karat.campaigns.store import Store, tables
from karat.errors import InputError
from karat.service import campaigns, rating

CHANGES: dict[str, Any] = {
    "name": "another",
    "protocol": "ldc",
    "questions": (Question(criterion="fluency"),),
    "source_language": "de",
    "target_language": "en",
    "unit": "document",
    "segments": 3,
    "systems": ("sys0",),
    "outputs": "some",
    "seed": 2,
    "texts": "other.jsonl",
    "guidelines": "Be strict.",
    "assignment": Assignment(raters=3),
    "controls": Controls(repeats=0.5),
    "gold": (Gold(segment="s0", system="sys0", values={"fluency": 1}),),
}
OF_THE_TEXTS = {"texts_sha256", "protocol"}
"""Follows from the texts, and what makes another plan of all that is asked."""


def files_of(directory: Path, plan: CampaignPlan, material: Material) -> CampaignFiles:
    return write_campaign(directory, plan, material)


def test_every_setting_is_tried() -> None:
    assert {field.name for field in fields(CampaignPlan)} == CHANGES.keys() | OF_THE_TEXTS


@pytest.mark.parametrize("name", sorted(CHANGES.keys() - OF_THE_TEXTS))
def test_no_setting_changes_once_a_campaign_has_begun(
    name: str, new_store: Callable[[], Store], tmp_path: Path
) -> None:
    plan, material, store = plan_of(), material_of(), new_store()
    files = files_of(tmp_path / "mine", plan, material)
    running = campaigns.begin(files, store)
    before = (store.campaign(), fixed(store))
    changed = replace(plan, **{name: CHANGES[name]})
    assert changed != plan
    with pytest.raises(InputError, match="was changed after the campaign had begun"):
        campaigns.begin(replace(files, plan=changed, work=work(changed, material)), store)
    assert (store.campaign(), fixed(store)) == before
    assert campaigns.begin(files, store).plan == running.plan


def test_no_text_changes_once_a_campaign_has_begun(new_store: Callable[[], Store], tmp_path: Path) -> None:
    plan, material, store = plan_of(), material_of(), new_store()
    files = files_of(tmp_path / "mine", plan, material)
    running = campaigns.begin(files, store)
    other = material_of(segments=7)
    with pytest.raises(InputError, match="was changed after the campaign had begun"):
        campaigns.begin(replace(files, material=other, texts=other.written(), work=work(plan, other)), store)
    (tmp_path / "mine" / "texts.jsonl").write_bytes(other.written())
    assert running.material == material
    offer = rating.next_task(running, 1)
    assert offer is not None
    assert all(part.shown in material.segment(part.segment).outputs.values() for part in offer.task.parts)


def test_answers_change_nothing_of_what_is_judged(new_store: Callable[[], Store], tmp_path: Path) -> None:
    store = new_store()
    files = files_of(tmp_path / "mine", plan_of(), material_of())
    running = replace(campaigns.begin(files, store), clock=lambda: NOW)
    before = fixed(store)
    number = 0
    while (offer := rating.next_task(running, 1)) is not None:
        number += 1
        rating.settle(running, 1, offer.public, 1, [Answer(values={"fluency": 3}, seconds=2.0)])
        rating.submit(running, 1, offer.public, f"00000000-0000-0000-0000-{number:012}", 0, [answer()])
    store.withdraw(1, NOW)
    assert number > 0
    assert fixed(store) == before


def fixed(store: Store) -> list[Any]:
    """The rows of what is judged."""
    with store.engine.connect() as connection:
        chosen = (select(tables.campaign), select(tables.task).order_by(tables.task.c.id))
        return [connection.execute(rows).all() for rows in chosen]
