"""Results as text, JSON, CSV, Markdown and LaTeX; nothing is computed here."""
