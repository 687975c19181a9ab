"""What METEOR and the metrics that match words as it does are built on."""
