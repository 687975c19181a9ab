"""HyTER as its definition puts it: every string of the network, every order of the hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.oracles.edit_distance import levenshtein

Network = list["str | list[Network]"]
"""Words, and groups of alternatives that are networks themselves."""


def written(network: Network) -> str:
    """The network as karat reads it."""
    parts = [part if isinstance(part, str) else f"[{'|'.join(map(written, part))}]" for part in network]
    return " ".join(parts)


def strings(network: Network) -> Iterator[list[str]]:
    """All strings of a network."""
    if not network:
        yield []
        return
    first = network[0]
    for rest in strings(network[1:]):
        if isinstance(first, str):
            yield [first, *rest]
        else:
            yield from ([*head, *rest] for alternative in first for head in strings(alternative))


def orders(words: Sequence[str], window: int) -> Iterator[list[str]]:
    """All orders in which each word is one of the first `window` that are left, from the first that is left."""

    def read(left: list[int]) -> Iterator[list[str]]:
        if not left:
            yield []
        for position in left:
            if position < left[0] + window:
                for rest in read([other for other in left if other != position]):
                    yield [words[position], *rest]

    yield from read(list(range(len(words))))


def closest(hypothesis: Sequence[str], networks: list[Network], window: int = 1) -> tuple[int, int]:
    """The fewest edits to a string of the networks, and the length of the longest that has as few."""
    pairs = (
        (levenshtein(order, string), -len(string))
        for network in networks
        for string in strings(network)
        for order in orders(hypothesis, window)
    )
    edits, length = min(pairs)
    return edits, -length
