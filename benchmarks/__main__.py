"""`python -m benchmarks [NAME...]`: all benchmarks, or those named."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

from benchmarks import (
    analyses,
    commands,
    decoding,
    edits,
    history,
    interrupts,
    lexical,
    matching,
    meta,
    meteor,
    page,
    significance,
    styles,
    tokenizers,
    weights,
)
from benchmarks.harness import chosen

ALL = {
    "start-up": commands.start_up,
    "compare": commands.compare,
    "human": commands.human,
    "analyses": analyses.analyses,
    "bleu": lexical.bleu,
    "chrf": lexical.chrf,
    "ter": lexical.ter,
    "mbr": decoding.mbr,
    "pairwise": decoding.pairwise,
    "edits": edits.edits,
    "matching": matching.matching,
    "meteor": meteor.meteor,
    "nist": weights.nist,
    "styles": styles.styles,
    "tokenizers": tokenizers.tokenizers,
    "meta": meta.meta,
    "page": page.page,
    "interrupts": interrupts.interrupts,
    "significance": significance.significance,
    "all-pairs": significance.all_pairs,
}


def main() -> None:
    """Run the benchmarks that were asked for, add what they measured to the history, and tell what was lost."""
    failures = list(_failures(chosen(sys.argv[1:], ALL)))
    run, earlier = history.this_run(), history.runs()
    history.append(run)
    for loss in history.losses(run, earlier):
        print(f"\nslower than before: {loss}")
    sys.exit("\n".join(failures) or 0)


def _failures(benchmarks: list[Callable[[], None]]) -> Iterator[str]:
    """Run them all; one that cannot run, for want of data or of a tool, keeps no other from running."""
    for benchmark in benchmarks:
        try:
            benchmark()
        except SystemExit as failure:
            yield f"{benchmark.__name__}: {failure}"


if __name__ == "__main__":
    main()
