"""The words of the page by language: English comes with karat, others lie in the campaign's directory or beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from karat.errors import InputError, did_you_mean

ENGLISH = "en"
PLURALS = ("zero", "one", "two", "few", "many", "other")
"""What stands behind the dot in the name of a message that depends on a number, as CLDR has it."""

_FILE = re.compile(r"messages\.([A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*)\.json")
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Languages:
    """Messages by name, by language; names of languages are in lower case."""

    by_language: Mapping[str, Mapping[str, str]]

    @classmethod
    def known(cls, directory: Path | None = None) -> Languages:
        """The languages that come with karat and those of a campaign's directory, which may also replace some."""
        shipped = Path(str(files("karat.web") / "words"))
        english = _read(shipped / f"messages.{ENGLISH}.json")
        by_language = {ENGLISH: english}
        for file in _message_files(shipped, directory):
            messages = _read(file)
            _refuse_unfit(messages, english, file)
            by_language[_language(file)] = messages
        return cls(by_language)

    def chosen(self, wish: str | None, accepted: str | None) -> str:
        """The first language that is here of one that was asked for and those that a browser accepts, else English.

        >>> Languages({"en": {}, "de": {}, "pt-br": {}}).chosen(None, "fr, pt-BR;q=0.4, de-AT;q=0.8, *;q=0.1")
        'de'
        """
        wishes = ([wish] if wish else []) + _preferred(accepted or "")
        for name in wishes:
            for candidate in (name.lower(), name.lower().partition("-")[0]):
                if candidate in self.by_language:
                    return candidate
        return ENGLISH

    def messages(self, language: str) -> dict[str, str]:
        """The messages of a language, English ones where it has none."""
        own, english = self.by_language[language], self.by_language[ENGLISH]
        bases = {_base(name) for name in own}
        return {**{name: text for name, text in english.items() if _base(name) not in bases}, **own}


def _preferred(accepted: str) -> list[str]:
    """What `Accept-Language` asks for, the best first."""
    wishes = []
    for part in accepted.split(","):
        name, _, weight = part.strip().partition(";q=")
        try:
            wishes.append((-float(weight or 1), name.strip()))
        except ValueError:
            continue
    return [name for _, name in sorted(wishes, key=lambda wish: wish[0])]


def _message_files(shipped: Path, directory: Path | None) -> Iterator[Path]:
    for place in (shipped, directory):
        if place is not None:
            yield from sorted(file for file in place.iterdir() if _FILE.fullmatch(file.name))


def _language(file: Path) -> str:
    match = _FILE.fullmatch(file.name)
    assert match is not None
    return match[1].lower()


def _read(file: Path) -> dict[str, str]:
    try:
        messages = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read as JSON: {error}") from error
    if not isinstance(messages, dict) or not all(isinstance(text, str) for text in messages.values()):
        raise InputError(f'{file} must be one object of texts: {{"submit": "..."}}')
    return messages


def _refuse_unfit(messages: Mapping[str, str], english: Mapping[str, str], file: Path) -> None:
    """Refuse names that the page does not use, and places that it does not fill."""
    bases = {_base(name): text for name, text in english.items()}
    for name, text in messages.items():
        meant = english.get(name, bases.get(_base(name)))
        if meant is None or (name not in english and _base(name) == name):
            raise InputError(f"{file}: the page has no message {name!r}.{did_you_mean(name, english)}")
        places, known = set(_PLACE.findall(text)), set(_PLACE.findall(meant))
        if places - known:
            wrong = ", ".join(sorted(places - known))
            right = ", ".join(sorted(known)) or "none"
            raise InputError(f"{file}: {name!r} has a place for {wrong}, and the page fills {right}")


def _base(name: str) -> str:
    """The name of a message without what tells its plural.

    >>> [_base(name) for name in ("left.one", "left.other", "label.da.overall.0")]
    ['left', 'left', 'label.da.overall.0']
    """
    stem, _, plural = name.rpartition(".")
    return stem if plural in PLURALS else name


if __name__ == "__main__":
    print(json.dumps(Languages.known().messages(ENGLISH), indent=2, ensure_ascii=False))
