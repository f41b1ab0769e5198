"""Eidolon: heroes share a dungeon of tiles, break three seals and carry the Fire out."""

from gridjoust.games.eidolon.maps import generate
from gridjoust.games.eidolon.rules import Eidolon

__all__ = ["Eidolon", "generate"]
