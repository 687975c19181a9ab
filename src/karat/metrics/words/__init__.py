"""What metrics over words are built on."""
