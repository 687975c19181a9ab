"""Values on a scale: averaged, standardised, modelled, and whom to trust."""
