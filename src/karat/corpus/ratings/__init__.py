"""What people said: judgements as one typed table, with the protocols they follow and the files they come in.

This package loads polars, so others import it where they need it.
"""

from karat.corpus.ratings.alignment import aligned, segment_names, taken_apart
from karat.corpus.ratings.duplicates import first_judgements, without_duplicates
from karat.corpus.ratings.formats.base import RatingsFormat, format_named, format_of, formats, register_format
from karat.corpus.ratings.model import BadRow, Ratings, Unjudged
from karat.corpus.ratings.pairs import comparisons
from karat.corpus.ratings.protocols import Protocol, Scale, protocol, protocol_names
from karat.corpus.ratings.reading import (
    describe_rating,
    ratings_bytes,
    read_ratings,
    refuse_unwritable,
    write_ratings,
)
from karat.corpus.ratings.schema import COLUMNS, CONTROLS, SCHEMA

__all__ = [
    "COLUMNS",
    "CONTROLS",
    "SCHEMA",
    "BadRow",
    "Protocol",
    "Ratings",
    "RatingsFormat",
    "Scale",
    "Unjudged",
    "aligned",
    "comparisons",
    "describe_rating",
    "first_judgements",
    "format_named",
    "format_of",
    "formats",
    "protocol",
    "protocol_names",
    "ratings_bytes",
    "read_ratings",
    "refuse_unwritable",
    "register_format",
    "segment_names",
    "taken_apart",
    "without_duplicates",
    "write_ratings",
]
