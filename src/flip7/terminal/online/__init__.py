"""A table on a server: sitting down, the lobby, and a game with people elsewhere."""
