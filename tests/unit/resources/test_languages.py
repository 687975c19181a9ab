"""Names of languages in all the forms they come in."""

from __future__ import annotations

import pytest

from karat.errors import InputError
from karat.resources import language_code


@pytest.mark.parametrize("given", ["pt", "pt-BR", "pt_PT", "por", "por_Latn", "Portuguese", " pt "])
def test_all_forms_of_a_language_are_one(given: str) -> None:
    assert language_code(given) == "pt"


def test_what_is_no_language_is_refused() -> None:
    with pytest.raises(InputError, match="not a language"):
        language_code("12")
