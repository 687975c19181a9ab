"""Stems by the Snowball algorithms, whichever package runs them."""

from __future__ import annotations

import sys

import pytest

from karat.errors import MissingExtraError, MissingResourceError, SpecError
from karat.resources import stems

WORDS = ["ponies", "relational", "sky", "agreed", "hopping", "Über", "", "naïve", "2,000"]


def test_the_package_in_python_gives_the_same_stems_and_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = stems.stemmer("en", "porter")
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    monkeypatch.delitem(sys.modules, "snowballstemmer", raising=False)
    stems._stemmer.cache_clear()
    try:
        plain = stems.stemmer("en", "porter")
        assert plain.stems(WORDS) == compiled.stems(WORDS)
        assert plain.signature == compiled.signature
    finally:
        stems._stemmer.cache_clear()


def test_porter_is_the_algorithm_of_1980() -> None:
    # From Porter's paper.
    words = ["caresses", "ponies", "cats", "plastered", "motoring", "conflated", "relational", "hopefulness"]
    expected = ["caress", "poni", "cat", "plaster", "motor", "conflat", "relat", "hope"]
    assert stems.stemmer("en", "porter").stems(words) == expected


def test_a_language_has_its_own_stemmer() -> None:
    assert stems.stemmer("de-AT").stems(["häuser", "haus"]) == ["haus", "haus"]
    assert stems.stemmer("de").signature != stems.stemmer("en").signature


def test_a_language_without_stemmer_is_said_so() -> None:
    with pytest.raises(MissingResourceError, match="A stemmer for Japanese is not here"):
        stems.stemmer("ja")
    with pytest.raises(SpecError, match=r"no stemmer 'portar'\. Did you mean porter"):
        stems.stemmer("en", "portar")


def test_without_a_package_the_install_line_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "Stemmer", None)
    monkeypatch.setitem(sys.modules, "snowballstemmer", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'karat\[linguistic\]'"):
        stems._package()


def test_stems_are_remembered_until_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stems, "_MOST_REMEMBERED", 3)
    asked: list[list[str]] = []

    class Package:
        def stemWords(self, words: list[str]) -> list[str]:  # noqa: N802 - as the packages call it
            asked.append(words)
            return [word[:3] for word in words]

    one = stems.Stemmer("any", stems._Package(lambda: "1.0", ["any"], lambda _: Package()))
    assert one.stems(["boats", "boat"]) == ["boa", "boa"]
    assert one.stems(["boat", "sails"]) == ["boa", "sai"]
    assert one.stems(["house", "boat"]) == ["hou", "boa"]
    assert one.stems(["boat"]) == ["boa"]
    assert asked == [["boats", "boat"], ["sails"], ["house"], ["boat"]]
