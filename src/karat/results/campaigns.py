"""Campaigns as results: what a plan comes to, and how far its raters are."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, ClassVar

from karat.quick_dataclasses import dataclass
from karat.report.table import Cell, Table
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.campaigns.files import CampaignFiles


@dataclass(frozen=True, kw_only=True, repr=False)
class CampaignResult(Result):
    """What a campaign asks of each rater."""

    records_of: ClassVar[str] = "raters"
    page_title: ClassVar[str] = "Campaign"

    files: CampaignFiles

    def body(self) -> dict[str, Any]:
        """The plan in numbers, and the work of each rater."""
        plan, work = self.files.plan, self.files.work
        return {
            "name": plan.name,
            "directory": str(self.files.directory),
            "protocol": plan.protocol,
            "questions": [
                {"criterion": question.criterion, "show": list(question.show), "widget": plan.widget(question)}
                for question in plan.questions
            ],
            "language_pair": plan.language_pair,
            "systems": list(plan.systems or self.files.material.systems),
            "texts_sha256": plan.texts_sha256,
            "tasks": len(work.tasks),
            "judgements": sum(len(work.tasks[slot.task].parts) for slot in work.slots),
            "raters": [self._rater(number) for number in range(plan.assignment.raters)],
        }

    def _rater(self, number: int) -> dict[str, Any]:
        tasks = self.files.work.of_rater(number)
        controls = Counter(task.control for task in tasks)
        return {
            "rater": f"rater-{number + 1}",
            "tasks": len(tasks),
            "translations": sum(len(task.parts) for task in tasks),
            "repeats": controls["repeat"],
            "degraded": controls["bad-reference"],
        }

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:  # noqa: ARG002 - counts only
        """The work of each rater."""
        header = ("Rater", "Tasks", "Translations", "Repeats", "Degraded")
        rows = tuple(
            (Cell(entry["rater"]), *(Cell(f"{entry[name]:,}", number=True) for name in list(entry)[1:]))
            for entry in self.body()["raters"]
        )
        plan = self.files.plan
        return (Table(header, rows, title=f"{plan.name}: {plan.asked.title}"),)


@dataclass(frozen=True, kw_only=True)
class RaterStatus:
    """How far a rater is; `seen` is when the device was last heard of.

    Of the control items that can be told, so many were `passed` and `failed` at the first answer.
    """

    rater: str
    done: int
    planned: int
    seen: float | None
    withdrawn: bool
    passed: int = 0
    failed: int = 0


@dataclass(frozen=True, kw_only=True, repr=False)
class StatusResult(Result):
    """How far a campaign is."""

    records_of: ClassVar[str] = "raters"
    page_title: ClassVar[str] = "Campaign"

    name: str
    raters: tuple[RaterStatus, ...]

    def body(self) -> dict[str, Any]:
        """Counts of tasks, by rater."""
        return {
            "name": self.name,
            "done": sum(rater.done for rater in self.raters),
            "planned": sum(rater.planned for rater in self.raters),
            "raters": [
                {
                    "rater": rater.rater,
                    "done": rater.done,
                    "planned": rater.planned,
                    "seen": None if rater.seen is None else _when(rater.seen),
                    "withdrawn": rater.withdrawn,
                    "passed": rater.passed,
                    "failed": rater.failed,
                }
                for rater in self.raters
            ],
        }

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:  # noqa: ARG002 - counts only
        """A row for each rater."""
        rows = tuple(
            (
                Cell(rater.rater),
                Cell(f"{rater.done:,}", number=True),
                Cell(f"{rater.planned:,}", number=True),
                Cell(f"{rater.passed:,}", number=True),
                Cell(f"{rater.failed:,}", number=True),
                Cell("withdrawn" if rater.withdrawn else "never" if rater.seen is None else _when(rater.seen)),
            )
            for rater in self.raters
        )
        return (
            Table(("Rater", "Done", "Planned", "Checks passed", "Checks failed", "Last seen"), rows, title=self.name),
        )


@dataclass(frozen=True, kw_only=True, repr=False)
class LinksResult(Result):
    """Where a campaign is, and the secrets of raters, which are shown once: only their hashes are kept."""

    records_of: ClassVar[str] = "links"
    page_title: ClassVar[str] = "Links"

    name: str
    address: str
    links: tuple[tuple[int, str | None], ...]
    setup: str | None = None
    """The secret of a link that sets the organiser's password."""
    listens: str | None = None
    """Where the server listens, which is elsewhere than the address where a proxy is before it."""

    def body(self) -> dict[str, Any]:
        """A link for each rater; null where it was revoked."""
        links = [
            {"rater": f"rater-{number}", "link": None if secret is None else f"{self.address}/#{secret}"}
            for number, secret in self.links
        ]
        organiser = f"{self.address}/organiser"
        setup = None if self.setup is None else f"{organiser}#{self.setup}"
        return {
            "name": self.name,
            "address": self.address,
            "listens": self.listens,
            "links": links,
            "organiser": organiser,
            "setup": setup,
        }

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:  # noqa: ARG002 - no numbers
        """A row for each link."""
        body = self.body()
        rows = [(Cell(entry["rater"]), Cell(entry["link"] or "revoked")) for entry in body["links"]]
        if self.setup is not None:
            rows.append((Cell("organiser, once"), Cell(body["setup"])))
        return (Table(("Rater", "Link"), tuple(rows), title=f"{self.name} at {self.address}"),)


@dataclass(frozen=True, kw_only=True, repr=False)
class CopyResult(Result):
    """A copy of a campaign's database that was made, or put back."""

    records_of: ClassVar[str] = "copies"
    page_title: ClassVar[str] = "Copy"

    name: str
    file: str
    size: int

    def body(self) -> dict[str, Any]:
        """The file and its bytes."""
        return {"name": self.name, "copies": [{"file": self.file, "bytes": self.size}]}

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:  # noqa: ARG002 - counts only
        """One row."""
        return (Table(("Copy", "Bytes"), ((Cell(self.file), Cell(f"{self.size:,}", number=True)),), title=self.name),)


@dataclass(frozen=True, kw_only=True, repr=False)
class PasswordResult(Result):
    """That the password of a campaign is set."""

    records_of: ClassVar[str] = "passwords"
    page_title: ClassVar[str] = "Password"

    name: str

    def body(self) -> dict[str, Any]:
        """Whose it is, and nothing of what it is."""
        return {"name": self.name, "passwords": [{"of": "organiser", "set": True}]}

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:  # noqa: ARG002 - no numbers
        """One row."""
        return (Table(("Password", "State"), ((Cell("organiser"), Cell("set")),), title=self.name),)


def _when(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
