"""Bomber: lay bombs, open blocks, collect ammo and treasure, outlive or outscore the others. Imports nothing heavy."""

from games.bomber.rules import Bomber

__all__ = ["Bomber"]
