"""The formats of ratings, one module each: a class that `register_format` decorates, and its test."""
