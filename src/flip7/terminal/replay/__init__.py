"""A game that was recorded: step by step, with marks, and reviewed."""
