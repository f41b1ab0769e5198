"""Bots to start from, one per game and one for any, and a first tournament; `joust new-bot` and `joust init` copy them.

They stand alone: none of them imports another module of this folder.
"""
