"""What a match is: what may be entered, what it adds up to, what undo takes back, how devices merge. It is translated.

The modules here are written like the rules, with texts, dicts and records besides; `tools/translate.py` makes the
browser's model from them. Nothing of a match is decided elsewhere.
"""

MODULES = (
    *("refusals", "operations", "history", "hands", "people", "live"),
    *("sheet", "record", "checking", "state", "following", "entering", "statistics"),
)
"""In the order of their imports."""
