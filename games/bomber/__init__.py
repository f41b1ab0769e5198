"""Bomber: lay bombs, open blocks, collect ammo and treasure, outlive or outscore the others. Imports nothing heavy."""

from gridjoust.games.bomber.rules import Bomber

__all__ = ["Bomber"]
