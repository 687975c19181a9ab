from __future__ import annotations

from pathlib import Path

import pytest

from karat.corpus import read_corpus
from karat.errors import InputError


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    files = {
        "sources/en-de.txt": "1\n2\n",
        "references/en-de.refA.txt": "a\nb\n",
        "references/en-de.ref.B.txt": "c\nd\n",
        "documents/en-de.docs": "news\td1\nnews\td2\n",
        "system-outputs/en-de/X.txt": "x\ny\n",
        "system-outputs/en-de/refA.txt": "a\nb\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_directory(directory: Path) -> None:
    corpus = read_corpus(directory)
    assert sorted(corpus.references) == ["ref.B", "refA"]
    assert list(corpus.systems) == ["X"], "refA among the outputs is the reference"
    assert corpus.documents == ("d1", "d2")
    assert corpus.language_pair == "en-de"


def test_refusals(directory: Path) -> None:
    output = directory / "system-outputs" / "en-de" / "refA.txt"
    output.write_text("a\nother\n")
    with pytest.raises(InputError, match="the output refA bears the name of a reference, but differs"):
        read_corpus(directory)
    output.write_text("a\n")
    with pytest.raises(InputError, match=r"refA\.txt ends after line 1, but .*en-de\.txt has 2 lines"):
        read_corpus(directory)
    output.unlink()
    (directory / "documents" / "en-de.docs").write_text("news\td1\n")
    with pytest.raises(InputError, match=r"en-de\.docs ends after line 1"):
        read_corpus(directory)
    with pytest.raises(InputError, match=r"has no language pair en-dd\. Did you mean en-de\?"):
        read_corpus(directory, language_pair="en-dd")
    (directory / "sources" / "en-fr.txt").write_text("1\n")
    with pytest.raises(InputError, match="has the language pairs en-de, en-fr: name the one"):
        read_corpus(directory)


def test_real_directory(shared_data: Path) -> None:
    corpus = read_corpus(shared_data / "wmt23-mtme-ende" / "wmt23")
    assert (len(corpus), len(corpus.systems), list(corpus.references)) == (557, 12, ["refA"])
    assert corpus.domains is not None
    assert {name: corpus.domains.count(name) for name in ("social", "news", "speech", "user_review")} == {
        "social": 212,
        "news": 139,
        "speech": 113,
        "user_review": 93,
    }
