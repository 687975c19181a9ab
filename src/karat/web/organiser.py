"""The organiser's pages: how far raters are, what came of it, links, and files to take away."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from karat.errors import InputError, KaratError
from karat.service import campaign_copies, organisers, organising, rating
from karat.service.campaigns import Running
from karat.web.access import (
    ORGANISERS,
    Campaign,
    Form,
    Organising,
    SameOrigin,
    Steering,
    cookie_in,
    give_cookie,
    role,
    take_cookie,
)
from karat.web.limits import Attempts, address_of

HALF_A_DAY = 12 * 3600
RATINGS = ("jsonl", "csv", "tsv", "parquet")
"""The formats of ratings that the page offers; karat campaign export has all."""

router = APIRouter(prefix="/organiser")
templates = Environment(
    loader=PackageLoader("karat.web"), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
)

RaterNumber = Annotated[int, Path(ge=1, le=1_000_000)]


def _of_form(*fields: str) -> dict[str, Any]:
    """What a form has, as the document of the API says it."""
    text = {"type": "string", "maxLength": organisers.LONGEST}
    schema = {"type": "object", "properties": dict.fromkeys(fields, text), "required": list(fields)}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}, "required": True}}


def _page(request: Request, name: str, campaign: Running, **shown: Any) -> HTMLResponse:
    root = request.scope.get("root_path", "")
    return HTMLResponse(templates.get_template(name).render(root=root, campaign=campaign.plan.name, **shown))


def _login(request: Request, refusal: KaratError | None = None) -> HTMLResponse:
    """Where to log in; strangers are not told what the campaign is called."""
    root = request.scope.get("root_path", "")
    text = templates.get_template("login.html").render(root=root, campaign="karat", refusal=refusal)
    return HTMLResponse(text, 200 if refusal is None else refusal.http_status)


def _to_front(request: Request) -> RedirectResponse:
    return RedirectResponse(f"{request.scope.get('root_path', '')}/organiser", 303)


@router.get("", openapi_extra=role("anyone"), response_class=HTMLResponse)
def front(request: Request, campaign: Campaign) -> HTMLResponse:
    """How far raters are, for the organiser; for others, where to log in."""
    csrf = organisers.entered(campaign, cookie_in(request, ORGANISERS))
    if csrf is None:
        return _login(request)
    progress = organising.status(campaign).body()
    return _page(request, "front.html", campaign, csrf=csrf, progress=progress, formats=RATINGS)


@router.post("/login", openapi_extra=role("anyone") | _of_form("password"), response_class=HTMLResponse)
def login(request: Request, campaign: Campaign, _: SameOrigin, fields: Form) -> Response:
    """Exchange the password for a cookie."""
    _take_attempt(request, campaign)
    try:
        cookie = organisers.log_in(campaign, fields.get("password", ""))
    except (InputError, organisers.WrongPasswordError, rating.GoneError) as error:
        return _login(request, error)
    return _let_in(request, cookie)


@router.post("/setup", openapi_extra=role("anyone") | _of_form("secret", "password"), response_class=HTMLResponse)
def setup(request: Request, campaign: Campaign, _: SameOrigin, fields: Form) -> Response:
    """Set the password by a link that works once."""
    _take_attempt(request, campaign)
    try:
        cookie = organisers.set_up(campaign, fields.get("secret", ""), fields.get("password", ""))
    except (InputError, organisers.WrongPasswordError, rating.GoneError) as error:
        return _login(request, error)
    return _let_in(request, cookie)


def _take_attempt(request: Request, campaign: Running) -> None:
    attempts: Attempts = request.app.state.logins
    attempts.take(address_of(request), campaign.clock())


def _let_in(request: Request, cookie: str) -> Response:
    response = _to_front(request)
    give_cookie(request, response, ORGANISERS, cookie, HALF_A_DAY)
    return response


@router.post("/logout", openapi_extra=role("organiser") | _of_form("csrf"), response_class=RedirectResponse)
def logout(request: Request, office: Steering) -> Response:
    """End the session."""
    organisers.leave(office.campaign, cookie_in(request, ORGANISERS) or "")
    response = _to_front(request)
    take_cookie(request, response, ORGANISERS)
    return response


@router.post("/links/{number}", openapi_extra=role("organiser") | _of_form("csrf"), response_class=HTMLResponse)
def new_link(request: Request, office: Steering, number: RaterNumber) -> HTMLResponse:
    """A new link for a rater, which is shown once."""
    address = str(request.base_url).rstrip("/")
    (link,) = organising.new_links(office.campaign, number, address).body()["links"]
    return _page(request, "link.html", office.campaign, link=link)


@router.post("/links/{number}/revoke", openapi_extra=role("organiser") | _of_form("csrf"), response_class=Response)
def revoke(request: Request, office: Steering, number: RaterNumber) -> Response:
    """No link for a rater, and an end to what the last one has opened."""
    organising.revoked_links(office.campaign, number, "")
    return _to_front(request)


@router.get("/status.json", openapi_extra=role("organiser"))
def status(office: Organising) -> dict[str, Any]:
    """How far raters are, as karat campaign status --json."""
    return organising.status(office.campaign).to_json()


@router.get("/results", openapi_extra=role("organiser"), response_class=HTMLResponse)
def results(request: Request, office: Organising) -> HTMLResponse:
    """What people have said so far."""
    try:
        result = organising.results(office.campaign)
    except InputError as error:  # nobody has said anything
        return _page(request, "results.html", office.campaign, tables=[], said=[str(error)])
    tables = [Markup(text) for text in result.html_tables()]
    return _page(request, "results.html", office.campaign, tables=tables, said=[w.message for w in result.warnings])


@router.get("/results.json", openapi_extra=role("organiser"))
def results_document(office: Organising) -> dict[str, Any]:
    """The same, as karat human --json."""
    return organising.results(office.campaign).to_json()


@router.get("/export.jsonl", openapi_extra=role("organiser"), response_class=Response)
def export(office: Organising) -> Response:
    """Everything, in karat's own form."""
    data, _ = campaign_copies.exported(office.campaign)
    return _file(data, "campaign.jsonl")


@router.get("/ratings/{form}", openapi_extra=role("organiser"), response_class=Response)
def ratings(office: Organising, form: str) -> Response:
    """The judgements in a format of ratings."""
    if form not in RATINGS:
        raise InputError(f"the page offers {', '.join(RATINGS)}: karat campaign export writes others, too")
    return _file(organising.exported_ratings(office.campaign, form).files[""], f"ratings.{form}")


def _file(data: bytes, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="application/octet-stream", headers=headers)
