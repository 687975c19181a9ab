"""The metrics, one module each; the packages below hold what they are built on."""
