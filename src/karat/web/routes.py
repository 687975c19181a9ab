"""What a rater's page can ask for, each in one call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Header, Query, Request, Response

from karat.service import rating
from karat.web import views
from karat.web.access import RATERS, Campaign, Changing, Reading, SameOrigin, give_cookie, role, take_cookie
from karat.web.limits import address_of

if TYPE_CHECKING:
    from karat.web.languages import Languages
    from karat.web.limits import Attempts

MONTH = 30 * 24 * 3600
LONGEST_WISH = 50
"""How long the name of a language may be."""

router = APIRouter(prefix="/api")


@router.get("/messages", openapi_extra=role("anyone"))
def messages(
    request: Request,
    lang: Annotated[str | None, Query(max_length=LONGEST_WISH)] = None,
    accept_language: Annotated[str | None, Header()] = None,
) -> views.MessagesView:
    """The words of the page: in the language that is asked for, else in one that the browser prefers, else English."""
    languages: Languages = request.app.state.languages
    language = languages.chosen(lang, accept_language)
    return views.MessagesView(language=language, messages=languages.messages(language))


@router.post("/enter", openapi_extra=role("anyone"))
def enter(request: Request, campaign: Campaign, _: SameOrigin, entry: views.Entry, response: Response) -> views.Entered:
    """Exchange the secret of a link for a cookie."""
    attempts: Attempts = request.app.state.entries
    attempts.take(address_of(request), campaign.clock())
    try:
        cookie, csrf = rating.enter(campaign, entry.secret)
    except rating.GoneError:
        attempts.wrong(address_of(request), campaign.clock())
        raise
    give_cookie(request, response, RATERS, cookie, MONTH)
    return views.Entered(csrf=csrf)


@router.get("/state", openapi_extra=role("rater"))
def state(desk: Reading) -> views.StateView:
    """Where the rater is."""
    plan = desk.campaign.plan
    own = rating.progress(desk.campaign, desk.rater)
    return views.StateView(
        key=own.key,
        campaign=plan.name,
        protocol=plan.protocol,
        guidelines=plan.guidelines,
        source_language=plan.source_language,
        target_language=plan.target_language,
        questions=tuple(views.question_view(plan, question) for question in plan.questions),
        csrf=desk.csrf,
        bilingual=own.bilingual,
        done=own.done,
        planned=own.planned,
        history=rating.history(desk.campaign, desk.rater),
    )


@router.post("/next", openapi_extra=role("rater"))
def next_task(desk: Changing) -> views.TaskView | None:
    """The task that is open or comes next."""
    campaign = desk.campaign
    offer = rating.next_task(campaign, desk.rater)
    return None if offer is None else views.task_view(campaign.plan, campaign.material, offer)


@router.get("/tasks/{public}", openapi_extra=role("rater"))
def task(public: str, desk: Reading) -> views.TaskView:
    """A task that the rater has had, with the answers."""
    campaign = desk.campaign
    return views.task_view(campaign.plan, campaign.material, rating.task(campaign, desk.rater, public))


@router.post("/tasks/{public}/stage", openapi_extra=role("rater"))
def settle(public: str, desk: Changing, body: views.Settle) -> views.TaskView:
    """The texts of the next questions, for answers that stay as they are from then on."""
    campaign = desk.campaign
    answers = [answer.answer() for answer in body.answers]
    offer = rating.settle(campaign, desk.rater, public, body.stage, answers)
    return views.task_view(campaign.plan, campaign.material, offer)


@router.post("/tasks/{public}/answers", openapi_extra=role("rater"))
def submit(public: str, desk: Changing, body: views.Submit) -> views.Kept:
    """Store answers; what is answered 200 is on the disk."""
    campaign = desk.campaign
    answers = [answer.answer() for answer in body.answers]
    stored = rating.submit(campaign, desk.rater, public, str(body.uuid), body.base_version, answers)
    feedback = views.feedback_view(stored.feedback)
    return views.Kept(version=stored.version, again=stored.again, feedback=feedback)


@router.post("/profile", openapi_extra=role("rater"))
def profile(desk: Changing, body: views.Profile) -> views.Profile:
    """What raters say of themselves."""
    rating.set_bilingual(desk.campaign, desk.rater, bilingual=body.bilingual)
    return body


@router.post("/withdraw", openapi_extra=role("rater"))
def withdraw(request: Request, desk: Changing, response: Response) -> views.Left:
    """Erase what the rater has said, and who it was."""
    erased = rating.withdraw(desk.campaign, desk.rater)
    take_cookie(request, response, RATERS)
    return views.Left(judgements=erased)
