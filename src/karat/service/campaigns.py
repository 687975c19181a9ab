"""Campaigns: made, checked, opened, and read out."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from karat.campaigns import Assignment, CampaignPlan, Controls, Material, Question, read_plan, written_plan
from karat.campaigns.collected import collected, questions_for
from karat.campaigns.files import PLAN_FILE, SQLITE_FILE, TEXTS_FILE, CampaignFiles, read_campaign, write_campaign
from karat.campaigns.gold import read_gold
from karat.campaigns.material import sha256
from karat.campaigns.offering import Offered, offered_in, with_offered
from karat.campaigns.plan import Check, Context, SameSource, Sight, Unit
from karat.campaigns.template import incomplete, items_to_fill_in
from karat.corpus import Diagnostic, split_language_pair
from karat.corpus.files import InputFile
from karat.corpus.ratings.protocols import Protocol, protocol
from karat.errors import InputError, MissingExtraError, did_you_mean
from karat.quick_dataclasses import dataclass
from karat.results.campaigns import CampaignResult, LinksResult

if TYPE_CHECKING:
    from karat.campaigns.store import Store
    from karat.corpus import Corpus
    from karat.service.inputs import Input

__all__ = [
    "NewCampaignRequest",
    "Running",
    "Taken",
    "begin",
    "guidelines_in",
    "links_of",
    "new_campaign",
    "offered_spans",
    "open_store",
    "planned",
    "read_campaign",
    "resumed",
]

DATABASE = "KARAT_DATABASE"
"""The variable with the address of a PostgreSQL database; without it, judgements are in a file of the campaign's."""


Languages = tuple[str | None, str | None]
"""Of the source and of the translations, where they are known."""


@dataclass(frozen=True, kw_only=True)
class Taken:
    """Texts out of another tool's campaign; where they are `incomplete`, some system lacks some output."""

    material: Material
    languages: Languages = (None, None)

    @property
    def incomplete(self) -> bool:
        """Whether some system has no output for some segment."""
        return any(len(segment.outputs) < len(self.material.systems) for segment in self.material.segments)


@dataclass(frozen=True, kw_only=True)
class NewCampaignRequest:
    """A campaign about these texts; what the plan file can say beyond this is edited there.

    `scales` are criteria of the protocol `custom` with their lowest and highest value, `labels` what stands beside a
    value of a criterion, and `gold` is a table of items whose right answers are known.
    """

    directory: str
    texts: Input | Taken
    protocol: str = "adequacy-fluency"
    reference: str | None = None
    show: tuple[Sight, ...] = ()
    unit: Unit = "segment"
    segments: int | None = None
    together: int | None = None
    context: Context = "none"
    offered: Offered = field(default_factory=dict)
    raters: int = 2
    judgements: int = 1
    repeats: float = 0.0
    degraded: float = 0.0
    loud: tuple[Check, ...] = ()
    same_source: SameSource = "any"
    scales: tuple[tuple[str, float, float], ...] = ()
    labels: tuple[tuple[str, str, str], ...] = ()
    gold: str | None = None
    guidelines: str | None = None
    seed: int = 1


def new_campaign(request: NewCampaignRequest) -> CampaignFiles:
    """Write a campaign file and a frozen copy of the texts into a new directory."""
    material, pair = _material(request.texts, request.reference)
    material.refuse_no_text()
    material = with_offered(material, request.offered)
    plan = _plan(request, pair, material, sha256(material.written()))
    items = items_to_fill_in(plan, material)
    to_fill_in = items if incomplete(plan, items) else None
    if to_fill_in is None and items:
        plan = replace(plan, items=items)
    return write_campaign(Path(request.directory), plan, material, to_fill_in)


def guidelines_in(file: str) -> str:
    """What raters should know, out of a file."""
    return InputFile.of(file).text().strip()


def offered_spans(file: str) -> Offered:
    """The spans of a file of ratings, by segment and system."""
    from karat.corpus.ratings import read_ratings

    return offered_in(read_ratings(file))


def _material(texts: Input | Taken, reference: str | None) -> tuple[Material, Languages]:
    if isinstance(texts, Taken):
        return texts.material, texts.languages
    corpus, languages = _one_corpus(texts)
    return Material.of(corpus, reference), languages


def _one_corpus(texts: Input) -> tuple[Corpus, Languages]:
    """The texts and their languages, which they name themselves or were named with them."""
    testsets = texts.testsets(whole=True)
    if len(testsets) != 1:
        raise InputError("a campaign judges one test set: name one of them")
    (corpus,) = testsets[0].blocks()
    named = testsets[0].language_pair
    own = (corpus.source_language, corpus.target_language)
    return corpus, own if named is None else split_language_pair(named)


def _plan(request: NewCampaignRequest, pair: Languages, material: Material, digest: str) -> CampaignPlan:
    asked = protocol(request.protocol)
    beside = _shown_beside(request.show, material)
    how = collected(asked.name)
    together = min(how.together, len(material.systems)) if request.together is None else request.together
    alone = asked.name == "productivity" and len(material.systems) == 1
    questions = tuple(_labelled(_questions(request, asked, beside), request.labels))
    criteria = [question.criterion for question in questions]
    return CampaignPlan(
        name=Path(request.directory).resolve().name,
        protocol=asked.name,
        questions=questions,
        source_language=pair[0],
        target_language=pair[1],
        unit="system" if how.whole else request.unit,
        outputs="some" if isinstance(request.texts, Taken) and request.texts.incomplete else "all",
        segments=request.segments,
        systems=material.systems if alone else (),
        together=together,
        context=request.context,
        names=dict.fromkeys(material.systems, "") if how.whole else {},
        seed=request.seed,
        texts=TEXTS_FILE,
        texts_sha256=digest,
        guidelines=request.guidelines,
        assignment=Assignment(raters=request.raters, judgements=request.judgements, same_source=request.same_source),
        controls=Controls(repeats=request.repeats, degraded=request.degraded, loud=request.loud),
        gold=() if request.gold is None else read_gold(InputFile.of(request.gold), criteria),
    )


def _labelled(questions: Iterable[Question], labels: Sequence[tuple[str, str, str]]) -> Iterator[Question]:
    """The questions with the words beside their values, where there are such, in place of those that they have."""
    asked = {question.criterion: question for question in questions}
    for criterion, _, _ in labels:
        if criterion not in asked:
            raise InputError(f"nobody is asked for {criterion!r}, so it has no labels.{did_you_mean(criterion, asked)}")
    for criterion, question in asked.items():
        own = {value: text for name, value, text in labels if name == criterion}
        yield replace(question, labels=own) if own else question


def _questions(request: NewCampaignRequest, asked: Protocol, beside: tuple[Sight, ...]) -> tuple[Question, ...]:
    """The questions of the protocol, or of the request's own scales."""
    if request.scales and not asked.open_criteria:
        raise InputError(f"{asked.name} has its own scales: take the protocol custom for one of your own")
    if asked.name == "custom" and not request.scales:
        raise InputError(f"{asked.name} has no scale: say one, such as --scale politeness=1:4")
    return tuple(questions_for(asked, beside, request.scales))


def _shown_beside(show: tuple[Sight, ...], material: Material) -> tuple[Sight, ...]:
    """What is shown beside a translation: as asked for, else the reference where there is one, else the source."""
    if show:
        return show
    return ("reference",) if all(segment.reference is not None for segment in material.segments) else ("source",)


def open_store(directory: str) -> Store:
    """The database of a campaign: that at the address in the environment, else a file in its directory."""
    try:
        from karat.campaigns.store import Store, database
    except ImportError as error:
        raise MissingExtraError("a campaign's database", "web") from error
    return Store(database(os.environ.get(DATABASE), Path(directory)))


@dataclass(frozen=True)
class Running:
    """A campaign that has begun: what was begun with counts, not the files."""

    plan: CampaignPlan
    material: Material
    store: Store
    clock: Callable[[], float] = time.time
    copied_to: str | None = None
    """Where the database was copied to before it was brought up to date."""
    key: str = ""
    """What tells it from other campaigns, in copies of it, too; it tells nothing else."""


def begin(files: CampaignFiles, store: Store) -> Running:
    """Begin the campaign if it has not, and read it as it was begun."""
    if not store.begun():
        plan = written_plan(replace(files.plan, texts_sha256=sha256(files.texts)))
        store.begin(plan, files.texts, files.work, files.plan.assignment.raters, time.time())
    copied_to = store.upgrade(files.directory)
    running = replace(_as_begun(store), copied_to=copied_to)
    if running.plan != replace(files.plan, texts_sha256=sha256(files.texts)):
        raise InputError(
            f"{files.directory / PLAN_FILE} was changed after the campaign had begun: what is asked, and of whom, "
            "stays as it was; make a new campaign for another plan"
        )
    return running


def resumed(directory: str) -> Running:
    """A campaign that has begun, as it was begun."""
    read_campaign(directory)
    at_hand = DATABASE in os.environ or Path(directory, SQLITE_FILE).exists()
    store = open_store(directory) if at_hand else None
    if store is None or not store.begun():
        raise InputError(f"the campaign in {directory} has not begun: karat campaign serve begins it")
    store.refuse_outdated()
    return _as_begun(store)


def _as_begun(store: Store) -> Running:
    plan, texts = store.campaign()
    return Running(read_plan(plan, PLAN_FILE), Material.read(texts, TEXTS_FILE), store, key=store.key())


def links_of(campaign: Running, listens: str, address: str, *, begins: bool, setup: str | None) -> LinksResult:
    """Where a campaign is: with a link for each rater when it begins, and one to set the password where none is."""
    numbers = range(1, campaign.plan.assignment.raters + 1) if begins else ()
    links = tuple((number, campaign.store.new_link(number)) for number in numbers)
    notes = []
    if not begins:
        notes.append(Diagnostic("links", "raters keep their links; karat campaign link makes new ones"))
    if campaign.copied_to is not None:
        said = f"the database is brought up to date; a copy of it as it was is {campaign.copied_to}"
        notes.append(Diagnostic("upgraded", said))
    return LinksResult(
        name=campaign.plan.name,
        address=address,
        links=links,
        setup=setup,
        listens=listens,
        warnings=tuple(notes),
    )


def planned(files: CampaignFiles, notes: Sequence[Diagnostic] = ()) -> CampaignResult:
    """What a campaign asks of each rater, or that something is left to write before it asks anything."""
    if not files.work.slots:
        said = f"write what is empty in {files.directory / PLAN_FILE}, then karat campaign check tells what is missing"
        notes = (*notes, Diagnostic("to-fill-in", said))
    return CampaignResult(files=files, warnings=tuple(notes))
