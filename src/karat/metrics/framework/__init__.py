"""What metrics of all families share: contexts, identities, descriptions and the arithmetic of formulas."""
