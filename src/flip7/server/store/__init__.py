"""What the server never forgets: tables, games and every choice, in SQLite or PostgreSQL."""
