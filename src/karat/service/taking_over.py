"""Campaigns out of the files of other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from karat.campaigns.pearmut import PearmutCampaign, read_pearmut
from karat.corpus import Diagnostic, split_language_pair
from karat.corpus.files import InputFile
from karat.quick_dataclasses import dataclass
from karat.service.campaigns import Taken

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True)
class TakenOver:
    """What another tool's campaign says of a new one, field by field of its request, and what was left."""

    fields: Mapping[str, Any]
    notes: tuple[Diagnostic, ...]


def taken_over(file: str, language_pair: str | None) -> TakenOver:
    """What a campaign of Pearmut says: its texts, how people are asked, and how many they are."""
    campaign = read_pearmut(InputFile.of(file))
    languages = (None, None) if language_pair is None else split_language_pair(language_pair)
    fields = {
        "texts": Taken(material=campaign.material, languages=languages),
        "protocol": campaign.protocol,
        "unit": campaign.unit,
        "raters": campaign.raters,
        "judgements": campaign.judgements,
        "scales": campaign.scales,
        "guidelines": campaign.guidelines,
    }
    known = {name: value for name, value in fields.items() if value not in (None, ())}
    return TakenOver(fields=known, notes=tuple(_notes(file, campaign)))


def _notes(file: str, campaign: PearmutCampaign) -> list[Diagnostic]:
    notes = [Diagnostic("divided", f"{file}: who judges what is drawn anew, as many translations for each rater")]
    if campaign.left:
        notes.append(Diagnostic("left", f"{file}: not taken over: {', '.join(campaign.left)}"))
    return notes
