"""Synonyms from small files of each kind, and from the real ones where they are installed."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest

from karat.errors import InputError, MissingResourceError, SpecError
from karat.resources import Synonyms, lacking_synonyms, synonyms
from karat.resources.files import meteor_jar

INDEX = {
    "noun": "car n 2 1 @ 2 1 00000010 00000020\nauto n 1 0 1 1 00000010\ntruck n 1 0 1 0 00000020\n",
    "verb": "buy v 1 0 1 1 00000010\npurchase v 1 0 1 0 00000010\n",
    "adj": "fast a 1 0 1 0 00000030\n",
    "adv": "fast r 1 0 1 0 00000040\n",
}
EXCEPTIONS = {"noun": "trux truck\n", "verb": "bought buy\n", "adj": "", "adv": ""}


@pytest.fixture
def wordnet(tmp_path: Path) -> Path:
    for part, lines in INDEX.items():
        (tmp_path / f"index.{part}").write_text(f"  1 licence of WordNet 9.1\n{lines}")
        (tmp_path / f"{part}.exc").write_text(EXCEPTIONS[part])
    return tmp_path


@pytest.fixture
def meteor(tmp_path: Path) -> Path:
    with zipfile.ZipFile(tmp_path / "meteor-1.5.jar", "w") as jar:
        jar.writestr("synonym/english.synsets", "car\n10 20\nauto\n10\nbuy\n7\nbless\n5\nbles\n6\n")
        jar.writestr("synonym/english.exceptions", "buy\nbought boughten\n")
        jar.writestr("function/english.words", "the\nof\n")
        jar.writestr("function/danish.words", "")
    return tmp_path / "meteor-1.5.jar"


@pytest.fixture
def thesaurus(tmp_path: Path) -> Path:
    text = "UTF-8\nauto|2\n-|Auto|Wagen (ugs.)|fahrbarer Untersatz|Fahrzeug (Oberbegriff)\n-|Selbst (veraltet)\n"
    (tmp_path / "th_de_DE_v2.dat").write_text(text + "wagen|1\n-|Wagen (ugs.)|Auto|fahrbarer Untersatz\n")
    return tmp_path / "th_de_DE_v2.dat"


def are_synonyms(found: Synonyms, first: str, second: str) -> bool:
    one, other = found.synsets([first, second])
    return bool(set(one) & set(other))


def test_wordnet_words_share_a_set_in_all_their_forms(wordnet: Path) -> None:
    found = synonyms("en", path=wordnet)
    assert are_synonyms(found, "cars", "Autos")
    assert are_synonyms(found, "bought", "purchased")
    assert are_synonyms(found, "purchasing", "buys")
    assert are_synonyms(found, "trux", "car")
    assert not are_synonyms(found, "truck", "auto")
    assert found.synsets(["unheard", ""]) == [(), ()]


def test_parts_of_speech_of_wordnet_do_not_mix(wordnet: Path) -> None:
    found = synonyms("en", path=wordnet)
    assert not are_synonyms(found, "auto", "buy")  # both have offset 10
    assert len(found.synsets(["fast"])[0]) == 2


def test_wordnet_is_signed_by_version_and_content(wordnet: Path) -> None:
    before = synonyms("en", path=wordnet).signature
    assert before.startswith("wordnet:9.1/")
    index = wordnet / "index.noun"
    index.write_text(index.read_text() + "van n 1 0 1 0 00000010\n")
    assert synonyms("en", path=wordnet).signature != before


@pytest.mark.parametrize(
    "line", ["car", "car n x 0 1 0 00000010", "car n 2 0 1 0 00000010", "car n 1 0 1 0 offset", ""]
)
def test_a_broken_index_is_refused_with_its_line(wordnet: Path, line: str) -> None:
    (wordnet / "index.verb").write_text(f"buy v 1 0 1 1 00000010\n{line}\n")
    with pytest.raises(InputError, match=r"index\.verb, line 2"):
        synonyms("en", path=wordnet)


def test_a_broken_list_of_exceptions_is_refused_with_its_line(wordnet: Path) -> None:
    (wordnet / "noun.exc").write_text("mice mouse\ngeese\n")
    with pytest.raises(InputError, match=r"noun\.exc, line 2"):
        synonyms("en", path=wordnet)


def test_meteor_takes_irregular_forms_first_and_then_the_first_ending(meteor: Path) -> None:
    found = synonyms("en", path=meteor)
    assert found.synsets(["cars", "bought", "boughten", "autoing"]) == [(10, 20), (7,), (7,), (10,)]
    assert found.synsets(["bless"]) == [(5,)]  # words in -ss have no other form
    assert found.signature.startswith("meteor-synonyms:1.5/")


def test_meteor_is_found_where_the_environment_says(meteor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in (meteor, meteor.parent):
        monkeypatch.setenv("KARAT_METEOR", str(place))
        assert meteor_jar() == meteor
        assert are_synonyms(synonyms("en", "meteor"), "car", "auto")


def test_a_jar_without_synonyms_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "other.jar", "w") as jar:
        jar.writestr("synonym/english.synsets", "car\n10\nauto\n")
    with pytest.raises(InputError, match="line 3: the last entry"):
        synonyms("en", path=tmp_path / "other.jar")
    (tmp_path / "broken.jar").write_text("no archive")
    with pytest.raises(InputError, match="cannot be read"):
        synonyms("en", path=tmp_path / "broken.jar")


def test_a_thesaurus_makes_words_of_one_meaning_synonyms(thesaurus: Path) -> None:
    found = synonyms("de", path=thesaurus)
    assert are_synonyms(found, "Auto", "Wagen")
    assert not are_synonyms(found, "Auto", "Fahrzeug")  # a broader term
    assert not are_synonyms(found, "Selbst", "Wagen")
    assert found.synsets(["wagen"]) == [(0,)]  # repeated in its own entry
    assert found.signature.startswith("th_de_DE_v2/")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "line 1: the name of an encoding is expected, not ''"),
        (b"no such code\nauto|1\n", "line 1: the name of an encoding is expected, not 'no such code'"),
        (b"UTF\0-8\nauto|1\n", "line 1: the name of an encoding is expected"),
        (b"UTF-8\nauto\n", "line 2: an entry such as word|2 is expected, not 'auto'"),
        ("UTF-8\nauto|\u00b2\n".encode(), "line 2: an entry such as word|2 is expected"),
        (b"UTF-8\nauto|" + b"9" * 5000 + b"\n", "line 2: an entry such as word|2 is expected"),
        (b"UTF-8\nauto|2\n-|Auto\n", "line 4: a meaning such as (noun)|synonym|synonym is expected"),
        (b"UTF-8\nauto|1\n-|W\xe4gen\n", "cannot be read: byte 0xE4 is not valid utf-8"),
    ],
)
def test_a_damaged_thesaurus_is_refused_with_file_and_line(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "th_de_DE_v2.dat"
    path.write_bytes(data)
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        synonyms("de", path=path)
    assert str(caught.value).startswith(str(path))
    assert len(str(caught.value)) < 4000


def test_a_thesaurus_is_found_by_language(thesaurus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_MYTHES", str(thesaurus.parent))
    assert are_synonyms(synonyms("de-CH"), "auto", "wagen")
    with pytest.raises(MissingResourceError, match="apt-get install mythes-fr"):
        synonyms("fr")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("klingon\n", "line 1"),
        ("UTF-8\nauto\n", "line 2"),
        ("UTF-8\nauto|x\n", "line 2"),
        ("UTF-8\nauto|2\n-|a\n", "line 4"),
    ],
)
def test_a_broken_thesaurus_is_refused_with_its_line(tmp_path: Path, text: str, place: str) -> None:
    path = tmp_path / "th_de_DE_v2.dat"
    path.write_text(text)
    with pytest.raises(InputError, match=place):
        synonyms("de", path=path)


def test_what_is_missing_is_said_with_its_install_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_WORDNET", str(tmp_path))
    with pytest.raises(MissingResourceError, match="apt-get install wordnet-base"):
        synonyms("en", "wordnet")
    monkeypatch.setenv("KARAT_METEOR", str(tmp_path))
    with pytest.raises(MissingResourceError, match=r"pip install 'karat\[meteor\]'"):
        synonyms("en", "meteor")
    with pytest.raises(MissingResourceError, match=r"apt-get install wordnet-base.* pip install 'karat\[meteor\]'"):
        synonyms("en")
    assert lacking_synonyms("en") == ()  # nothing stands in for it


def test_meteor_stands_in_for_a_wordnet_that_is_not_there(meteor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_METEOR", str(meteor))
    monkeypatch.setenv("KARAT_WORDNET", str(meteor.parent))
    assert synonyms("en").signature == synonyms("en", path=meteor).signature
    (lack,) = lacking_synonyms("en-GB")
    assert "apt-get install wordnet-base" in lack
    assert "METEOR's synonyms stand in" in lack
    assert lacking_synonyms("de") == ()


def test_wordnet_comes_before_meteor(wordnet: Path, meteor: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KARAT_METEOR", str(meteor))
    monkeypatch.setenv("KARAT_WORDNET", str(wordnet))
    assert synonyms("en").signature == synonyms("en", path=wordnet).signature
    assert lacking_synonyms("en") == ()


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="English only"):
        synonyms("de", "wordnet")
    with pytest.raises(SpecError, match="no synonyms of 'wordnett'"):
        synonyms("en", "wordnett")
    with pytest.raises(InputError, match=r"no index\.noun"):
        synonyms("en", path=tmp_path)
    with pytest.raises(InputError, match="there is no thesaurus at"):
        synonyms("en", path=tmp_path / "nowhere")
    (tmp_path / "words.txt").write_text("")
    with pytest.raises(InputError, match="holds no synonyms"):
        synonyms("en", path=tmp_path / "words.txt")


def test_the_real_wordnet(installed_wordnet: Synonyms) -> None:
    found = installed_wordnet
    assert found.signature.startswith("wordnet:3.0/")
    for first, second in [("automobile", "car"), ("bought", "purchased"), ("drove", "driving"), ("fled", "flee")]:
        assert are_synonyms(found, first, second)
    assert not are_synonyms(found, "quickly", "fast")


@pytest.mark.slow
def test_the_real_thesaurus(installed_german_thesaurus: Synonyms) -> None:
    assert are_synonyms(installed_german_thesaurus, "fast", "beinahe")
    assert not are_synonyms(installed_german_thesaurus, "fast", "niemals")


def test_the_real_jar() -> None:
    pytest.importorskip("pycocoevalcap")
    found = synonyms("en", "meteor")
    assert are_synonyms(found, "bought", "purchased")
    assert are_synonyms(found, "automobile", "cars")
