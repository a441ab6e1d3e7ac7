"""The translation of restricted Python to TypeScript: types, modules, functions."""
