"""Bots to start from: one per game, one in plain Python, one in JavaScript. `joust new-bot` and `joust init` copy them.

They stand alone: none of them imports another module of this folder.
"""
