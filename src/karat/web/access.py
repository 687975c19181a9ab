"""Who may call what: every route names its role, and the roles are checked here."""

from __future__ import annotations

from typing import Annotated, NamedTuple
from urllib.parse import parse_qs, urlsplit

from fastapi import Depends, Header, HTTPException, Request, Response

from karat.service import organisers, rating
from karat.service.campaigns import Running
from karat.web.reach import Reach

RATERS, ORGANISERS = "karat-rater", "karat-organiser"
"""What the names of cookies begin with; behind it is the campaign, since browsers send a cookie to every port."""

ROLES = ("anyone", "rater", "organiser")
DEFAULT_PORTS = {"http": ":80", "https": ":443"}
MOST_FIELDS = 20


class Desk(NamedTuple):
    """A rater who has entered, the campaign, and what the rater's page says with each change."""

    rater: int
    campaign: Running
    csrf: str


class Office(NamedTuple):
    """An organiser who has entered, the campaign, and what the organiser's page says with each change."""

    campaign: Running
    csrf: str


def role(name: str) -> dict[str, str]:
    """Who may call a route: one of `ROLES`. A route that names no role is refused by a test."""
    assert name in ROLES
    return {"x-role": name}


async def running(request: Request) -> Running:
    """The campaign that the application is about."""
    campaign: Running = request.app.state.campaign
    return campaign


async def same_origin(request: Request) -> None:
    """Refuse what a browser says another site sent; programs other than browsers say nothing."""
    origin = request.headers.get("origin")
    elsewhere = request.headers.get("sec-fetch-site") in ("cross-site", "same-site")
    if elsewhere or (origin is not None and not _same(origin, f"{request.url.scheme}://{_host(request)}")):
        raise HTTPException(403, "this came from another page: reload, and try again")


def _host(request: Request) -> str:
    return request.headers.get("host", "")


def _same(origin: str, own: str) -> bool:
    try:
        return _plain(origin) == _plain(own)
    except ValueError:  # no address at all
        return False


def _plain(origin: str) -> str:
    """An origin in small letters, without the port that goes without saying."""
    parts = urlsplit(origin.lower())
    return f"{parts.scheme}://{parts.netloc.removesuffix(DEFAULT_PORTS.get(parts.scheme, ' '))}"


def cookie_in(request: Request, whose: str) -> str | None:
    """The cookie of a rater or organiser of this campaign."""
    return request.cookies.get(_name(request, whose))


def _name(request: Request, whose: str) -> str:
    campaign: Running = request.app.state.campaign
    return f"{whose}-{campaign.key}"


def give_cookie(request: Request, response: Response, whose: str, value: str, seconds: int) -> None:
    """Let the browser keep a secret, which goes back to this site only, and over HTTPS only where it came so."""
    reach: Reach = request.app.state.reach
    response.set_cookie(
        _name(request, whose),
        value,
        max_age=seconds,
        path=reach.cookie_path,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def take_cookie(request: Request, response: Response, whose: str) -> None:
    """Let the browser forget it."""
    reach: Reach = request.app.state.reach
    response.delete_cookie(_name(request, whose), path=reach.cookie_path)


def entered(request: Request, campaign: Annotated[Running, Depends(running)]) -> Desk:
    """The rater whose cookie this is."""
    cookie = cookie_in(request, RATERS)
    session = None if cookie is None else rating.entered(campaign, cookie)
    if session is None:
        raise HTTPException(401, "open your link once more")
    return Desk(session[0], campaign, session[1])


async def changing(
    desk: Annotated[Desk, Depends(entered)],
    _: Annotated[None, Depends(same_origin)],
    x_csrf: Annotated[str | None, Header()] = None,
) -> Desk:
    """The same, where the page of this site sent the request."""
    if x_csrf != desk.csrf:
        raise HTTPException(403, "this came from another page: reload, and try again")
    return desk


def organising(request: Request, campaign: Annotated[Running, Depends(running)]) -> Office:
    """Whoever entered by the password."""
    csrf = organisers.entered(campaign, cookie_in(request, ORGANISERS))
    if csrf is None:
        raise HTTPException(401, "log in as the organiser")
    return Office(campaign, csrf)


async def form(request: Request) -> dict[str, str]:
    """The fields of a form that a page of this site sent."""
    try:
        fields = parse_qs((await request.body()).decode(), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError as error:
        raise HTTPException(422, "this cannot be read") from error
    return {name: values[-1] for name, values in fields.items()}


def steering(
    office: Annotated[Office, Depends(organising)],
    _: Annotated[None, Depends(same_origin)],
    fields: Annotated[dict[str, str], Depends(form)],
) -> Office:
    """The organiser, where a page of this site sent the request."""
    if fields.get("csrf") != office.csrf:
        raise HTTPException(403, "this came from another page: reload, and try again")
    return office


# What asks the database is a plain function, which gets a thread; what does not is `async`, and needs none.
Campaign = Annotated[Running, Depends(running)]
Reading = Annotated[Desk, Depends(entered)]
Changing = Annotated[Desk, Depends(changing)]
Organising = Annotated[Office, Depends(organising)]
Steering = Annotated[Office, Depends(steering)]
Form = Annotated[dict[str, str], Depends(form)]
SameOrigin = Annotated[None, Depends(same_origin)]
