"""What organisers ask of a campaign that has begun: how far it is, what came of it, and links for its raters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from karat.human.plan import AnalysisPlan
from karat.results.campaigns import LinksResult, RaterStatus, StatusResult
from karat.service.converting import converted
from karat.service.human import HumanRequest, analysed
from karat.service.ratings import ratings_of

if TYPE_CHECKING:
    from karat.results.converting import ConvertResult
    from karat.results.human import HumanResult
    from karat.service.campaigns import Running

__all__ = ["exported_ratings", "new_links", "results", "revoked_links", "status"]


def status(campaign: Running) -> StatusResult:
    """How far each rater is."""
    raters = tuple(
        RaterStatus(
            rater=rater.name or f"rater-{rater.number}",
            done=rater.done,
            planned=rater.planned,
            seen=rater.seen_at,
            withdrawn=rater.withdrawn,
            passed=rater.passed,
            failed=rater.failed,
        )
        for rater in campaign.store.progress()
    )
    return StatusResult(name=campaign.plan.name, raters=raters)


def results(campaign: Running, plan: AnalysisPlan | None = None) -> HumanResult:
    """What people have said so far: the same as `karat human` says of the campaign's directory or its export."""
    request = HumanRequest(paths=(), plan=plan or AnalysisPlan())
    return analysed(ratings_of(campaign), request)


def exported_ratings(campaign: Running, to: str, *, skip_bad: bool = False) -> ConvertResult:
    """The judgements in a format of ratings, such as jsonl; what it has no place for is refused or counted."""
    return converted(ratings_of(campaign), campaign.plan.name, "campaign", to, skip_bad=skip_bad)


def new_links(campaign: Running, rater: int | None, address: str) -> LinksResult:
    """A new link for a rater, or for each that has not withdrawn, in place of the one before."""
    links = tuple((number, campaign.store.new_link(number)) for number in _numbers(campaign, rater))
    return LinksResult(name=campaign.plan.name, address=address, links=links)


def revoked_links(campaign: Running, rater: int | None, address: str) -> LinksResult:
    """No link for a rater, or for anybody, and an end to what the last one has opened."""
    numbers = _numbers(campaign, rater)
    for number in numbers:
        campaign.store.revoke(number)
    return LinksResult(name=campaign.plan.name, address=address, links=tuple((number, None) for number in numbers))


def _numbers(campaign: Running, rater: int | None) -> tuple[int, ...]:
    if rater is not None:
        return (rater,)
    return tuple(each.number for each in campaign.store.progress() if not each.withdrawn)
