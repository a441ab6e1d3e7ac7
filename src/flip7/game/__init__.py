"""One game as people and programs meet it: play, events, decisions, records, positions."""
