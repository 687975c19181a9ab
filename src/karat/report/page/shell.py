"""Puts a page together: templates filled in, one stylesheet and one script, whose hashes the page itself allows."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from karat.report.page.signs import with_names_apart, with_signs

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.resources.abc import Traversable

    from jinja2 import Environment

    from karat.report.page.parts import Page, Record

_JSON_SIGNS = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"})


def render(page: Page) -> str:
    """The whole page; every text in it is escaped, and control characters are shown as signs."""
    style, script = joined("styles", ".css"), joined("scripts", ".js")
    policy = "; ".join(
        [
            "default-src 'none'",
            f"script-src {allowed(script)}",
            f"style-src {allowed(style)}",
            *("img-src data: blob:", "base-uri 'none'", "form-action 'none'"),
        ]
    )
    template = _environment().get_template("page.html")
    return template.render(page=page, segments=page.segments, style=style, script=script, policy=policy)


def joined(directory: str, ending: str) -> str:
    """All files of a directory with that ending in one, in the order of their names."""
    matching = [file for file in _page_files(directory) if file.name.endswith(ending)]
    return "".join(file.read_text(encoding="utf-8") for file in sorted(matching, key=lambda file: file.name))


def allowed(text: str) -> str:
    """The hash by which a content security policy knows a script or a stylesheet."""
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def inline_json(value: Any, separators: tuple[str, str] | None = None) -> str:
    """JSON that can stand in an element of HTML: no sign of it ends that or begins another.

    >>> inline_json({"text": "</script>"})
    '{"text": "\\\\u003c/script\\\\u003e"}'
    """
    text = json.dumps(value, ensure_ascii=True, default=str, separators=separators)
    return text.translate(_JSON_SIGNS)


def saved_records(records: Sequence[Record]) -> str:
    """Records as inline JSON, the names of their fields only once where all have the same.

    >>> saved_records([{"system": "a", "score": 1}, {"system": "b", "score": 2}])
    '{"names":["system","score"],"rows":[["a",1],["b",2]]}'
    """
    names = list(records[0]) if records else []
    alike = bool(names) and all(list(record) == names for record in records)
    rows = [list(record.values()) for record in records]
    return inline_json({"names": names, "rows": rows} if alike else records, separators=(",", ":"))


def _page_files(directory: str) -> list[Traversable]:
    return list(files("karat.report.page").joinpath(directory).iterdir())


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FunctionLoader, StrictUndefined
    from markupsafe import Markup, escape

    def load(name: str) -> str:
        return files("karat.report.page").joinpath("templates", name).read_text(encoding="utf-8")

    def shown(value: Any) -> Any:
        return with_signs(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=FunctionLoader(load),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=shown,
    )
    environment.filters["inline_json"] = lambda value: Markup(inline_json(value))
    environment.filters["as_is"] = Markup
    environment.filters["saved_records"] = lambda records: Markup(saved_records(records))
    environment.filters["sentence"] = lambda text: Markup(with_names_apart(str(escape(with_signs(text)))))
    return environment
