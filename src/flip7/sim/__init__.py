"""Simulations: which strategy wins, by how much, and how sure that is."""
