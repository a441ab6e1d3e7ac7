"""What can be wrong with what a scorekeeper is told."""

from __future__ import annotations


class MatchError(ValueError):
    """The match refuses this; the message says why and what would be right. Nothing has changed."""


class MatchFileError(MatchError):
    """The text is no sound match: damaged, cut off, or written by a newer version. Nothing was read from it."""
