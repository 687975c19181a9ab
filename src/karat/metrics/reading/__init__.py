"""How metrics read text that have a way of their own."""
