"""References as sentences: what `references.bib` has in BibTeX, for those who read a terminal."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

ENTRY = re.compile(r"^@\w+\{([^,]+),(.*?)(?=^@|\Z)", re.DOTALL | re.MULTILINE)
FIELD = re.compile(r"(\w+)\s*=\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}")
ACCENT = re.compile(r"\{?\\([\"'`^~vcHu])\s*\{?(\\?\w)\}?\}?")
MARKS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "v": "\u030c", "c": "\u0327"}
LETTERS = {r"{\ss}": "ß", r"{\o}": "ø", r"{\l}": "ł", r"\&": "&", "--": "-"}


def citations(bibliography: Path) -> dict[str, str]:
    """The reference of every key, as one line."""
    text = bibliography.read_text(encoding="utf-8")
    return {key: reference(dict(FIELD.findall(body))) for key, body in ENTRY.findall(text)}


def reference(fields: dict[str, str]) -> str:
    """Authors, year, title, where it was published, and its address."""
    known = {name: plain(value) for name, value in fields.items()}
    venue = next((known[name] for name in ("booktitle", "journal", "institution", "school") if name in known), None)
    number = f"({known['number']})" if "number" in known else ""
    volume = f" {known['volume']}{number}" if "volume" in known else f" {number}" if number else ""
    pages = f", pages {known['pages']}" if "pages" in known else ""
    address = f"https://doi.org/{known['doi']}" if "doi" in known else known.get("url")
    parts = [f"{authors(known['author'])} ({known['year']})", known["title"]]
    parts += [f"{venue}{volume}{pages}"] if venue else []
    return ". ".join(parts) + "." + (f" {address}" if address else "")


def authors(names: str) -> str:
    """All names, given names first."""
    each = [" ".join(reversed(name.split(", ", 1))) for name in names.split(" and ")]
    return each[0] if len(each) == 1 else f"{', '.join(each[:-1])} and {each[-1]}"


def plain(text: str) -> str:
    """BibTeX without its markup."""
    for written, letter in LETTERS.items():
        text = text.replace(written, letter)
    text = ACCENT.sub(lambda match: match[2].strip("\\") + MARKS.get(match[1], ""), text)
    return unicodedata.normalize("NFC", text.replace("{", "").replace("}", ""))
