"""Pure rules, one package a game, without runner and bots; a game is imported on first use."""

from gridjoust.games.registry import GAMES, find_room, game_names, load_game, make

__all__ = ["GAMES", "find_room", "game_names", "load_game", "make"]
