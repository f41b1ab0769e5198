"""Eidolon: heroes share a dungeon of tiles, break three seals and carry the Fire out. Imports nothing heavy."""

from games.eidolon.maps import generate
from games.eidolon.rules import Eidolon

__all__ = ["Eidolon", "generate"]
