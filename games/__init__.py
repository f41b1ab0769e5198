"""Pure rules, one package a game. Knows no runner and no bots; games load when they are asked for."""

from games.registry import GAMES, find_room, game_names, load_game, make

__all__ = ["GAMES", "find_room", "game_names", "load_game", "make"]
