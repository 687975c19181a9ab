"""Campaigns carried elsewhere and back: in karat's own form, in a format of ratings, or as a copy of the database."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from karat.campaigns import read_plan
from karat.campaigns.files import PLAN_FILE, read_campaign
from karat.corpus.files import InputFile
from karat.errors import InputError
from karat.results.campaigns import CopyResult
from karat.results.converting import ConvertResult
from karat.service.campaigns import DATABASE, open_store, resumed
from karat.service.organising import exported_ratings, status
from karat.whole_file import make_directory, write_whole_file

if TYPE_CHECKING:
    from karat.campaigns import CampaignPlan
    from karat.results.campaigns import StatusResult
    from karat.service.campaigns import Running

__all__ = ["OWN_FORM", "back_up", "export", "exported", "import_campaign", "restore"]

OWN_FORM = "campaign"
"""The name of karat's own form of a campaign, beside those of formats of ratings."""


def export(directory: str, to: str = OWN_FORM, *, skip_bad: bool = False) -> ConvertResult:
    """A campaign with all that came of it in karat's own form, or its judgements in a format of ratings."""
    campaign = resumed(directory)
    if to != OWN_FORM:
        return exported_ratings(campaign, to, skip_bad=skip_bad)
    data, count = exported(campaign)
    return ConvertResult(
        file=campaign.plan.name,
        read_as=OWN_FORM,
        written_as=OWN_FORM,
        files={"": data},
        count=count,
        skipped=(),
        unfit=(),
        lost={},
    )


def exported(campaign: Running) -> tuple[bytes, int]:
    """The file in karat's own form, and how many judgements are in it: every version of each."""
    data = campaign.store.exported()
    return data, data.count(b'\n{"judgement": ')


def import_campaign(directory: str, file: str) -> StatusResult:
    """Make a campaign of a file in karat's own form, in a new directory and an empty database."""
    given = InputFile.of(file)
    data = b"".join(given.chunks())
    place = Path(directory)
    _refuse_campaign(place)
    with _nothing_left_of_a_failure(place):
        make_directory(directory)
        open_store(directory).load(data, given.name, partial(_write_files, place))
    return status(resumed(directory))


def back_up(directory: str, file: str | None = None) -> CopyResult:
    """Copy the database of a campaign to a new file, also while it is served."""
    campaign = resumed(directory)
    if DATABASE in os.environ:
        raise InputError(
            f"the judgements are in the database at {DATABASE}: copy them with karat campaign export, or that database "
            "with its own tools"
        )
    moment = datetime.fromtimestamp(time.time(), UTC).strftime("%Y%m%d-%H%M%S")
    target = Path(directory, f"judgements-{moment}.sqlite") if file is None else Path(file)
    campaign.store.back_up(target)
    return CopyResult(name=campaign.plan.name, file=str(target), size=target.stat().st_size)


def restore(file: str, directory: str) -> CopyResult:
    """Make a copy of a database the campaign of a directory that has none; what is there is never replaced."""
    from karat.campaigns.store import put_back

    if DATABASE in os.environ:
        raise InputError(f"a copy is restored to a file, and {DATABASE} names another database: unset it")
    place = Path(directory)
    if (place / PLAN_FILE).exists():
        read_campaign(directory)
    with _nothing_left_of_a_failure(place):
        make_directory(directory)
        written, texts = put_back(Path(file), place)
        plan = read_plan(written, PLAN_FILE)
        if not (place / PLAN_FILE).exists():
            _write_files(place, plan, written, texts)
    return CopyResult(name=plan.name, file=file, size=Path(file).stat().st_size)


@contextmanager
def _nothing_left_of_a_failure(place: Path) -> Iterator[None]:
    """Take away what was made in a directory, and the directory, where not all of it could be."""
    before = set(place.iterdir()) if place.is_dir() else None
    try:
        yield
    except BaseException:
        made = set(place.iterdir()) - (before or set()) if place.is_dir() else set()
        for file in made:
            file.unlink(missing_ok=True)
        if made and before is None:
            place.rmdir()
        raise


def _refuse_campaign(place: Path) -> None:
    if (place / PLAN_FILE).exists():
        raise InputError(f"{place / PLAN_FILE} is there already: import makes a campaign in a new directory")


def _write_files(place: Path, plan: CampaignPlan, written: str, texts: bytes) -> None:
    """The files that a campaign consists of, as they were when it began."""
    write_whole_file(place / plan.texts, texts)
    write_whole_file(place / PLAN_FILE, written.encode())
