"""A campaign of every protocol, as the command makes it, with what an organiser has to write filled in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.unit.campaigns.asgi import Client
from tests.unit.campaigns.raters import RIGHT, rate_all

from karat.campaigns.files import PLAN_FILE, read_campaign
from karat.corpus.ratings.protocols import protocol, protocol_names
from karat.results.human import HumanResult
from karat.service import campaigns, organising
from karat.service.inputs import CorpusFile
from karat.web.app import application

SYSTEMS = ("good", "bad", "worse")
NAMES = [name for name in protocol_names() if name == protocol(name).name]


def text_of(row: int, system: int) -> str:
    """A translation whose last sign tells how bad it is."""
    return f"w{row}a w{row}b w{row}c w{row}d {system}"


def corpus_file(directory: Path) -> CorpusFile:
    rows = [
        {
            "segment": f"s{row}",
            "document": f"d{row}",
            "source": f"q{row}a q{row}b q{row}c q{row}d",
            "reference": f"r{row}a r{row}b, r{row}c r{row}d",
            **{f"system:{name}": text_of(row, number) for number, name in enumerate(SYSTEMS)},
        }
        for row in range(2)
    ]
    path = directory / "corpus.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return CorpusFile(str(path), language_pair="de-en")


@dataclass(frozen=True)
class Collected:
    """A campaign that was rated."""

    running: campaigns.Running
    tasks: list[Any]
    analysis: HumanResult


def made(name: str, texts: CorpusFile, place: Path) -> Path:
    """A new campaign as the command makes it."""
    directory = place / name
    request = campaigns.NewCampaignRequest(
        directory=str(directory),
        texts=texts,
        protocol=name,
        raters=3 if name == "productivity" else 1,
        same_source="never" if name == "productivity" else "any",
        scales=(("politeness", 1, 4),) if name == "custom" else (),
    )
    campaigns.new_campaign(request)
    return directory


def fill_in(directory: Path) -> None:
    """Write what an organiser has to write, if anything."""
    file = directory / PLAN_FILE
    written = file.read_text(encoding="utf-8")
    for system in SYSTEMS:
        written = written.replace(f'{system} = ""', f'{system} = "program {system[::-1]}"')
    written = written.replace('text = ""', 'text = "Who came?"').replace('right = [""]', f'right = ["{RIGHT}"]')
    written = written.replace('["", "", "", ""', f'["one", "{RIGHT}", "two", "three"')
    file.write_text(written, encoding="utf-8")


def collect(name: str, texts: CorpusFile, place: Path) -> Collected:
    """A campaign of a protocol from its file to its statistics, rated over HTTP."""
    directory = made(name, texts, place)
    fill_in(directory)
    running = campaigns.begin(read_campaign(str(directory)), campaigns.open_store(str(directory)))
    tasks = []
    for rater in range(1, running.plan.assignment.raters + 1):
        client = Client(application(running))
        client.enter(running.store.new_link(rater))
        tasks += rate_all(client)
    return Collected(running, tasks, organising.results(running))
