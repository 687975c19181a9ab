"""The core's tokenizers against the substitutions that define them."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles.tokenizers import ORACLES

from karat import kernels
from karat.text import tokenizer

pytestmark = pytest.mark.contained

# Everything the machine distinguishes: letters, digits, points, dashes, specials, white space; then Unicode.
ALPHABET = "a1.,-!\n…２。€𠀀\u00a0"
PIECES = [
    "<skipped>",
    "<skip",
    "ped>",
    "-\n",
    "\n",
    "&quot;",
    "&amp;",
    "&lt;",
    "&gt;",
    "&apos;",
    "&",
    ";",
    "amp;",
    "lt;",
]
# Runs of eight letters and more, which the core skips in one step, beside everything that could follow them.
PIECES += [
    "wort",
    "Wörter",
    "abcdefgh",
    "ABCXYZ",
    "`{",
    "@[",
    "1",
    "5",
    ".",
    ",",
    "-",
    "...",
    " ",
    "\t",
    "\u3000",
    "中",
    "€",
]

text = st.text(st.characters(exclude_categories=["Cs"]))
near_edges = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def cut(name: str, lines: list[str]) -> list[list[str]]:
    return kernels.tokenize(kernels.Text(lines), name).to_lists()


def differences(name: str, lines: list[str]) -> list[tuple[str, list[str], list[str]]]:
    pairs = zip(lines, cut(name, lines), map(ORACLES[name], lines), strict=True)
    return [(line, got, wanted) for line, got, wanted in pairs if got != wanted]


def words_over(alphabet: str, length: int) -> list[str]:
    return ["".join(letters) for n in range(length + 1) for letters in product(alphabet, repeat=n)]


@pytest.mark.parametrize("name", ORACLES)
def test_every_short_string(name: str) -> None:
    assert differences(name, words_over(ALPHABET, 4)) == []


@pytest.mark.parametrize("name", ["13a", "intl", "zh"])
def test_every_string_of_points_and_numbers(name: str) -> None:
    assert differences(name, words_over("a1., ", 6)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["13a", "intl", "zh", "zh-fixed"])
@pytest.mark.parametrize(("alphabet", "length"), [("a1.,- &;!…\n", 5), ("a1.-", 8)])
def test_every_longer_string(name: str, alphabet: str, length: int) -> None:
    assert differences(name, words_over(alphabet, length)) == []


@pytest.mark.parametrize("name", ORACLES)
@given(lines=st.lists(text | near_edges, max_size=5))
def test_any_text(name: str, lines: list[str]) -> None:
    assert differences(name, lines) == []


@pytest.mark.parametrize("name", ORACLES)
def test_code_points_of_all_blocks_beside_points_and_numbers(name: str) -> None:
    sample = [*range(0x3400), *range(0x3400, 0xD800, 61), *range(0xF8FF, 0x110000, 61)]
    assert differences(name, [f"{c}.5{c}.{c}1,{c}-" for c in map(chr, sample)]) == []


@pytest.mark.parametrize(
    ("name", "line", "tokens"),
    [
        (
            "13a",
            "He said “hi” — ok… 3.14, 1,000 a-b 5-6 don't it's.",
            "He said “hi” — ok… 3.14 , 1,000 a-b 5 - 6 don't it's .",
        ),
        (
            "intl",
            "He said “hi” — ok… 3.14, 1,000 a-b 5-6 don't it's.",
            "He said “ hi ” — ok … 3.14 , 1,000 a - b 5-6 don ' t it ' s .",
        ),
        ("13a", "in 2017.", "in 2017 ."),
        ("intl", "in 2017.", "in 2017."),
        ("zh", "in 2017.", "in 2017."),
        ("13a", "&amp;lt; &apos;", "< & apos ;"),
        ("13a", "a<skipped>b re-\nstart", "ab restart"),
        ("13a", "trailing-\n", "trailing-"),
        ("13a", " ....5", ". . . .5"),
        ("13a", " ...5", ". . . 5"),
        ("zh", "a—b", "a — b"),
        ("zh-fixed", "a—b", "a—b"),
        ("zh", "\U00020000\U00020001", "\U00020000\U00020001"),
        ("zh-fixed", "\U00020000\U0002f800", "\U00020000 \U0002f800"),
        ("zh", "カタ 한국", "カタ 한국"),
        ("intl", "5٫6 a٫b", "5٫6 a ٫ b"),
    ],
)
def test_known_strings(name: str, line: str, tokens: str) -> None:
    assert cut(name, [line]) == [tokens.split(" ")]


@pytest.mark.parametrize("name", ORACLES)
def test_threads_and_blocks_change_nothing(name: str) -> None:
    lines = [
        f"{'<skipped>' * (i % 3)}Line {i}, re-\nwritten {'中' * (i % 7)} &quot;{i / 7:.3f}&quot;" for i in range(2000)
    ]
    expected = [ORACLES[name](line) for line in lines]
    assert cut(name, lines) == expected
    cut_by_threads = kernels.tokenize(kernels.Text(lines), name)
    counted = kernels.word_types(cut_by_threads, threads=5).offsets[0]
    assert (counted[1:] - counted[:-1]).tolist() == list(map(len, expected))
    assert cut_by_threads.to_lists() == expected


def test_more_tokens_than_expected() -> None:
    lines = ["! " * 300, "a", "..." * 1000] * 300
    assert differences("13a", lines) == []


def test_token_count() -> None:
    assert kernels.tokenize(kernels.Text(["a b", "", "c!"]), "13a").token_count == 4


@pytest.mark.parametrize("name", ORACLES)
def test_calling_a_tokenizer_joins_by_spaces(name: str) -> None:
    assert tokenizer(name)("Hello,  world.") == " ".join(ORACLES[name]("Hello,  world."))  # type: ignore[operator]


def test_unknown_core_tokenizer() -> None:
    with pytest.raises(ValueError, match="no tokenizer 14b"):
        kernels.tokenize(kernels.Text(["a"]), "14b")
