"""The tokenizers as the substitutions that define them: slow, obvious, and never shipped."""

from __future__ import annotations

from collections.abc import Callable

import regex

SPECIAL = r"([\{\|\}~\[\\\]\^_` !\"#$%&\(\)\*\+:;<=>\?@/])"
CJK = (
    "\u3400-\u4db5\u4e00-\u9fa5\u9fa6-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\uff00-\uffef\u2e80-\u2eff"
    "\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff\u3100-\u312f\u31a0-\u31bf\ufe10-\ufe1f\ufe30-\ufe4f"
    "\u2600-\u26ff\u2700-\u27bf\u3200-\u32ff\u3300-\u33ff"
)
MISREAD = "\u2001-\u2a6d\u2f81-\u2fa1"
SUPPLEMENTARY = "\U00020000-\U0002a6d6\U0002f800-\U0002fa1d"


def substitute(line: str, *rules: tuple[str, str]) -> str:
    """All substitutions, one after the other."""
    for pattern, replacement in rules:
        line = regex.sub(pattern, replacement, line)
    return line


def core(line: str) -> list[str]:
    """What 13a and zh have in common."""
    return substitute(
        line,
        (SPECIAL, r" \1 "),
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    ).split()


def v13a(line: str) -> list[str]:
    """mteval-v13a."""
    line = line.rstrip().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, character in (("quot", '"'), ("amp", "&"), ("lt", "<"), ("gt", ">")):
        line = line.replace(f"&{entity};", character)
    return core(f" {line} ")


def intl(line: str) -> list[str]:
    """mteval-v14, international."""
    return substitute(
        line.rstrip(),
        (r"(\P{N})(\p{P})", r"\1 \2 "),
        (r"(\p{P})(\P{N})", r" \1 \2"),
        (r"(\p{S})", r" \1 "),
    ).split()


def zh(line: str) -> list[str]:
    """Every character of the list, with its malformed ranges, by itself."""
    return core(regex.sub(f"([{CJK}{MISREAD}])", r" \1 ", line.strip()))


def zh_fixed(line: str) -> list[str]:
    """Every character of the corrected list by itself."""
    return core(regex.sub(f"([{CJK}{SUPPLEMENTARY}])", r" \1 ", line.strip()))


def char(line: str) -> list[str]:
    """Every character by itself."""
    return [character for character in line if not character.isspace()]


def none(line: str) -> list[str]:
    """Nothing but white space separates."""
    return line.split()


ORACLES: dict[str, Callable[[str], list[str]]] = {
    "13a": v13a,
    "intl": intl,
    "zh": zh,
    "zh-fixed": zh_fixed,
    "char": char,
    "none": none,
}
