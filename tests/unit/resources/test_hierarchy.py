"""WordNet's hierarchy: from small files, and against NLTK on the real ones."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from karat.errors import InputError
from karat.resources import Synonyms, hierarchy, synonyms
from karat.resources.wordnet import WordNet

NOUNS = ("entity", "vehicle", "car auto", "truck", "Chitty", "dream")
PARENTS = {"vehicle": ("@", "entity"), "car": ("@", "vehicle"), "truck": ("@", "vehicle"), "Chitty": ("@i", "car")}


def write_wordnet(directory: Path) -> dict[str, int]:
    """Six sets of nouns in WordNet's format; the number of the first word of each."""
    width = 100
    offsets = {words.split()[0]: width * number for number, words in enumerate(NOUNS)}
    lines = []
    for words in NOUNS:
        name = words.split()[0]
        spelled = " ".join(f"{word} 0" for word in words.split())
        pointers = [f"{PARENTS[name][0]} {offsets[PARENTS[name][1]]:08} n 0000"] if name in PARENTS else []
        fields = f"{offsets[name]:08} 03 n {len(words.split()):02x} {spelled} {len(pointers):03} {' '.join(pointers)}"
        lines.append(f"{fields} | a meaning".ljust(width - 1) + "\n")
    (directory / "data.noun").write_text("".join(lines), encoding="ascii")
    (directory / "data.verb").write_text("  1 licence\n", encoding="ascii")
    index = "".join(f"{word} n 1 0 1 0 {offsets[words.split()[0]]:08}\n" for words in NOUNS for word in words.split())
    for part, text in {"noun": index.lower(), "verb": "", "adj": "fast a 1 0 1 0 00000000\n", "adv": ""}.items():
        (directory / f"index.{part}").write_text(f"  1 licence of WordNet 9.1\n{text}", encoding="ascii")
    return {name: offset * 4 for name, offset in offsets.items()}


def test_ancestors_have_the_least_number_of_steps(tmp_path: Path) -> None:
    numbers = write_wordnet(tmp_path)
    kinds = hierarchy(synonyms("en", path=tmp_path))
    assert kinds is not None
    names = {number: name for name, number in numbers.items()}
    above = {names[number]: steps for number, steps in kinds.ancestors([numbers["Chitty"]]).items()}
    assert above == {"Chitty": 0, "car": 1, "vehicle": 2, "entity": 3}
    both = {names[number]: steps for number, steps in kinds.ancestors([numbers["Chitty"], numbers["truck"]]).items()}
    assert both == {"Chitty": 0, "truck": 0, "car": 1, "vehicle": 1, "entity": 2}
    assert kinds.ancestors([2]) == {2: 0}  # an adjective
    assert kinds.ancestors([]) == {}


def test_an_index_of_another_version_is_refused(tmp_path: Path) -> None:
    numbers = write_wordnet(tmp_path)
    kinds = hierarchy(WordNet(tmp_path))
    assert kinds is not None
    for wrong in (numbers["car"] + 4, numbers["car"] + 40_000_000):
        with pytest.raises(InputError, match=rf"data\.noun: no set of synonyms begins at byte {wrong // 4}"):
            kinds.ancestors([wrong])


def test_a_directory_without_data_files_is_refused(tmp_path: Path) -> None:
    write_wordnet(tmp_path)
    (tmp_path / "data.noun").unlink()
    with pytest.raises(InputError, match=r"no WordNet data file at .*data\.noun"):
        hierarchy(WordNet(tmp_path))
    (tmp_path / "data.noun").write_bytes(b"")
    with pytest.raises(InputError, match=r"data\.noun is empty"):
        hierarchy(WordNet(tmp_path))


@pytest.fixture(scope="module")
def monkeypatch_module() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def reader(
    installed_wordnet: Synonyms, tmp_path_factory: pytest.TempPathFactory, monkeypatch_module: pytest.MonkeyPatch
) -> object:
    """NLTK on the installed files, beside which it wants the names of the lexicographers' files."""
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    class Alone(WordNetCorpusReader):  # type: ignore[misc]
        def map_wn(self, version: str = "wordnet") -> None:
            """It has no other versions to map to."""

    assert isinstance(installed_wordnet, WordNet)
    directory = tmp_path_factory.mktemp("wordnet")
    for path in installed_wordnet.directory.iterdir():
        shutil.copy(path, directory)
    (directory / "lexnames").write_text("".join(f"{number:02}\tfile{number}\t1\n" for number in range(45)))
    monkeypatch_module.setattr(nltk.data, "path", [str(directory), str(installed_wordnet.directory)])
    with pytest.warns(UserWarning, match="multilingual"):
        return Alone(str(directory), None)


@pytest.mark.long
@pytest.mark.parametrize(
    ("first", "second"),
    [("car", "lorry"), ("dog", "cat"), ("buy", "sell"), ("walk", "run"), ("stone", "idea"), ("take", "give")],
)
def test_paths_are_as_long_as_nltk_says(installed_wordnet: Synonyms, reader: object, first: str, second: str) -> None:
    from karat.metrics.words.likeness import TypeLikeness

    likeness = TypeLikeness([first, second], installed_wordnet, hierarchy(installed_wordnet))
    pairs = [
        (one, other)
        for one in reader.synsets(first)  # type: ignore[attr-defined]
        for other in reader.synsets(second)  # type: ignore[attr-defined]
        if one.pos() == other.pos() and one.pos() in "nv"
    ]
    expected = max(one.path_similarity(other, simulate_root=False) or 0 for one, other in pairs)
    assert likeness.between(0, 1) == pytest.approx(expected)
