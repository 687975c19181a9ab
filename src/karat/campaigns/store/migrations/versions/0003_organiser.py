"""Who organises: a password, a link to set it, and the sessions that it opens."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add two tables."""
    op.create_table(
        "organiser",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("password_hash", sa.Text()),
        sa.Column("setup_hash", sa.String(length=64)),
        sa.CheckConstraint("id = 1", name=op.f("ck_organiser_only_one")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_organiser")),
    )
    op.create_table(
        "organiser_session",
        sa.Column("cookie_hash", sa.String(length=64), nullable=False),
        sa.Column("csrf", sa.String(length=64), nullable=False),
        sa.Column("begun_at", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("cookie_hash", name=op.f("pk_organiser_session")),
    )
