"""Names of languages in all the forms they come in."""

from __future__ import annotations

import pytest

import karat
from karat.errors import InputError
from karat.resources import language_code
from karat.resources.languages import check_language


@pytest.mark.parametrize("given", ["pt", "pt-BR", "pt_PT", "por", "por_Latn", "Portuguese", " pt "])
def test_all_forms_of_a_language_are_one(given: str) -> None:
    assert language_code(given) == "pt"


def test_what_is_no_language_is_refused() -> None:
    with pytest.raises(InputError, match="not a language"):
        language_code("12")


@pytest.mark.parametrize("given", ["en-de", "en_zh", "eng-deu", "es-ar", "en-US-de-DE".lower()])
def test_a_pair_is_no_language(given: str) -> None:
    """The first half of it would be taken for the language of the translations."""
    with pytest.raises(InputError, match=f"'{given}' may be a pair of languages: write the one of the translations"):
        check_language(given)


@pytest.mark.parametrize(
    "given", ["de", "de-de", "de-AT", "pt-br", "zh-tw", "zh-Hans-CN", "es-AR", "deu_Latn", "German"]
)
def test_a_region_or_a_script_makes_no_pair(given: str) -> None:
    check_language(given)


def test_scores_in_python_take_no_pair_for_a_language() -> None:
    texts = ["die roten Häuser"], ["das rote Haus"]
    for call in (
        lambda: karat.score(*texts, ["meteor"], language="en-de"),
        lambda: karat.score_batch({"hypothesis": texts[0], "reference": texts[1]}, "chrf", language="en-de"),
        lambda: karat.pairwise(*texts, metric="chrf", language="en-de"),
    ):
        with pytest.raises(InputError, match="may be a pair of languages"):
            call()
