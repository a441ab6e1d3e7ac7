"""A match at a real table: who has how many points, who deals, who has won, and every correction."""
