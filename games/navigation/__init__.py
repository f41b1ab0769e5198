"""Navigation: one robot a seat walks from start to goal over a known or unknown grid map. Imports nothing heavy."""

from gridjoust.games.navigation.rules import Navigation

__all__ = ["Navigation"]
