"""Flaws of single segments that need no judge: loops, lost numbers, broken tags, text that was not translated."""
