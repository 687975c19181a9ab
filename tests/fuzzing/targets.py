"""Everything that reads a file, and good files for each."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.contract.commands import run
from tests.contract.test_rating_formats import FILES, fitting, groups
from tests.contract.test_readers import ROWS, SAMPLES
from tests.fuzzing.decoding import Decoder
from tests.fuzzing.mutations import mutated
from tests.fuzzing.structures import Files, Tree, as_toml, damaged_document, damaged_tree
from tests.unit.corpus.ratings.test_formats import SAMPLES as RATING_SAMPLES

from karat.corpus.files import InputFile
from karat.corpus.given_scores import language_pairs, read_mtme_directory
from karat.corpus.labels import read_labels
from karat.corpus.manifest import read_manifest
from karat.corpus.ratings import formats, read_ratings, write_ratings
from karat.corpus.ratings.formats.base import RatingsFormat
from karat.corpus.readers import reader_for
from karat.errors import InputError
from karat.resources import function_words, paraphrases
from karat.resources.mythes import MyThes
from karat.service.given_scores import read_given_scores
from karat.service.word_tags import WordTagsRequest, judge_tags


@dataclass(frozen=True)
class Target:
    """What reads a file of some name, and good contents for it."""

    file_name: str
    read: Callable[[str], object]
    seeds: tuple[bytes, ...]
    cost: int = 1
    """How many times as long reading takes as elsewhere, so that so many fewer files are read."""
    tree: Tree = field(default_factory=dict)
    """The files of a directory, which are damaged in place of the seeds."""
    damage: Callable[[random.Random, Tree], Files] = damaged_tree


def targets() -> dict[str, Target]:
    """Every target by name."""
    return dict((*_readers(), *_compressions(), *_ratings(), *_scores(), *_directories(), *_others()))


def _corpus(path: str) -> object:
    file = InputFile(path)
    return reader_for(file).read(file).corpus()


def _readers() -> Iterator[tuple[str, Target]]:
    for name, sample in SAMPLES.items():
        seeds = [sample.make(ROWS), sample.make(ROWS * 3), *MORE_SEEDS.get(name, ())]
        yield f"reader {name}", Target(f"file{sample.suffix}", _corpus, tuple(seeds), COSTS.get(name, 1))
        if name == "parquet":
            yield f"reader {name} decoded in bulk", Target(f"file{sample.suffix}", _in_bulk(_corpus), tuple(seeds))


def _in_bulk(read: Callable[[str], object]) -> Callable[[str], object]:
    decoder = Decoder()
    return lambda path: decoder.reading(path, read)


COSTS = {"parquet": 20}
"""A process of its own decodes each file; `decoded in bulk` has as many as the others."""
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
        if name == "parquet":
            yield f"ratings {name} decoded in bulk", Target(file_name, _in_bulk(_reads_ratings(name)), seeds)
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


def _directories() -> Iterator[tuple[str, Target]]:
    yield "reader mtme", Target("wmt", _reads_testset, (), tree=MTME)
    yield "ratings mtme", Target("wmt", _reads_ratings("mtme"), (), tree=MTME)
    scores = {name: data for name, data in MTME.items() if name.partition("/")[0] in JUDGED}
    yield "scores of a directory", Target("wmt", _reads_scores, (), tree=scores | MORE_SCORES)
    yield "meta of a directory", Target("wmt", _studies, (), cost=40, tree=MTME | MORE_SCORES)
    yield "ratings mlqe-post-edits", Target("en-de-dev", _reads_ratings("mlqe-post-edits"), (), tree=POST_EDITS)


def _studies(path: str) -> object:
    """The whole command, as somebody calls it."""
    done = run("meta", path, "-l", "en-de", "-n", "20", "-q")
    if done.code == 2:
        raise InputError(done.err.strip())
    assert done.code == 0, done.err
    return done.out


def _reads_testset(path: str) -> object:
    file = InputFile(path)
    return reader_for(file).read(file, "en-de").corpus()


MTME = {
    "sources/en-de.txt": b"a b\nc d\ne f\n",
    "references/en-de.refA.txt": b"A B\nC D\nE F\n",
    "system-outputs/en-de/a.txt": b"A b\nC d\nE f\n",
    "system-outputs/en-de/b.txt": b"a b\nc d\ne f\n",
    "documents/en-de.docs": b"news\td1\nnews\td1\nchat\td2\n",
    "human-scores/en-de.mqm.seg.score": b"a\t-1\na\t-0.5\na\tNone\nb\t-5\nb\t-2\nb\t-25\n",
    "human-scores/en-de.mqm.sys.score": b"a\t-0.75\nb\t-10.5\n",
    "human-scores/en-de.mqm.doc.score": b"a\t-0.75\na\tNone\nb\t-3\nb\t-25\n",
    "human-scores/en-de.mqm.domain.score": b"news\ta\t-1\nchat\tb\t-2\n",
    "human-scores/en-de.mqm.merged.seg.rating": b'a\t{"errors": [{"start": 0, "end": 1, "category": "Style", '
    b'"severity": "Minor", "score": 1.0, "is_source_error": false}]}\tr1\na\tNone\na\t{"errors": []}\n',
    "metric-scores/en-de/chrF-refA.seg.score": b"a\t80\na\t70.5\na\t1e-3\nb\t5\nb\t2\nb\t0\n",
    "metric-scores/en-de/chrF-refA.sys.score": b"a\t50\nb\t2\n",
}
JUDGED = ("references", "documents", "human-scores", "metric-scores")
MORE_SCORES = {
    "human-scores/en-de.esa.seg.score": b"a\t80\na\t70\na\t100\nb\t0\nb\tNone\nb\t33.3\n",
    "human-scores/cs-de.mqm.sys.score": b"a\t-1\nb\t-2\n",
    "metric-scores/en-de/BLEU-src.seg.score": b"a\t1\na\t0\na\t0.5\nb\t5\nb\tNone\nb\t0\n",
    "metric-scores/en-de/BLEU-all.doc.score": b"d2\ta\t50\nd1\ta\t2\nd1\tb\t3\nd2\tb\tNone\n",
    "metric-scores/en-de/BLEU-refB.domain.score": b"news\ta\t50\nchat\ta\t2\nnews\tb\t3\nchat\tb\t4\n",
}
POST_EDITS = {
    "dev.src": b"a b\nc\n",
    "dev.mt": b"x y\nz\n",
    "dev.pe": b"x q\nz\n",
    "dev.hter": b"0.500000\n0.000000\n",
    "dev.tags": b"OK OK OK BAD OK\nOK OK OK\n",
    "dev.source_tags": b"OK BAD\nOK\n",
}


def _others() -> Iterator[tuple[str, Target]]:
    yield "manifest", Target("sets", _loads_manifest, (), tree=MANIFEST_FILES, damage=_damaged_manifest)
    yield "word tags", Target("p.tags", _judges_tags, (b"OK BAD OK\nOK\n", b"OK OK BAD\nBAD\n"))
    yield "paraphrases", Target("table.txt", _reads_paraphrases, (b"0.5\na house\nthe house\n0.25\nx\ny z\n",))
    yield (
        "thesaurus",
        Target("th_de_DE_v2.dat", lambda path: MyThes(Path(path)), (THESAURUS,)),
    )
    yield "function words", Target("words.txt", lambda path: function_words("en", path), (b"the\na\nof\n",))
    yield "labels", Target("d.docs", lambda path: read_labels(InputFile(path)), (b"news\td1\nnews\td2\n", b"d1\nd2\n"))


MANIFEST_FILES = {
    "src.en": b"a\nb\n",
    "ref.de": b"A\nB\n",
    "other.de": b"AA\nBB\n",
    "a.de": b"A\nb\n",
    "b.de": b"a\nB\n",
    "docs.tsv": b"news\td1\nnews\td2\n",
    "c.jsonl": b'{"ref": "a", "systems": {"x": "b"}}\n',
    "c.csv": b"source,reference,hypothesis\na,b,c\n",
}
MANIFEST = {
    "testset": [
        {
            "name": "news",
            "source_language": "en",
            "target_language": "de",
            "tokenizer": "13a",
            "source": "src.en",
            "references": ["ref.de", "other.de"],
            "documents": "docs.tsv",
            "systems": {"x": "a.de", "y": "b.de"},
        },
        {"name": "talks", "corpus": "c.jsonl", "format": "jsonl"},
        {"name": "table", "corpus": "c.csv"},
    ]
}
MANIFEST_WORDS = (
    *MANIFEST["testset"][0], "corpus", "format", "text", "tsv", "xliff", "sets.toml", "../sets/a.de", ".", "zh", "ja",
    *MANIFEST_FILES,
)  # fmt: skip
"""Keys, formats, languages and files that a value may be, though it should not."""


def _damaged_manifest(rng: random.Random, tree: Tree) -> Files:
    """The manifest's values, its bytes, the files that it names, or several of these; whatever is left stays good."""
    way = rng.random()
    files = damaged_tree(rng, tree) if way < 0.5 else dict(tree)
    written = as_toml(MANIFEST if way < 0.4 else damaged_document(rng, MANIFEST, MANIFEST_WORDS))
    return files | {"sets.toml": mutated(rng, [written]) if rng.random() < 0.15 else written}


def _loads_manifest(path: str) -> object:
    """Its test sets, each read to the end."""
    entries = read_manifest(Path(path) / "sets.toml")
    return [list(corpus.systems) for corpus in (entry.load() for entry in entries)]


def _reads_scores(path: str) -> object:
    """All language pairs, and one of them with judgements by name or against one reference where it is there."""
    pairs = [read_mtme_directory(path, pair) for pair in language_pairs(path)]
    wanted = [("esa", None)] * (Path(path) / "human-scores/en-de.esa.seg.score").exists()
    wanted += [(None, "refA")] * (Path(path) / "references/en-de.refA.txt").exists()
    return pairs, [read_mtme_directory(path, "en-de", *choice) for choice in wanted]


THESAURUS = b"UTF-8\nHaus|1\n(noun)|Heim|Bau\n"


def _judges_tags(path: str) -> object:
    return judge_tags(WordTagsRequest(gold=path, predicted=(("p", path),)))


def _reads_paraphrases(path: str) -> object:
    table = paraphrases(path)
    return [table.table(), *table.entries()]
