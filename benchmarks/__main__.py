"""`python -m benchmarks [NAME...]`: all benchmarks, or those named."""

from __future__ import annotations

import sys

from benchmarks import lexical, matching, tokenizers
from benchmarks.harness import chosen

ALL = {
    "bleu": lexical.bleu,
    "chrf": lexical.chrf,
    "ter": lexical.ter,
    "matching": matching.matching,
    "tokenizers": tokenizers.tokenizers,
}


def main() -> None:
    """Run the benchmarks that were asked for."""
    for run in chosen(sys.argv[1:], ALL):
        run()


if __name__ == "__main__":
    main()
