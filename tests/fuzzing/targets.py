"""Everything that reads a file, and good files for each."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.contract.test_rating_formats import FILES, fitting, groups
from tests.contract.test_readers import ROWS, SAMPLES
from tests.unit.corpus.ratings.test_formats import SAMPLES as RATING_SAMPLES

from karat.corpus.files import InputFile
from karat.corpus.labels import read_labels
from karat.corpus.manifest import read_manifest
from karat.corpus.ratings import formats, read_ratings, write_ratings
from karat.corpus.ratings.formats.base import RatingsFormat
from karat.corpus.readers import reader_for
from karat.service.given_scores import read_given_scores


@dataclass(frozen=True)
class Target:
    """What reads a file of some name, and good contents for it."""

    file_name: str
    read: Callable[[str], object]
    seeds: tuple[bytes, ...]
    cost: int = 1
    """How many times as long reading takes as elsewhere, so that so many fewer files are read."""


def targets() -> dict[str, Target]:
    """Every target by name."""
    return dict((*_readers(), *_compressions(), *_ratings(), *_scores(), *_others()))


def _corpus(path: str) -> object:
    file = InputFile(path)
    return reader_for(file).read(file).corpus()


def _readers() -> Iterator[tuple[str, Target]]:
    for name, sample in SAMPLES.items():
        seeds = [sample.make(ROWS), sample.make(ROWS * 3), *MORE_SEEDS.get(name, ())]
        yield f"reader {name}", Target(f"file{sample.suffix}", _corpus, tuple(seeds), COSTS.get(name, 1))


COSTS = {"parquet": 20}
"""A process of its own decodes each file."""
MORE_SEEDS = {
    "jsonl": [
        b'{"segment": "1", "document": "d", "references": {"A": "x", "B": null}, "systems": {"s": "y"}, "lp": "a-b"}\n',
        b'{"segment": 1, "system": "a", "hyp": "x", "ref": "y"}\n{"segment": 1, "system": "b", "hyp": "z"}\n',
    ],
    "csv": [b"id;source;reference;hypothesis\n1;a;b;c\n2;\"d;e\";f;g\n", b"segment,system,mt,ref\n1,a,x,y\n1,b,z,y\n"],
    "xliff": [
        b'<xliff version="2.0" xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="en" trgLang="de"><file id="f">'
        b'<unit id="u"><segment><source>a <cp hex="001B"/><ph id="1"/></source><target>b</target></segment></unit>'
        b"</file></xliff>",
        b'<xliff version="1.2"><file original="d" source-language="en" target-language="de"><body><trans-unit id="1">'
        b'<source>a</source><target>b</target><alt-trans origin="mt"><target>c</target></alt-trans></trans-unit>'
        b"</body></file></xliff>",
    ],
}  # fmt: skip


def _compressions() -> Iterator[tuple[str, Target]]:
    import zstandard

    text = "".join(f"line {number}\n" for number in range(200)).encode()
    ways = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress, ".zst": zstandard.compress}
    for suffix, compress in ways.items():
        yield f"compressed {suffix}", Target(f"file.txt{suffix}", _corpus, (compress(text), compress(b"a\n") * 2))


def _ratings() -> Iterator[tuple[str, Target]]:
    for name, one in formats().items():
        if one.directory:
            continue
        sample = RATING_SAMPLES.get(name)
        seeds = (*_written(name, one()), *([sample.text.encode()] if sample else []))
        file_name = sample.file if sample else f"x{one.suffixes[0]}"
        yield f"ratings {name}", Target(file_name, _reads_ratings(name), seeds, COSTS.get(name, 1))
    for suffix in (".csv", ".tsv"):
        looks = tuple(one.text.encode() for one in RATING_SAMPLES.values() if one.file.endswith(suffix))
        yield f"ratings told by their looks ({suffix})", Target(f"x{suffix}", read_ratings, looks)


def _reads_ratings(name: str) -> Callable[[str], object]:
    return lambda path: read_ratings(path, format=name)


def _written(name: str, one: RatingsFormat) -> Iterator[bytes]:
    if not one.writes():
        return
    with TemporaryDirectory() as directory:
        for ratings in groups():
            kept = fitting(ratings, one)
            if len(kept):
                path = Path(directory) / FILES.get(name, "x")
                write_ratings(kept, path, name)
                yield path.read_bytes()


def _scores() -> Iterator[tuple[str, Target]]:
    for name, (file_name, *texts) in SCORE_FILES.items():
        yield f"scores {name}", Target(file_name, read_given_scores, tuple(text.encode() for text in texts))


SCORE_FILES = {
    "mtme": ("chrF.seg.score", "a\t1\na\t2\nb\t0.5\nb\tNone\n"),
    "submission": ("x.seg.score", "m\ten-de\tnews\trefA\ta\td\t1\t0.5\nm\ten-de\tnews\trefA\ta\td\t2\t0.25\n"),
    "headed": ("mqm.tsv", "system mqm_avg_score seg_id\na\t-5 1\nb\t-1 1\n"),
    "long": ("m.tsv", "system\tsegment\tscore\na\t1\t3\nb\t1\t4\n"),
    "wide": ("m.csv", "segment,sysA,sysB\n1,3,4\n2,,1\n", "segment;score\n1;0,5\n"),
    "jsonl": ("m.jsonl", '{"system": "a", "segment": "1", "score": 2, "metric": "x"}\n'),
    "json": ("m.json", json.dumps({"a.txt": [{"src": "s", "mt": "m", "ref": "r", "COMET": 0.5}] * 2})),
    "numbers": ("ours.comet", "0.5\n0.25\n-1e-3\n"),
}


def _others() -> Iterator[tuple[str, Target]]:
    manifest = b'[[testset]]\nname = "news"\nreferences = ["a.de"]\nsystems = { x = "b.de", y = "c\\u0000" }\n'
    yield "manifest", Target("sets.toml", _loads_manifest, (manifest, b'[[testset]]\nname = "n"\ncorpus = "x.jsonl"\n'))
    yield "labels", Target("d.docs", lambda path: read_labels(InputFile(path)), (b"news\td1\nnews\td2\n", b"d1\nd2\n"))


def _loads_manifest(path: str) -> object:
    return [entry.load() for entry in read_manifest(path)]
