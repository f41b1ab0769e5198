"""Navigation: one robot per seat walks from start to goal over a known or unknown grid map."""

from gridjoust.games.navigation.rules import Navigation

__all__ = ["Navigation"]
