"""The modules of readers, by suffix too. Made by docs/generate.py: run `make format` after adding one."""

MODULES: tuple[str, ...] = (
    "base",
    "json_records",
    "mtme",
    "parquet",
    "sgm",
    "tables",
    "text",
    "tmx",
    "wmt_xml",
    "xliff",
)
SUFFIXES = {
    ".csv": "karat.corpus.readers.tables",
    ".json": "karat.corpus.readers.json_records",
    ".jsonl": "karat.corpus.readers.json_records",
    ".mxliff": "karat.corpus.readers.xliff",
    ".ndjson": "karat.corpus.readers.json_records",
    ".parquet": "karat.corpus.readers.parquet",
    ".pq": "karat.corpus.readers.parquet",
    ".sdlxliff": "karat.corpus.readers.xliff",
    ".sgm": "karat.corpus.readers.sgm",
    ".sgml": "karat.corpus.readers.sgm",
    ".tab": "karat.corpus.readers.tables",
    ".tmx": "karat.corpus.readers.tmx",
    ".tsv": "karat.corpus.readers.tables",
    ".txt": "karat.corpus.readers.text",
    ".xlf": "karat.corpus.readers.xliff",
    ".xliff": "karat.corpus.readers.xliff",
    ".xml": "karat.corpus.readers.wmt_xml",
}
