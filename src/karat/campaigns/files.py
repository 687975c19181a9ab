"""A campaign as files: one that people read and edit, and one of texts that stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from karat.campaigns.material import Material, sha256
from karat.campaigns.plan import CampaignPlan, Item, read_plan, written_plan, written_tables
from karat.campaigns.tasks import Work, work
from karat.errors import InputError, ProblemsError, problems_in
from karat.quick_dataclasses import dataclass
from karat.whole_file import make_directory, write_whole_file

PLAN_FILE = "campaign.toml"
TEXTS_FILE = "texts.jsonl"
SQLITE_FILE = "judgements.sqlite"

Read = TypeVar("Read")


@dataclass(frozen=True, kw_only=True)
class CampaignFiles:
    """A plan with its texts, and the work that follows from them."""

    directory: Path
    plan: CampaignPlan
    material: Material
    texts: bytes
    work: Work


def read_campaign(directory: str) -> CampaignFiles:
    """The campaign in a directory, its texts as the plan knows them by their hash; all that is wrong is told."""
    place = Path(directory)
    problems: list[str] = []
    plan = _unless(problems, lambda: read_plan(_text(place / PLAN_FILE), str(place / PLAN_FILE)))
    file = place / (TEXTS_FILE if plan is None else plan.texts)
    texts = _unless(problems, lambda: _read(file)) if plan is not None or file.exists() else None
    if plan is not None and texts is not None and plan.texts_sha256 not in (None, sha256(texts)):
        problems.append(
            f"{file} is not what the campaign was made with: restore it, or, if the change is meant, remove "
            f"texts_sha256 from {place / PLAN_FILE}"
        )
    material = None if texts is None else _unless(problems, lambda: Material.read(texts, str(file)))
    asked = None if plan is None or material is None else _unless(problems, lambda: work(plan, material))
    if plan is None or texts is None or material is None or asked is None or problems:
        raise ProblemsError(problems)
    return CampaignFiles(directory=place, plan=plan, material=material, texts=texts, work=asked)


def _unless(problems: list[str], read: Callable[[], Read]) -> Read | None:
    """What is read; None where it cannot be, and why joins the problems."""
    try:
        return read()
    except InputError as error:
        problems += problems_in(error)
        return None


def _text(path: Path) -> str:
    try:
        return _read(path).decode()
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8: byte {error.start + 1:,} is no text") from error


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}): karat campaign new makes a campaign") from error


def write_campaign(
    directory: Path, plan: CampaignPlan, material: Material, to_fill_in: tuple[Item, ...] | None = None
) -> CampaignFiles:
    """Write a campaign into a new directory; one that is there is not touched.

    Where there is something `to_fill_in`, the items included, no work follows yet.
    """
    if (directory / PLAN_FILE).exists():
        raise InputError(f"{directory / PLAN_FILE} is there already: take another directory, or edit that file")
    texts = material.written()
    asked = work(plan, material) if to_fill_in is None else Work(tasks=(), slots=())
    files = CampaignFiles(directory=directory, plan=plan, material=material, texts=texts, work=asked)
    make_directory(str(directory))
    write_whole_file(directory / TEXTS_FILE, texts)
    written = written_plan(plan) + written_tables("items", to_fill_in or ())
    write_whole_file(directory / PLAN_FILE, written.encode())
    return files
