"""Random metric specs: each builds a metric that scores two segments, or is refused in one line.

Run as ``python -m tests.fuzzing.specs --count 20000 --seed 1``; the exit status is 1 if any spec broke the rule.
"""

from __future__ import annotations

import argparse
import dataclasses
import faulthandler
import math
import random
import signal
import sys
import warnings
from collections.abc import Iterator
from typing import Any

from karat.errors import KaratError
from karat.metrics.base import Metric
from karat.metrics.framework.values import Kind, kinds
from karat.registry import aliases, metric, metric_classes

HYPOTHESES = ("The cat sat on the mat .", "Zwei Hunde – 2.5 € !")
REFERENCES = (("The cat is on the mat .", "A cat sat there ."), ("Zwei Katzen kosten 2.5 € .", ""))
SECONDS = 60
"""How long a single spec may take; only one that hangs takes as long on a busy machine."""

_NUMBERS = "nan inf -inf 1e308 -1e308 1e-320 5e-324 0 -0.0 -1 1 2 0.5 1e9 100000000 2147483647 2147483648 -2147483649"
_MORE_NUMBERS = "4294967296 9223372036854775808 0x10 ٣ １２ 1_000 1e +5"
_TEXTS = "true false none None é 你好 \u202eabc spm:/nowhere spm spm: 13a zh char ../../etc/passwd / . - a=b = \\ {} %s"
_LISTS = "[] [1] [1,2,3,4] [nan,1,1,1] [[1],[2]] '' \"\" ('1')"
WILD = (
    *(word for words in (_NUMBERS, _MORE_NUMBERS, _TEXTS, _LISTS) for word in words.split(" ")),
    *("9" * 30, "1" * 5000, "[" * 200, "]" * 9, "'\n'", "'\x00'", "a b"),
    *(f"'{'x' * 2000}'", "x" * 400, "a/" * 300),
)


def random_specs(count: int, seed: int) -> Iterator[str]:
    """Specs of all metrics in turn, with a few parameters each."""
    chance = random.Random(seed)
    names = [*metric_classes(), *aliases()]
    for number in range(count):
        name = names[number % len(names)]
        cls = metric_classes()[name] if name in metric_classes() else aliases()[name][0]
        yield _random_spec(chance, name, cls)


def _random_spec(chance: random.Random, name: str, cls: type[Metric]) -> str:
    fields = {field.name: field for field in dataclasses.fields(cls)}
    chosen = chance.sample(sorted(fields), k=min(len(fields), chance.choice((0, 1, 1, 2, 3, 6))))
    arguments = [f"{one}={_random_value(chance, fields[one], kinds(cls)[one])}" for one in chosen]
    spec = f"{name}({','.join(arguments)})"
    return spec if chance.random() < 0.97 else _damaged(chance, spec)


def _random_value(chance: random.Random, field: dataclasses.Field[Any], kind: Kind) -> str:
    if chance.random() < 0.35:
        return chance.choice(WILD)
    if field.metadata["choices"]:
        return str(chance.choice(field.metadata["choices"]))
    if kind.is_list:
        return "[" + ",".join(_random_number(chance, kind) for _ in range(chance.choice((1, 3, 4, 4, 4)))) + "]"
    if kind.type in (int, float):
        return _random_number(chance, kind)
    return chance.choice(
        ("true", "false") if kind.type is bool else ("13a", "char", "none", "intl", "de", "en", "auto")
    )


def _random_number(chance: random.Random, kind: Kind) -> str:
    low, high = kind.within or (-10, 10)
    if kind.type is int:
        return str(chance.choice((int(low), int(low) + 1, int(high), chance.randint(int(low), int(high)))))
    return repr(chance.choice((float(low), float(high), chance.uniform(low, high), chance.uniform(low, min(high, 3)))))


def _damaged(chance: random.Random, spec: str) -> str:
    place = chance.randrange(len(spec) + 1)
    return spec[:place] + chance.choice(("", "(", ")", ",", "=", "\n", "[", "'", "\\", "\x00", "ß")) + spec[place + 1 :]


def broken_rule(spec: str) -> str | None:
    """What a spec did that none may do; None if it is scored or refused as it should be."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.filterwarnings("ignore", message="the tokenizer spm is flores101")
            rows = metric(spec).prepare(REFERENCES).rows(HYPOTHESES)
            scores = [rows.score, *rows.unit_scores()]
    except KaratError as error:
        message = str(error)
        return f"refused in several lines: {message!r}" if "\n" in message or len(message) > 1000 else None
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return None if all(math.isfinite(score) for score in scores) else f"scores {scores}"


def _refuse_to_wait(number: int, frame: object) -> None:  # noqa: ARG001
    raise TimeoutError(f"no answer within {SECONDS} seconds")


def failures(count: int, seed: int) -> list[tuple[str, str]]:
    """The specs that broke the rule, and how."""
    found = []
    before = signal.signal(signal.SIGALRM, _refuse_to_wait)
    try:
        for spec in random_specs(count, seed):
            signal.alarm(SECONDS)
            if problem := broken_rule(spec):
                found.append((spec, problem))
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    return found


def main() -> int:
    """Try as many specs as asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faulthandler.enable()
    found = failures(options.count, options.seed)
    for spec, problem in found:
        print(f"{spec[:300]!r}: {problem[:300]}")
    print(f"{options.count} specs from seed {options.seed}: {len(found)} neither scored nor refused in one line")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
