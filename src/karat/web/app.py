"""The web application of a campaign."""

from __future__ import annotations

import logging
from importlib.resources import files
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from fastapi.staticfiles import StaticFiles

from karat.errors import KaratError
from karat.service.campaigns import Running
from karat.service.rating import ConflictError, RefusedAnswerError, StoreError
from karat.version import VERSION
from karat.web import organiser, viewing
from karat.web.access import role
from karat.web.guard import HEADERS, Guard
from karat.web.languages import Languages
from karat.web.limits import Attempts
from karat.web.reach import Reach
from karat.web.routes import router
from karat.web.views import Refusal

LOG = logging.getLogger("karat.web")
STATIC = str(files("karat.web") / "static")
DIRECT = Reach()
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": Refusal, "description": description}
    for status, description in {
        400: "It is not even text",
        401: "Nobody has entered",
        403: "It came from another page, or with a wrong password",
        404: "It is not there, or not for whoever asked",
        405: "Another method is meant",
        409: "An answer was given to an older version",
        413: "It is too long",
        422: "It is not what it should be; nothing was stored",
        429: "Too many attempts",
        503: "The database cannot be written to just now; nothing was stored",
    }.items()
}
"""What any route may answer in place of what was asked for."""


def application(campaign: Running, reach: Reach = DIRECT, directory: Path | None = None) -> FastAPI:
    """The application for a campaign, and how raters reach it.

    The `directory` is the campaign's, which may hold the page's words in more languages.
    """
    app = FastAPI(title=campaign.plan.name, version=VERSION, docs_url=None, redoc_url=None, openapi_url=None)
    app.state.campaign = campaign
    app.state.reach = reach
    app.state.entries = Attempts(size=400, per_second=5, of_wrong=9)
    app.state.logins = Attempts(size=10, per_second=0.1, of_wrong=0)
    app.state.languages = Languages.known(directory)
    app.include_router(router, responses=REFUSALS)
    app.include_router(organiser.router, responses=REFUSALS)
    app.get("/", openapi_extra=role("anyone"), response_class=FileResponse)(page)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    app.exception_handler(KaratError)(_refused)
    app.exception_handler(RequestValidationError)(_malformed)
    app.exception_handler(Exception)(_broken)
    app.add_middleware(Guard, reach=reach)
    return app


def page() -> FileResponse:
    """The page that raters work on."""
    return FileResponse(f"{STATIC}/index.html")


def _refused(_: Request, error: Exception) -> JSONResponse:
    """An error as JSON: what is wrong, and of answers where."""
    body: dict[str, Any] = {"detail": str(error)}
    if isinstance(error, StoreError):
        LOG.error("%s", error)  # where the database is, and who the server is there, is nothing for raters
        body["detail"] = "nothing can be stored or read just now: it is tried again"
    if isinstance(error, RefusedAnswerError):
        body["lacks"] = [vars(lack) for lack in error.lacks]
    if isinstance(error, ConflictError):
        stored = [viewing.answer_view(answer).model_dump() for answer in error.answers]
        body |= {"version": error.version, "answers": stored}
    return JSONResponse(body, error.http_status if isinstance(error, KaratError) else 500)


def _malformed(_: Request, error: Exception) -> JSONResponse:
    """Where a request is not what it should be; what it was is not repeated."""
    assert isinstance(error, RequestValidationError)
    places = [".".join(map(str, problem["loc"])) for problem in error.errors()]
    return JSONResponse({"detail": f"this cannot be read: {', '.join(places)}"}, 422)


def _broken(_: Request, error: Exception) -> JSONResponse:  # noqa: ARG001 - what broke is for the log only
    """That something went wrong which nobody foresaw; the server's log has what."""
    return JSONResponse({"detail": "the server has failed; nothing was stored"}, 500, headers=HEADERS)
