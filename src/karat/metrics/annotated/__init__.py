"""What metrics over annotations are built on."""
