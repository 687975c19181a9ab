"""Random draws over units, the same for every system and every metric.

Draws come in blocks. A block depends on the seed, the kind of draw, the number of units and its own position, and on
nothing else: not on threads, not on memory, not on how many blocks follow. The first thousand of ten thousand draws are
the thousand draws.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from karat.errors import InputError, SpecError, did_you_mean
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

ResampleKind = Literal["full", "half", "swap"]
"""What is drawn: resamples with replacement, exact halves without, or which units change places."""

DEFAULT_SEED = 12345
BLOCK_CELLS = 2**21
CACHED_CELLS = 2**16
"""How many weights are counted at a time, so that they stay in the processor's cache."""
SHORTEST_BLOCK, LONGEST_BLOCK = 4, 2048
# The lengths of blocks and the numbers of streams belong to the meaning of a seed: changing them changes results.
STREAMS: dict[str, int] = {"full": 0, "half": 1, "swap": 2, "runs": 3}


def block_length(units: int) -> int:
    """How many draws one block holds: its table of weights stays below 16 megabytes up to 500,000 units."""
    return max(SHORTEST_BLOCK, min(LONGEST_BLOCK, BLOCK_CELLS // units))


def generator(seed: int, stream: str, block: int) -> np.random.Generator:
    """The source of random numbers of one block."""
    if seed < 0:
        raise InputError(f"the seed is {seed}; give a whole number that is not negative (0 is one)")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(STREAMS[stream], block))))


@dataclass(frozen=True)
class Draws:
    """`n` draws over `units` units; a block of them is a table of weights, one row per draw.

    >>> Draws("full", 1000, 5, seed=0).block(0)[0]
    array([1., 0., 1., 0., 3.])
    >>> Draws("half", 1000, 5, seed=0).block(0).sum(axis=1)[:3]
    array([2., 2., 2.])

    `strata` are the sizes of parts that the units are of, one after the other: resamples are drawn within each.

    >>> Draws("full", 1000, 5, seed=0, strata=(3, 2)).block(0)[:, 3:].sum(axis=1)[:3]
    array([2., 2., 2.])
    """

    kind: ResampleKind
    n: int
    units: int
    seed: int = DEFAULT_SEED
    strata: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in ("full", "half", "swap"):
            near = did_you_mean(self.kind, ("full", "half"))
            raise SpecError(f"there is no way to resample called {self.kind!r}.{near}")
        if self.n < 1:
            raise InputError(f"{self.n} resamples were asked for: it takes at least 1, better 1000")

    def __len__(self) -> int:
        """The number of blocks."""
        return -(-self.n // block_length(self.units))

    def span(self, block: int) -> slice:
        """Which of the draws a block holds."""
        length = block_length(self.units)
        return slice(block * length, min(self.n, (block + 1) * length))

    def block(self, block: int) -> NDArray[np.float64]:
        """The weights of the units, draws by units: how often each is drawn, or 1 where it is swapped."""
        span = self.span(block)
        rng = generator(self.seed, self.kind, block)
        weigh = {"full": _counts, "half": _halves, "swap": _swaps}[self.kind]
        parts = (self.units,) if len(self.strata) < 2 or self.kind == "swap" else self.strata
        weights = [weigh(rng, span.stop - span.start, units) for units in parts]
        return weights[0] if len(weights) == 1 else np.hstack(weights)


def _counts(rng: np.random.Generator, draws: int, units: int) -> NDArray[np.float64]:
    weights = np.empty((draws, units))
    step = max(1, CACHED_CELLS // units)
    starts = np.arange(min(step, draws))[:, np.newaxis] * units
    for first in range(0, draws, step):
        counted = weights[first : first + step]
        drawn = rng.integers(units, size=counted.shape)
        drawn += starts[: len(counted)]
        counted[...] = np.bincount(drawn.ravel(), minlength=counted.size).reshape(counted.shape)
    return weights


def _halves(rng: np.random.Generator, draws: int, units: int) -> NDArray[np.float64]:
    half = max(1, units // 2)
    chosen = np.argpartition(rng.random((draws, units)), half, axis=1)[:, :half]
    weights = np.zeros((draws, units))
    np.put_along_axis(weights, chosen, 1.0, axis=1)
    return weights


def _swaps(rng: np.random.Generator, draws: int, units: int) -> NDArray[np.float64]:
    packed = rng.integers(256, size=(draws, -(-units // 8)), dtype=np.uint8)
    return np.unpackbits(packed, axis=1, count=units).astype(np.float64)


@dataclass(frozen=True)
class AllFlips:
    """Every way in which units can change places, each once; the first is the one observed.

    >>> AllFlips(2).block(0)
    array([[0., 0.],
           [1., 0.],
           [0., 1.],
           [1., 1.]])
    """

    units: int

    @property
    def n(self) -> int:
        """The number of ways."""
        return int(2**self.units)

    def __len__(self) -> int:
        """The number of blocks."""
        return -(-self.n // block_length(self.units))

    def block(self, block: int) -> NDArray[np.float64]:
        """Which units are swapped, ways by units."""
        length = block_length(self.units)
        ways = np.arange(block * length, min(self.n, (block + 1) * length))
        return ((ways[:, np.newaxis] >> np.arange(self.units)) & 1).astype(np.float64)


def flips(n: int, units: int, seed: int) -> Draws | AllFlips:
    """`n` random ways to change places, or every way where there are no more than `n`."""
    return AllFlips(units) if units < n.bit_length() else Draws("swap", n, units, seed)
