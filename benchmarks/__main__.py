"""`python -m benchmarks [NAME...]`: all benchmarks, or those named."""

from __future__ import annotations

import sys

from benchmarks import edits, lexical, matching, meta, meteor, significance, styles, tokenizers, weights
from benchmarks.harness import chosen

ALL = {
    "bleu": lexical.bleu,
    "chrf": lexical.chrf,
    "ter": lexical.ter,
    "edits": edits.edits,
    "matching": matching.matching,
    "meteor": meteor.meteor,
    "nist": weights.nist,
    "styles": styles.styles,
    "tokenizers": tokenizers.tokenizers,
    "meta": meta.meta,
    "significance": significance.significance,
    "all-pairs": significance.all_pairs,
}


def main() -> None:
    """Run the benchmarks that were asked for."""
    for run in chosen(sys.argv[1:], ALL):
        run()


if __name__ == "__main__":
    main()
