"""The tables of a campaign's database.

A judgement is never changed: going back and answering anew adds a version. What must hold is said to the database, so
that no program, however it fails, can store anything else.
"""

from __future__ import annotations

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

campaign = Table(
    "campaign",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="only_one"), primary_key=True),
    Column("plan", Text, nullable=False),
    Column("texts", LargeBinary, nullable=False),
    Column("texts_sha256", String(64), nullable=False),
    Column("begun_at", Double, nullable=False),
)
"""The plan and the texts as they were when the campaign began; from then on they count, not the files."""

rater = Table(
    "rater",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("name", String(200), unique=True),
    Column("link_hash", String(64), unique=True),
    Column("bilingual", Boolean),
    Column("seen_at", Double),
    Column("withdrawn_at", Double),
)
"""Who judges. A rater who withdrew keeps the number, and nothing else."""

session = Table(
    "session",
    metadata,
    Column("cookie_hash", String(64), primary_key=True),
    Column("rater", ForeignKey("rater.id"), nullable=False, index=True),
    Column("csrf", String(64), nullable=False),
    Column("begun_at", Double, nullable=False),
)

task = Table(
    "task",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("system", String(500), nullable=False),
    Column("document", String(500)),
    Column("control", String(30)),
    Column("origin", ForeignKey("task.id")),
    Column("parts", JSON, nullable=False),
    Column("source", Text, nullable=False, server_default=text("''")),
    Column("loud", Boolean, nullable=False, server_default=text("FALSE")),
    Column("explanation", Text),
)
"""What is on a screen. `source` is its first segment, which tells tasks about the same source."""

slot = Table(
    "slot",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("public", String(32), nullable=False, unique=True),
    Column("task", ForeignKey("task.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("planned_for", ForeignKey("rater.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("holder", ForeignKey("rater.id"), index=True),
    Column("lease_until", Double),
    Column("done_at", Double),
    UniqueConstraint("task", "number"),
    UniqueConstraint("task", "holder"),
    UniqueConstraint("planned_for", "place"),
    CheckConstraint("holder IS NOT NULL OR (lease_until IS NULL AND done_at IS NULL)", name="held"),
)
"""A judgement that is wanted. `public` is all that a rater's device hears of it."""

Index(
    "uq_slot_open_holder",
    slot.c.holder,
    unique=True,
    sqlite_where=text("holder IS NOT NULL AND done_at IS NULL"),
    postgresql_where=text("holder IS NOT NULL AND done_at IS NULL"),
)
"""Nobody has two tasks open at once."""

offer = Table(
    "offer",
    metadata,
    Column("slot", ForeignKey("slot.id"), primary_key=True),
    Column("rater", ForeignKey("rater.id"), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("at", Double, nullable=False),
    Column("stage", Integer, nullable=False, server_default=text("0")),
    Column("settled", JSON),
    UniqueConstraint("rater", "place"),
)
"""What was put in front of whom, in which order: whoever had it may still answer, however late.

`stage` is the last question whose texts the rater was given, and `settled` what was answered before they were.
"""

judgement = Table(
    "judgement",
    metadata,
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("uuid", String(36), nullable=False, unique=True),
    Column("slot", ForeignKey("slot.id"), nullable=False),
    Column("rater", ForeignKey("rater.id"), nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("extra", Boolean, nullable=False, server_default=text("FALSE")),
    Column("answers", JSON, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("received_at", Double, nullable=False),
    Column("bilingual", Boolean),
    Column("shown", JSON),
    Column("passed", Boolean),
    UniqueConstraint("slot", "rater", "version"),
)
"""One submit: the answers about all parts of a task. `extra` came after the slot had gone to somebody else.

`bilingual` is what the rater said of the own languages by then, `shown` what was in sight for each criterion, and
`passed` whether a control item was answered as it should be.
"""

withdrawal = Table(
    "withdrawal",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("rater", ForeignKey("rater.id"), nullable=False, unique=True),
    Column("judgements", Integer, nullable=False),
    Column("at", Double, nullable=False),
)
"""That a rater withdrew, and how much was erased; nothing of what it was."""

organiser = Table(
    "organiser",
    metadata,
    Column("id", Integer, CheckConstraint("id = 1", name="only_one"), primary_key=True),
    Column("password_hash", Text),
    Column("setup_hash", String(64)),
)
"""Who organises."""

organiser_session = Table(
    "organiser_session",
    metadata,
    Column("cookie_hash", String(64), primary_key=True),
    Column("csrf", String(64), nullable=False),
    Column("begun_at", Double, nullable=False),
)
