"""What people said about translations: scales, rankings, errors, effort; how far they agree, and whom to trust."""
