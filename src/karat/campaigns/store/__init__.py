"""Where judgements are kept: append-only, in SQLite or PostgreSQL, acknowledged only when they are on the disk.

This package loads SQLAlchemy, so others import it where they need it.
"""

from karat.campaigns.store.copies import put_back
from karat.campaigns.store.engine import StoreError, database
from karat.campaigns.store.records import (
    ConflictError,
    Feedback,
    GoneError,
    Offer,
    OwnProgress,
    Stored,
    StoredJudgement,
    Tutorial,
)
from karat.campaigns.store.store import Store

__all__ = [
    "ConflictError",
    "Feedback",
    "GoneError",
    "Offer",
    "OwnProgress",
    "Store",
    "StoreError",
    "Stored",
    "StoredJudgement",
    "Tutorial",
    "database",
    "put_back",
]
