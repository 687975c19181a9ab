"""What metrics that weigh n-grams by a whole set of references are built on."""
