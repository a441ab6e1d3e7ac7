"""The rules of Flip 7, written once: integers in, integers out, and chance is an input."""

DEFINITIONS = ("cards", "table", "rulings")
"""The modules that hold names and numbers only; the interpreted and the compiled build share them."""

PLAYED = ("log", "piles", "scoring", "chance", "agenda", "moves", "inputs")
"""The modules whose functions are compiled, each after those it imports."""

KEPT = ("keeping", "deviations", "naming")
"""The modules for scorekeeping, which is interpreted or translated only."""
