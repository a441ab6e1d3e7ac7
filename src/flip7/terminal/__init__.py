"""The terminal application: play, watch, replay and keep scores on a whole screen of characters."""
