"""Gold out of a table: what it says, and what is wrong with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from karat.campaigns import Gold
from karat.campaigns.gold import read_gold
from karat.corpus.files import InputFile
from karat.errors import InputError

CRITERIA = ("fluency", "adequacy")


def written(directory: Path, text: str, name: str = "gold.csv") -> InputFile:
    (directory / name).write_text(text, encoding="utf-8")
    return InputFile.of(str(directory / name))


@pytest.mark.parametrize("sign", [",", "\t", ";"])
def test_a_row_is_an_item_and_an_empty_cell_says_nothing(tmp_path: Path, sign: str) -> None:
    header = sign.join(("segment", "system", "fluency", "adequacy", "translation", "explanation"))
    rows = [sign.join(("17", "one", "", "5", "", "")), sign.join(("s2", "two", "1.5", "2", '"ein ""Text"""', "Na ja."))]
    assert read_gold(written(tmp_path, "\n".join([header, *rows]) + "\n"), CRITERIA) == (
        Gold(segment="17", system="one", values={"adequacy": 5.0}),
        Gold(
            segment="s2",
            system="two",
            values={"fluency": 1.5, "adequacy": 2.0},
            translation='ein "Text"',
            explanation="Na ja.",
        ),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no column 'segment', and it is needed"),
        ("segment,adequacy\n1,2\n", "no column 'system', and it is needed"),
        ("segment,system,fluenci\n1,a,2\n", "'fluenci' is no criterion of this campaign. Did you mean fluency?"),
        ("segment,system,fluency,fluency\n1,a,2,3\n", "two columns are called 'fluency'"),
        ("segment,system,fluency\n1,a\n", "gold.csv, line 2 has 2 cells, and the header has 3"),
        ("segment,system,fluency\n1,,3\n", "gold.csv, line 2 does not say the system"),
        ("segment,system,fluency\n1,a,good\n", "gold.csv, line 2: fluency is 'good', which is no number"),
        ('segment,system,fluency\n"1"x,a,2\n', "gold.csv, line 2 is no row of a table"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_gold(written(tmp_path, text), CRITERIA)
    assert message in str(caught.value)
