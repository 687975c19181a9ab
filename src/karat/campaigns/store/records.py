"""What comes out of the database of a campaign."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from karat.errors import KaratError

if TYPE_CHECKING:
    from karat.campaigns.tasks import RatingTask


class GoneError(KaratError):
    """What was asked for is not there, or not for whoever asked."""

    http_status = 404


class ConflictError(KaratError):
    """The answer was given to an older version than the one that is stored, which comes along."""

    http_status = 409

    def __init__(self, version: int, answers: Sequence[dict[str, Any]]) -> None:
        self.version = version
        self.answers = tuple(answers)
        super().__init__(f"version {version} of this answer is already stored: look at both, and choose")


@dataclass(frozen=True)
class Feedback:
    """What raters are told of a loud control item once they have answered it; the right answers are not among it."""

    passed: bool
    explanation: str | None = None


@dataclass(frozen=True, kw_only=True)
class Offer:
    """A task in front of a rater: its public name, what is in it, the answers stored so far, and what was told.

    The rater was given the texts of all questions up to `stage`, and what was answered before them is `settled`.
    """

    public: str
    task: RatingTask
    version: int
    stage: int = 0
    settled: tuple[dict[str, Any], ...] | None = None
    answers: tuple[dict[str, Any], ...] = ()
    feedback: Feedback | None = None


@dataclass(frozen=True)
class Stored:
    """A submit that is on the disk; `again` tells that it already was."""

    version: int
    again: bool
    extra: bool
    feedback: Feedback | None = None


@dataclass(frozen=True, kw_only=True)
class StoredJudgement:
    """A judgement with all that it is about."""

    uuid: str
    rater: int
    rater_name: str | None
    bilingual: bool | None
    task: RatingTask
    version: int
    last: bool
    extra: bool
    answers: tuple[dict[str, Any], ...]
    received_at: float
    shown: dict[str, list[str]] | None
    passed: bool | None


@dataclass(frozen=True, kw_only=True)
class RaterProgress:
    """How far a rater is, and how many control items were answered as they should be at the first try, or not."""

    number: int
    name: str | None
    done: int
    planned: int
    seen_at: float | None
    withdrawn: bool
    passed: int = 0
    failed: int = 0


@dataclass(frozen=True)
class OwnProgress:
    """What raters are told of themselves; under `key`, which nobody else has, their device keeps what is unsent."""

    key: str
    bilingual: bool | None
    done: int
    planned: int
