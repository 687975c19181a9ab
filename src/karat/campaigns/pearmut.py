"""Pearmut's campaign files: JSON with settings, and the texts of all documents by user or for all users.

Who judges what, Pearmut's file says or Pearmut draws; karat divides the work by its own rules, so that of such a file
it takes the texts, how people are asked, and how many they are. What it does not take, it names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from re import IGNORECASE, sub
from typing import TYPE_CHECKING, Any

from karat.campaigns.declared import is_text
from karat.campaigns.material import Material, Segment
from karat.corpus.jsontext import parse_json
from karat.errors import InputError
from karat.quick_dataclasses import dataclass

if TYPE_CHECKING:
    from karat.campaigns.plan import Unit
    from karat.corpus.files import InputFile

PROTOCOLS = {"da": "da", "esa": "esa", "cesa": "esa", "mqm": "mqm"}
"""How people are asked in Pearmut, and the same in karat."""

Item = Mapping[str, Any]
Document = Sequence[Item]
Scale = tuple[str, float, float]

_TAKEN = {"src", "ref", "tgt", "item_id"}
_TAKEN_SETTINGS = {"assignment", "protocol", "users", "sliders", "instructions", "seed", "shuffle"}
_BLOCKS = ("data_welcome", "data_random", "data_goodbye")


@dataclass(frozen=True, kw_only=True)
class PearmutCampaign:
    """What karat takes of a file; `left` are the names of what it does not."""

    name: str
    protocol: str
    material: Material
    unit: Unit
    raters: int | None
    judgements: int
    scales: tuple[Scale, ...] = ()
    guidelines: str | None = None
    left: tuple[str, ...] = ()


def read_pearmut(file: InputFile) -> PearmutCampaign:
    """The campaign in a file, of which everything that is there must make sense."""
    known = _known(file)
    info, users = known["info"], _users(file, known)
    documents = [document for tasks in users for document in tasks]
    ordinary = [document for document in documents if not any("validation" in item for item in document)]
    segments = _segments(file, ordinary)
    several = max(Counter(segment.document for segment in segments).values(), default=0) > 1
    scales = tuple(_scales(file, info))
    protocol = _protocol(file, info, scales)
    return PearmutCampaign(
        name=str(known.get("campaign_id") or ""),
        protocol=protocol,
        material=Material(segments=tuple(segments)),
        unit="document" if several else "segment",
        raters=_raters(info, users),
        judgements=_judgements(ordinary),
        scales=scales if protocol == "custom" else (),
        guidelines=_plain(info.get("instructions")),
        left=tuple(_left(known, documents, protocol, len(documents) - len(ordinary))),
    )


def _known(file: InputFile) -> dict[str, Any]:
    try:
        known = parse_json(file.text())
    except ValueError as error:
        raise InputError(f"{file.name} is not JSON: {error}") from error
    wanted = isinstance(known, dict) and isinstance(known.get("info"), dict) and isinstance(known.get("data"), list)
    if not wanted:
        raise InputError(f'{file.name} is no campaign of Pearmut: that is an object with "info" and "data"')
    return dict(known)


def _users(file: InputFile, known: Mapping[str, Any]) -> list[Sequence[Document]]:
    """The documents of each user, or all of them once, where they are for all users."""
    data = known["data"]
    users = data if known["info"].get("assignment") == "task-based" else [data]
    for number, documents in enumerate(users, 1):
        whole = isinstance(documents, list) and all(isinstance(document, list) for document in documents)
        if not whole or not all(isinstance(item, dict) for document in documents for item in document):
            raise InputError(f"{file.name}, task {number} of data: this is no list of documents, each a list of items")
    return list(users)


def _segments(file: InputFile, documents: Sequence[Document]) -> list[Segment]:
    """Each item once, with the outputs of all systems that it stands there with.

    Documents that share an item are one: a user may have had less of it than another.
    """
    segments: dict[str, Segment] = {}
    homes: set[str] = set()
    for position, document in enumerate(documents, 1):
        names = [str(item.get("item_id", f"{position}.{place}")) for place, item in enumerate(document, 1)]
        shared = (segments[name].document for name in names if name in segments)
        home = next(shared, None) or f"document-{len(homes) + 1}"
        homes.add(home)
        for name, item in zip(names, document, strict=True):
            segment = _segment(f"{file.name}, item {name!r}", name, home, item)
            segments[name] = segment if name not in segments else _joined(file, segments[name], segment)
    if not segments:
        raise InputError(f"{file.name} has no items to judge: those with validation are none of them")
    return list(segments.values())


def _segment(place: str, name: str, home: str, item: Item) -> Segment:
    outputs = item.get("tgt")
    if not isinstance(outputs, dict) or not outputs:
        raise InputError(f"{place}: tgt must be an object with a text by system")
    texts = {f"tgt of {system}": text for system, text in outputs.items()}
    texts |= {field: item[field] for field in ("src", "ref") if item.get(field) is not None}
    for field, text in texts.items():
        if not isinstance(text, str) or not is_text(text):
            raise InputError(f"{place}: {field} is no text")
    return Segment(name=name, document=home, source=item.get("src"), reference=item.get("ref"), outputs=dict(outputs))


def _joined(file: InputFile, known: Segment, other: Segment) -> Segment:
    """The same item with more systems."""
    texts = ("source", "reference", "document")
    changed = [what for what in texts if getattr(known, what) != getattr(other, what)]
    changed += [system for system, text in other.outputs.items() if known.outputs.get(system, text) != text]
    if changed:
        raise InputError(f"{file.name}: the item {known.name!r} is there twice, with another {changed[0]}")
    return Segment(
        name=known.name,
        document=known.document,
        source=known.source,
        reference=known.reference,
        outputs={**known.outputs, **other.outputs},
    )


def _protocol(file: InputFile, info: Mapping[str, Any], scales: Sequence[Scale]) -> str:
    """How people are asked: by the campaign's own scales alone, unless they mark errors, too."""
    said = PROTOCOLS.get(str(info.get("protocol")).lower())
    if scales and said in (None, "da"):
        return "custom"
    if said is None:
        raise InputError(
            f"{file.name}: the protocol is {info.get('protocol')!r}; karat knows Pearmut's DA, ESA, cESA and MQM"
        )
    return said


def _scales(file: InputFile, info: Mapping[str, Any]) -> Iterator[Scale]:
    for slider in info.get("sliders") or ():
        try:
            yield str(slider["name"]), float(slider["min"]), float(slider["max"])
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"{file.name}: a slider has a name, a min and a max, unlike {slider!r}") from error


def _raters(info: Mapping[str, Any], users: Sequence[Sequence[Document]]) -> int | None:
    """How many users there are, where the file tells."""
    if info.get("assignment") == "task-based":
        return len(users)
    said = info.get("users")
    if isinstance(said, list):
        return len(said) or None
    return said if isinstance(said, int) and not isinstance(said, bool) and said > 0 else None


def _judgements(documents: Sequence[Document]) -> int:
    """How many users get the same translation at most."""
    counts = Counter(
        (str(item["item_id"]), system)
        for document in documents
        for item in document
        if "item_id" in item and isinstance(item.get("tgt"), dict)
        for system in item["tgt"]
    )
    return max(counts.values(), default=1)


def _plain(instructions: object) -> str | None:
    """Instructions without markup."""
    if not isinstance(instructions, str):
        return None
    lines = sub(r"<\s*(br|/p|/li|/h\d)\b[^>]*>", "\n", instructions, flags=IGNORECASE)
    return unescape(sub(r"<[^>]*>", "", lines)).strip() or None


def _left(known: Mapping[str, Any], documents: Sequence[Document], protocol: str, checks: int) -> Iterator[str]:
    """What is in the file and not taken."""
    yield from (f"info.{name}" for name in sorted(known["info"].keys() - _TAKEN_SETTINGS))
    if known["info"].get("sliders") and protocol != "custom":
        yield "info.sliders"
    yield from (name for name in _BLOCKS if known.get(name))
    if checks:
        yield f"documents with validation ({checks})"
    fields = {name for document in documents for item in document for name in item}
    yield from (f"{name} of items" for name in sorted(fields - _TAKEN - {"validation", "skippable"}))
