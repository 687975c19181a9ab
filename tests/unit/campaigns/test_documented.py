"""The campaign files in the documentation are such."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from karat.campaigns import read_plan
from karat.campaigns.collected import collected

PAGES = sorted((Path(__file__).parents[3] / "docs" / "how-to").glob("campaign*.md"))
SETTINGS = {
    "campaign-spans.md": 'protocol = "esa"\n',
    "campaign-rankings.md": 'protocol = "ranking"\n',
    "campaign-post-editing.md": 'protocol = "post-edit"\n',
}
"""What stands before an excerpt that names no protocol."""
QUESTION = {
    "informativeness": '[[questions]]\ncriterion = "informativeness"\n',
    "ranking": '[[questions]]\ncriterion = "overall"\nwidget = "ranking"\n',
    "adequacy-fluency": '[[questions]]\ncriterion = "adequacy"\n',
}
EXCERPTS = [
    (page.name, text) for page in PAGES for text in re.findall(r"```toml\n(.*?)```", page.read_text("utf-8"), re.S)
]


@pytest.mark.parametrize(("page", "excerpt"), EXCERPTS)
def test_an_excerpt_is_read(page: str, excerpt: str) -> None:
    named = re.search(r'(?:protocol|criterion) = "(.*?)"', excerpt)
    text = excerpt
    if "protocol = " not in text:
        usual = (
            f'protocol = "{named[1]}"\n'
            if "[[items]]" in text and named is not None
            else 'protocol = "adequacy-fluency"\n'
        )
        text = SETTINGS.get(page, usual) + text
    if "[[questions]]" not in text:
        (protocol,) = re.findall(r'protocol = "(.*?)"', text)
        text += QUESTION[protocol]
    if 'protocol = "ranking"' in text and "together = " not in text:
        text = "together = 5\n" + text
    if "\nname = " not in f"\n{text.partition('[[')[0]}":
        text = 'name = "try"\n' + text
    assert read_plan(text, page).questions


def test_the_pages_name_every_protocol() -> None:
    told = "".join(page.read_text("utf-8") for page in PAGES)
    from karat.corpus.ratings.protocols import protocol_names

    assert all(f"`{name}`" in told for name in protocol_names() if collected(name))
