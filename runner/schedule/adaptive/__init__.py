"""Decides which matches to play next and when to stop, from the results alone: no I/O, no clock, no chance."""
