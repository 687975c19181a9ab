"""The result of an audit of BLEU."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from karat.analysis.audit.uses import SIGNALS, USES
from karat.report.audit import audit_tables
from karat.results.base import DIGITS, Result

if TYPE_CHECKING:
    from karat.analysis.audit.model import Audit
    from karat.report.page.parts import Section
    from karat.report.table import Table


@dataclass(frozen=True, kw_only=True, repr=False)
class AuditResult(Result):
    """Facts about the test set, signals about pairs of systems, and how freely outputs could be changed."""

    records_of: ClassVar[str] = "freedom"
    page_title: ClassVar[str] = "What BLEU cannot see"

    audit: Audit

    def body(self) -> dict[str, Any]:
        """The facts, the signals with what they mean, then the freedom of every segment, examples, and people."""
        audit = self.audit
        return {
            "measure": audit.measure,
            "signature": audit.signature,
            "systems": list(audit.systems),
            "facts": asdict(audit.facts),
            "pairs": [asdict(pair) for pair in audit.pairs],
            "signals": [asdict(signal) for signal in audit.signals],
            "signal_kinds": [asdict(kind) for kind in SIGNALS],
            "uses": {"appropriate": list(USES.appropriate), "inappropriate": list(USES.inappropriate)},
            "summary": [asdict(summary) for summary in audit.summaries],
            "freedom": [dict(vars(freedom)) for freedom in audit.freedoms],
            "examples": [asdict(example) for example in audit.examples],
            "people": [asdict(fit) for fit in audit.fits],
        }

    def signatures(self) -> tuple[str, ...]:
        """That of BLEU, of which all is said."""
        return (self.audit.signature,)

    def tables(self, digits: int = DIGITS) -> tuple[Table, ...]:
        """Facts, signals that fire, the freedom of each system, examples, and the fit to people."""
        return audit_tables(self.audit, digits)

    def sections(self, digits: int = DIGITS) -> tuple[Section, ...]:
        """The tables, with a chart of the orderings of the freest system and of the strictest."""
        from karat.report.page.audited import orderings_pictures

        return tuple(
            replace(section, pictures=orderings_pictures(self.audit, section.key))
            for section in super().sections(digits)
        )
