"""Faults planted into the sample, one kind at a time, to see which of them a search finds."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path

from karat.analysis.flaws.terms import Term
from karat.corpus import Corpus, read_corpus
from karat.sample import path

PLANTED = 30
"""Faults of each kind."""
TERMS = (Term("Kessel", ("Kessel",)),)


def sample() -> Corpus:
    """The sample as it is."""
    return read_corpus(Path(path("corpus.jsonl")), language_pair="de-en")


Fault = Callable[[str, str, random.Random], str | None]
"""What a fault makes of an output, given the source; None where the segment has nothing to break."""


def _loop(text: str, _: str, rng: random.Random) -> str | None:
    words = text.split()
    if len(words) < 4:
        return None
    start = rng.randrange(len(words) - 2)
    phrase = words[start : start + rng.choice([2, 3])]
    return " ".join([*words[: start + len(phrase)], *(phrase * 4), *words[start + len(phrase) :]])


def _half(text: str, _: str, rng: random.Random) -> str | None:
    words = text.split()
    return " ".join(words[: int(len(words) * rng.uniform(0.3, 0.6))]) if len(words) > 8 else None


def _number(text: str, _: str, rng: random.Random) -> str | None:
    numbers = list(re.finditer(r"\d+", text))
    if not numbers:
        return None
    match = rng.choice(numbers)
    changed = str(int(match[0]) + rng.choice([1, 3, 10, 30]))
    return text[: match.start()] + changed + text[match.end() :]


def _name(text: str, _: str, rng: random.Random) -> str | None:
    names = list(re.finditer(r"(?<=[a-z,] )[A-Z][a-z]{3,}", text))
    if not names:
        return None
    match = rng.choice(names)
    return text[: match.start()] + rng.choice(["Miller", "Kowalski", "Oakville"]) + text[match.end() :]


def _source_word(text: str, source: str, rng: random.Random) -> str | None:
    words = [word for word in re.findall(r"\b[a-zäöüß]{5,}\b", source) if word not in text]
    places = list(re.finditer(r"\b[a-z]{5,}\b", text))
    if not words or not places:
        return None
    match = rng.choice(places)
    return text[: match.start()] + rng.choice(words) + text[match.end() :]


def _cyrillic(text: str, _: str, rng: random.Random) -> str | None:
    words = list(re.finditer(r"\b[a-z]{4,}\b", text))
    if not words:
        return None
    match = rng.choice(words)
    return text[: match.start()] + rng.choice(["слово", "например", "однако"]) + text[match.end() :]


def _spanish(text: str, _: str, rng: random.Random) -> str | None:
    lines = (
        "El tren de la mañana llegó con dos horas de retraso a la estación.",
        "No sabemos todavía quién ha dejado la carta sobre la mesa de la cocina.",
        "Los vecinos se quejaron del ruido, pero nadie quiso hablar con el alcalde.",
    )
    return rng.choice(lines) if len(text) > 40 else None


def _sign(pairs: tuple[tuple[str, str], ...]) -> Fault:
    def broken(text: str, _: str, rng: random.Random) -> str | None:
        first, last = rng.choice(pairs)
        words = text.split()
        if len(words) < 5 or any(sign in text for sign in (first, last)):
            return None
        words[2] = first + words[2] if rng.random() < 0.5 else words[2] + last
        return " ".join(words)

    return broken


def _swapped(added: str, broken: str) -> Fault:
    """Replaces what was put at the end of all texts."""

    def lost(text: str, _: str, __: random.Random) -> str | None:
        return text.replace(added, broken)

    return lost


FAULTS: dict[str, tuple[Fault, str]] = {
    "empty": (lambda _, __, ___: "", ""),
    "repetition": (_loop, ""),
    "untranslated": (lambda _, source, __: source if len(source.split()) > 4 else None, ""),
    "wrong-script": (_cyrillic, ""),
    "wrong-language": (_spanish, ""),
    "truncated": (_half, ""),
    "placeholder": (_swapped("{name}", "{nombre}"), " {name}"),
    "tag": (_swapped("</b>", "<b>"), " <b>x</b>"),
    "source-words": (_source_word, ""),
    "number": (_number, ""),
    "url": (_swapped("karat.example/a", "karat.example/b"), " https://karat.example/a?x=1"),
    "email": (_swapped("info@", "inf0@"), " info@karat.example"),
    "term": (_swapped("Kessel", "Pfanne"), " Kessel"),
    "name": (_name, ""),
    "length": (lambda text, _, __: f"{text} {text} And so it went on." if len(text) > 30 else None, ""),
    "below-others": (lambda text, _, __: "".join(reversed(text)) if len(text) > 40 else None, ""),
    "bracket": (_sign((("(", ")"), ("[", "]"))), ""),
    "quote": (_sign((('"', '"'), ("“", "”"), ("«", "»"))), ""),
}
"""How each fault is made, and what all texts get first so that there is something to break."""


def planted(
    code: str, system: str = "neural", seed: int = 1, whole: Corpus | None = None, count: int = PLANTED
) -> tuple[Corpus, set[int]]:
    """The sample, or another corpus, with faults of one kind in a system, and the segments that have them, from 1."""
    fault, added = FAULTS[code]
    corpus, rng = sample() if whole is None else whole, random.Random(seed)
    assert corpus.source is not None
    texts = [f"{text}{added}" for text in corpus.systems[system].to_list()]
    sources = corpus.source.to_list()
    broken: set[int] = set()
    for segment in rng.sample(range(len(texts)), len(texts)):
        changed = fault(texts[segment], sources[segment], rng)
        if changed is not None and changed != texts[segment] and len(broken) < count:
            texts[segment] = changed
            broken.add(segment + 1)
    # Next to a system as poor as a dictionary, hardly anything is far below all others.
    kept = [name for name in corpus.systems if code != "below-others" or name != "glossary"]
    others = {name: [f"{text}{added}" for text in corpus.systems[name]] for name in kept}
    changed_corpus = Corpus.of(
        systems={**others, system: texts},
        references={
            name: [f"{text}{added}" for text in column.to_list()] for name, column in corpus.references.items()
        },
        source=[f"{text}{added}" for text in sources],
        language_pair=corpus.language_pair,
    )
    return changed_corpus, broken
