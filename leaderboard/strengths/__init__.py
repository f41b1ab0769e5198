"""Estimates how strong each bot is, how sure that is, which two bots are separated, and what a seat is worth."""
