"""How fast karat is, as a ratio to other tools in the same run: `make bench` or `python -m benchmarks`."""

import os

# Rust rivals would otherwise take all cores, and they are compared on one thread. They look at this when imported.
os.environ.setdefault("RAYON_NUM_THREADS", "1")
