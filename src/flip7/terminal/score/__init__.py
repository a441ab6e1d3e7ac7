"""The scorekeeper: a match at a real table, kept with the keyboard."""
