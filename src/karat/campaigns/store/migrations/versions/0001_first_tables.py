"""The tables that campaigns began with."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    op.create_table(
        "campaign",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("plan", sa.Text(), nullable=False),
        sa.Column("texts", sa.LargeBinary(), nullable=False),
        sa.Column("texts_sha256", sa.String(length=64), nullable=False),
        sa.Column("begun_at", sa.Double(), nullable=False),
        sa.CheckConstraint("id = 1", name=op.f("ck_campaign_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_campaign")),
    )
    op.create_table(
        "rater",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=True),
        sa.Column("link_hash", sa.String(length=64), nullable=True),
        sa.Column("bilingual", sa.Boolean(), nullable=True),
        sa.Column("seen_at", sa.Double(), nullable=True),
        sa.Column("withdrawn_at", sa.Double(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rater")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_rater_link_hash")),
        sa.UniqueConstraint("name", name=op.f("uq_rater_name")),
        sa.UniqueConstraint("number", name=op.f("uq_rater_number")),
    )
    op.create_table(
        "task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("system", sa.String(length=500), nullable=False),
        sa.Column("document", sa.String(length=500), nullable=True),
        sa.Column("control", sa.String(length=30), nullable=True),
        sa.Column("origin", sa.Integer(), nullable=True),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["origin"], ["task.id"], name=op.f("fk_task_origin")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
    )
    op.create_table(
        "session",
        sa.Column("cookie_hash", sa.String(length=64), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("csrf", sa.String(length=64), nullable=False),
        sa.Column("begun_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["rater"], ["rater.id"], name=op.f("fk_session_rater")),
        sa.PrimaryKeyConstraint("cookie_hash", name=op.f("pk_session")),
    )
    op.create_index(op.f("ix_session_rater"), "session", ["rater"], unique=False)
    op.create_table(
        "slot",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("public", sa.String(length=32), nullable=False),
        sa.Column("task", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("planned_for", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("holder", sa.Integer(), nullable=True),
        sa.Column("lease_until", sa.Double(), nullable=True),
        sa.Column("done_at", sa.Double(), nullable=True),
        sa.CheckConstraint(
            "holder IS NOT NULL OR (lease_until IS NULL AND done_at IS NULL)", name=op.f("ck_slot_held")
        ),
        sa.ForeignKeyConstraint(["holder"], ["rater.id"], name=op.f("fk_slot_holder")),
        sa.ForeignKeyConstraint(["planned_for"], ["rater.id"], name=op.f("fk_slot_planned_for")),
        sa.ForeignKeyConstraint(["task"], ["task.id"], name=op.f("fk_slot_task")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slot")),
        sa.UniqueConstraint("planned_for", "place", name=op.f("uq_slot_planned_for_place")),
        sa.UniqueConstraint("public", name=op.f("uq_slot_public")),
        sa.UniqueConstraint("task", "holder", name=op.f("uq_slot_task_holder")),
        sa.UniqueConstraint("task", "number", name=op.f("uq_slot_task_number")),
    )
    op.create_index(
        "uq_slot_open_holder",
        "slot",
        ["holder"],
        unique=True,
        sqlite_where=sa.text("holder IS NOT NULL AND done_at IS NULL"),
        postgresql_where=sa.text("holder IS NOT NULL AND done_at IS NULL"),
    )
    op.create_table(
        "withdrawal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("judgements", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["rater"], ["rater.id"], name=op.f("fk_withdrawal_rater")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_withdrawal")),
        sa.UniqueConstraint("rater", name=op.f("uq_withdrawal_rater")),
    )
    op.create_table(
        "judgement",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("uuid", sa.String(length=36), nullable=False),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("extra", sa.Boolean(), server_default=sa.text("FALSE"), nullable=False),
        sa.Column("answers", sa.JSON(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("received_at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["rater"], ["rater.id"], name=op.f("fk_judgement_rater")),
        sa.ForeignKeyConstraint(["slot"], ["slot.id"], name=op.f("fk_judgement_slot")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_judgement")),
        sa.UniqueConstraint("slot", "rater", "version", name=op.f("uq_judgement_slot_rater_version")),
        sa.UniqueConstraint("uuid", name=op.f("uq_judgement_uuid")),
    )
    op.create_index(op.f("ix_judgement_rater"), "judgement", ["rater"], unique=False)
    op.create_table(
        "offer",
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("rater", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["rater"], ["rater.id"], name=op.f("fk_offer_rater")),
        sa.ForeignKeyConstraint(["slot"], ["slot.id"], name=op.f("fk_offer_slot")),
        sa.PrimaryKeyConstraint("slot", "rater", name=op.f("pk_offer")),
        sa.UniqueConstraint("rater", "place", name=op.f("uq_offer_rater_place")),
    )
