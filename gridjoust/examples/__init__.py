"""Bots to start from, one per game and one for any, and a first tournament; `joust new-bot` and `joust init` copy them.

`first.txt` is the shortest bot, the README's; it has no types and no docstrings.

They stand alone: none of them imports another module of this folder.
"""
