"""Strategies: what to do at a table, by name."""
