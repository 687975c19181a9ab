"""The metrics, one module each."""
