"""HyTER as its definition puts it: every string of the network, every order of the hypothesis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.oracles.edit_distance import levenshtein, per

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


def best(
    hypothesis: Sequence[str], networks: list[Network], window: int = 1, choice: str = "error-rate"
) -> tuple[int, int]:
    """Edits and length of the string of the networks with the lowest rate or the fewest edits, the longest of those."""
    found = {
        (levenshtein(order, string), len(string))
        for network in networks
        for string in strings(network)
        for order in orders(hypothesis, window)
    }
    return min(found, key=lambda one: (one[0] if choice == "fewest-edits" else per(*one), -one[1]))
