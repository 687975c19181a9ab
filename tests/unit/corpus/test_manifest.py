from __future__ import annotations

from pathlib import Path

import pytest

from karat.corpus import read_manifest
from karat.errors import InputError

MANIFEST = """
[[testset]]
name = "news"
source_language = "en"
target_language = "de"
tokenizer = "13a"
source = "src.en"
references = ["refA.de", "refB.de"]
documents = "docs.tsv"
systems = { sysA = "a.de", sysB = "b.de" }

[[testset]]
name = "talks"
corpus = "sub/all.jsonl"
"""


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    for name in ("src.en", "refA.de", "refB.de", "a.de", "b.de"):
        (tmp_path / name).write_text(f"{name}\n")
    (tmp_path / "docs.tsv").write_text("news\td1\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "all.jsonl").write_text('{"ref": "a", "systems": {"x": "b"}}\n')
    path = tmp_path / "sets.toml"
    path.write_text(MANIFEST)
    return path


def test_a_manifest(manifest: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    news, talks = read_manifest(manifest)
    assert (news.name, news.language_pair, news.tokenizer) == ("news", "en-de", "13a")
    corpus = news.load()
    assert corpus.language_pair == "en-de"
    assert corpus.domains == ("news",)
    assert corpus.systems["sysB"].to_list() == ["b.de"]
    assert corpus.references_for().column.to_list() == ["refA.de", "refB.de"]
    assert (talks.tokenizer, talks.language_pair) == (None, None)
    assert list(talks.load().systems) == ["x"]


def test_errors_name_the_test_set(manifest: Path) -> None:
    manifest.with_name("a.de").write_text("one\ntwo\n")
    with pytest.raises(InputError, match=r"test set news: .*refA\.de ends after line 1, but .*a\.de has 2 lines"):
        read_manifest(manifest)[0].load()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "names no test set"),
        ("testset = 3", "names no test set"),
        ("[[testset]\n", r"is not valid TOML: .*line 1"),
        ("[[testsets]]\nname = 'a'", r"'testsets' is not known\. Did you mean testset\?"),
        ("[[testset]]\nname = 'a'\nrefrences = []", r"test set a: 'refrences' is not known\. Did you mean references"),
        ("[[testset]]\ncorpus = 'x'", "test set 1: it has no name"),
        ("[[testset]]\nname = 'a'", "test set a: it has no references"),
        ("[[testset]]\nname = 'a'\nreferences = 'x'", "test set a: it has no systems"),
        ("[[testset]]\nname = 'a'\nreferences = 3", "references must be a list"),
        ("[[testset]]\nname = 'a'\nreferences = ['x']\nsystems = ['y']", "systems must be a table"),
        ("[[testset]]\nname = 3", "name must be text"),
        ("[[testset]]\nname = 'a'\ncorpus = 'x'\nsource = 'y'", "so source cannot be given as well"),
        ("[[testset]]\nname = 'a'\ncorpus = 'x'\n[[testset]]\nname = 'a'\ncorpus = 'y'", "names the test set a twice"),
    ],
)
def test_bad_manifests(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "sets.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_manifest(path)


def test_one_name_for_two_language_pairs(tmp_path: Path) -> None:
    path = tmp_path / "sets.toml"
    entry = "[[testset]]\nname = 'news'\nsource_language = 'en'\ntarget_language = '{}'\ncorpus = 'x.jsonl'\n"
    path.write_text(entry.format("de") + entry.format("fr"))
    assert [test_set.language_pair for test_set in read_manifest(path)] == ["en-de", "en-fr"]
