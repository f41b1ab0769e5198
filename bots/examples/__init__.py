"""Bots that speak the protocol by hand, in Python, JavaScript and other languages; `joust new-bot` copies them.

They stand alone: none imports anything of Joust.
"""
