"""The exact solver: the best play of one player's round, and what it is worth."""
