"""Bots on other machines: their tokens, the lobby that waits for them, and the link to each."""
