"""The rules of Flip 7, written once: integers in, integers out, and chance is an input."""
