"""Tables of any length, some rows at a time: Parquet, JSONL, TSV, one file or many that are one test set."""
