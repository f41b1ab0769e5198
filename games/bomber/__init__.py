"""Bomber: lay bombs, open blocks, collect ammo and treasure, outlive or outscore the others."""

from gridjoust.games.bomber.rules import Bomber

__all__ = ["Bomber"]
