"""Drop-in replacements for other tools."""
