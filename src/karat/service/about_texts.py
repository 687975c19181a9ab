"""What is said about texts by what was counted in them and by which metrics they are scored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from karat.corpus import Diagnostic

if TYPE_CHECKING:
    from karat.corpus import DiagnosticCounter, Targeted
    from karat.metrics.base import Metric


def about_texts(counter: DiagnosticCounter, metrics: Sequence[Metric]) -> list[Diagnostic]:
    """The warnings that matter to these metrics."""
    return [said for said in counter.warnings() if said.code != "tokenized" or not _expect_tokens(metrics)]


def without_post_edits(metrics: Sequence[Metric], targeted: Targeted) -> Iterator[Diagnostic]:
    """Warnings of what asks for post-edits where no text is known as one."""
    if names := [metric.name for metric in metrics if "post-edits" in metric.wants]:
        subject = f"{', '.join(names)}: no text here is a post-edit (post_edit:NAME)"
        message = f"{subject}, so the references are taken for one; if they are not, this is TER"
        yield Diagnostic("no-post-edits", message)
    elif targeted != "never":
        message = f"--post-edits {targeted}: there are no post-edits (post_edit:NAME), so only the references count"
        yield Diagnostic("no-post-edits", message)


def _expect_tokens(metrics: Sequence[Metric]) -> bool:
    """Whether specs say that texts are tokenised already, and no metric would tokenise them again."""
    tokenizers = [getattr(metric, "tokenize", "none") for metric in metrics]
    return set(tokenizers) == {"none"} and any("tokenize" in metric.given for metric in metrics)
