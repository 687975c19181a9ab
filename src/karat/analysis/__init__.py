"""Where and why systems differ, and how far a score can be trusted."""
