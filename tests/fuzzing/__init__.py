"""Random input that nobody would write, and what must not happen with it."""
