"""Drawings of boards: made by the game's module, shown in a terminal, painted as pictures, or as arrays of pixels."""
