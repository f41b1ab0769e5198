"""HeroQuest: a hidden dungeon with exact line of sight, one to four heroes against Zargon."""

from gridjoust.games.heroquest.rules import HeroQuest

__all__ = ["HeroQuest"]
