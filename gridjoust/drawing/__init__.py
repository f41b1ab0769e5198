"""Boards as pictures: found by the name of the game, in a terminal, as pixels with letters, as bare pixels."""
