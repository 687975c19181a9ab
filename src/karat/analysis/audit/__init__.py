"""What BLEU cannot see, and how far its verdict on a pair of systems can be trusted (Callison-Burch et al. 2006)."""
