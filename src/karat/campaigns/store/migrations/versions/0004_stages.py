"""How far each rater was given the texts of a task, and what was settled by then; and the slots of a rater at once."""

import tomllib

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add columns; whoever had a task before had all its texts."""
    op.add_column("offer", sa.Column("stage", sa.Integer(), nullable=False, server_default=sa.text("0")))
    op.add_column("offer", sa.Column("settled", sa.JSON()))
    op.create_index(op.f("ix_slot_holder"), "slot", ["holder"])
    connection = op.get_bind()
    for plan in connection.execute(sa.text("SELECT plan FROM campaign")).scalars().all():
        last = len(tomllib.loads(plan)["questions"]) - 1
        connection.execute(sa.text("UPDATE offer SET stage = :last"), {"last": last})
