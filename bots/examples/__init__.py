"""Bots that speak the protocol by hand: one in plain Python, one in JavaScript. `joust new-bot` copies them.

They stand alone: nothing of Joust is imported here.
"""
