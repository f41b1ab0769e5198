"""Placement: build a way over the void from polyominoes and be first at your goal. Imports nothing heavy.

After Horneman, "Planning Movement on Player-Modifiable Maps"; the planner of that article is `bots.placement`. Where
the article is silent, these rules say: pieces turn but are not mirrored (`reflect`); laying one costs no moves and
needs no nearness to the figure; a piece just laid is Floor at once, so that pieces chain; figures do not block each
other; a goal is collected by stepping on it, also in passing; what collapses are cells that players laid, no islands.
"""

from games.placement.rules import Placement

__all__ = ["Placement"]
