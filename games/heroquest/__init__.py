"""HeroQuest: a hidden dungeon with exact line of sight, one to four heroes against Zargon."""

from games.heroquest.rules import HeroQuest

__all__ = ["HeroQuest"]
