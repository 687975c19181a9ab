"""The version of karat, as pyproject.toml has it. Made by docs/generate.py: run `make format`."""

VERSION = "0.1.0"
