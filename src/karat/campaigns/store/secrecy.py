"""What is stored of secrets."""

from __future__ import annotations

import hashlib


def hashed(secret: str) -> str:
    """What is stored of a link or a cookie: enough to know it again, and nothing to enter with."""
    return hashlib.sha256(secret.encode()).hexdigest()
