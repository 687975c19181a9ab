"""Where the synonyms of metrics are from: WordNet, or METEOR's copy of it, which then is told."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from karat.errors import MissingResourceError
from karat.registry import metric
from karat.service.choices import does_without

NAMES = ("terp", "atec-style", "tesla-m-style")
REFERENCE, SYNONYM, OTHER = "a grey auto", "a grey wagon", "a grey shore"


@pytest.fixture
def meteor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small jar of METEOR, and no WordNet."""
    with zipfile.ZipFile(tmp_path / "meteor-1.5.jar", "w") as jar:
        jar.writestr("synonym/english.synsets", "auto\n10\nwagon\n10\n")
        jar.writestr("synonym/english.exceptions", "")
        jar.writestr("function/english.words", "a\n")
    monkeypatch.setenv("KARAT_METEOR", str(tmp_path / "meteor-1.5.jar"))
    monkeypatch.setenv("KARAT_WORDNET", str(tmp_path / "nowhere"))
    return tmp_path


def install_wordnet(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for part in ("noun", "verb", "adj", "adv"):
        (directory / f"index.{part}").write_text("auto n 1 0 1 0 00000010\nwagon n 1 0 1 0 00000010\n")
    monkeypatch.setenv("KARAT_WORDNET", str(directory))


@pytest.mark.usefixtures("meteor")
@pytest.mark.parametrize("name", NAMES)
def test_meteor_stands_in_for_wordnet(name: str) -> None:
    prepared = metric(name).prepare([REFERENCE])
    assert "|synonyms:meteor-synonyms:1.5/" in str(prepared.signature)
    synonym, other = (prepared.rows([line]).score for line in (SYNONYM, OTHER))
    assert (synonym < other) if name == "terp" else (synonym > other)


@pytest.mark.usefixtures("meteor")
@pytest.mark.parametrize("name", NAMES)
def test_that_it_does_is_told_with_the_install_line(name: str) -> None:
    (told,) = does_without([metric(name)])
    assert told.message.startswith(f"{name}: scored without what is missing here. WordNet in")
    assert "apt-get install wordnet-base" in told.message
    assert "METEOR's synonyms stand in for it" in told.message


@pytest.mark.usefixtures("meteor")
@pytest.mark.parametrize(
    "spec", ["terp(synonyms=none)", "terp(synonyms=meteor)", "atec-style(sense=0)", "tesla-m-style(synonym=0)"]
)
def test_a_metric_that_does_not_want_wordnet_does_not_lack_it(spec: str) -> None:
    assert metric(spec).lacking == ()


@pytest.mark.parametrize("name", NAMES)
def test_scores_with_wordnet_and_without_differ_in_signature(
    name: str, meteor: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = metric(name).prepare([REFERENCE]).signature
    install_wordnet(meteor, monkeypatch)
    with_it = metric(name).prepare([REFERENCE]).signature
    assert "|synonyms:wordnet:" in str(with_it)
    assert with_it != without
    assert metric(name).lacking == ()


@pytest.mark.parametrize("name", NAMES)
def test_without_both_it_is_refused_with_both_install_lines(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("KARAT_METEOR", "KARAT_WORDNET"):
        monkeypatch.setenv(variable, str(tmp_path))
    with pytest.raises(MissingResourceError, match=r"apt-get install wordnet-base.*pip install 'karat\[meteor\]'"):
        metric(name).prepare([REFERENCE])


@pytest.mark.usefixtures("meteor")
def test_synonyms_are_found_whatever_the_case_of_words() -> None:
    prepared = metric("terp(lowercase=false)").prepare(["Auto"])
    assert prepared.rows(["Wagon"]).score < prepared.rows(["Shore"]).score
