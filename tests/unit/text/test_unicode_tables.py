"""The committed Unicode tables against the regex module they were made from."""

from __future__ import annotations

import re
from importlib.metadata import metadata, version

import pytest
import regex

from karat import kernels
from karat.text import tokenizer

# Code points that a Unicode version was the first to have.
PROBES = {"16.0.0": "\U00010d40", "17.0.0": "\u20c1"}


def regex_unicode_version() -> str:
    description = metadata("regex").get_payload() or metadata("regex")["Description"]
    match = re.search(r"supports Unicode (\d+\.\d+\.\d+)", str(description))
    assert match, f"regex {version('regex')} no longer names its Unicode version: find it another way"
    return match[1]


def test_every_code_point_is_classified_as_regex_does() -> None:
    installed = regex_unicode_version()
    if installed != kernels.UNICODE_VERSION:
        pytest.skip(f"regex {version('regex')} has Unicode {installed}, karat's tables have {kernels.UNICODE_VERSION}")
    expected = bytearray(b"-" * 0x110000)
    everything = "".join(map(chr, range(0x110000)))
    for name in "NPS":
        for match in regex.finditer(rf"\p{{{name}}}", everything):
            expected[match.start()] = ord(name)
    assert kernels.unicode_classes() == bytes(expected)


@pytest.mark.parametrize("since", PROBES)
def test_the_tables_are_as_new_as_they_say(since: str) -> None:
    assert tuple(map(int, since.split("."))) <= tuple(map(int, kernels.UNICODE_VERSION.split(".")))
    assert kernels.unicode_classes()[ord(PROBES[since])] in b"NPS"


def test_intl_names_the_unicode_version() -> None:
    assert tokenizer("intl").resources == {"unicode": kernels.UNICODE_VERSION}
    assert tokenizer("intl").signature == "intl"
    assert tokenizer("13a").resources == {}
