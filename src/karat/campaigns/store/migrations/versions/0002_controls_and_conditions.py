"""Loud control items and gold; and with every judgement, what was in sight and whether the rater reads the source."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add columns, and fill those that old rows can fill."""
    op.add_column("task", sa.Column("source", sa.Text(), nullable=False, server_default=sa.text("''")))
    op.add_column("task", sa.Column("loud", sa.Boolean(), nullable=False, server_default=sa.text("FALSE")))
    op.add_column("task", sa.Column("explanation", sa.Text()))
    op.add_column("judgement", sa.Column("bilingual", sa.Boolean()))
    op.add_column("judgement", sa.Column("shown", sa.JSON()))
    op.add_column("judgement", sa.Column("passed", sa.Boolean()))
    connection = op.get_bind()
    for task, parts in connection.execute(sa.text("SELECT id, parts FROM task")).all():
        first = (json.loads(parts) if isinstance(parts, str) else parts)[0]
        values = {"source": first["segment"], "task": task}
        connection.execute(sa.text("UPDATE task SET source = :source WHERE id = :task"), values)
    said = "UPDATE judgement SET bilingual = (SELECT bilingual FROM rater WHERE rater.id = judgement.rater)"
    connection.execute(sa.text(said))
