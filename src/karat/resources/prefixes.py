"""Words after which a point ends no sentence: Mr., Prof., No. before a number."""

from __future__ import annotations

import hashlib
from functools import cache, cached_property
from typing import TYPE_CHECKING

from karat.quick_dataclasses import dataclass
from karat.resources.files import meteor_jar
from karat.resources.languages import NAMES, language_code
from karat.resources.meteor import read_member

if TYPE_CHECKING:
    from pathlib import Path

_NUMERIC = "#NUMERIC_ONLY#"


@dataclass(frozen=True)
class Prefixes:
    """Abbreviations, and those of them that are such before a number only."""

    always: frozenset[str]
    before_numbers: frozenset[str]

    @cached_property
    def signature(self) -> str:
        """A hash of the words, or that there are none."""
        if not self.always and not self.before_numbers:
            return "none"
        words = "\n".join([*sorted(self.always), "", *sorted(self.before_numbers)])
        return f"meteor:1.5/{hashlib.blake2b(words.encode(), digest_size=4).hexdigest()}"


def prefixes(language: str) -> Prefixes:
    """The list in METEOR's jar; empty where there is no jar, or where it has no list for the language."""
    jar = meteor_jar()
    code = language_code(language)
    return Prefixes(frozenset(), frozenset()) if jar is None or not jar.is_file() else _in_jar(jar, code)


@cache
def _in_jar(jar: Path, code: str) -> Prefixes:
    always: set[str] = set()
    before_numbers: set[str] = set()
    text = read_member(jar, f"nonbreaking/{NAMES.get(code, code)}.prefixes") or ""
    for line in map(str.strip, text.splitlines()):
        if line and not line.startswith("#"):
            (before_numbers if line.endswith(_NUMERIC) else always).add(line.removesuffix(_NUMERIC).strip())
    return Prefixes(frozenset(always), frozenset(before_numbers))
