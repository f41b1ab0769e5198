"""Placement: build a way over the void from polyominoes and be first at your goal. Imports nothing heavy.

After Jurie Horneman, "Planning Movement on Player-Modifiable Maps"; the planner of that article is
`gridjoust.bots.placement`. Where the article is silent, these rules say: pieces turn but are not mirrored (`reflect`);
laying one costs no moves, and needs no figure near by; a piece just laid is Floor at once, so that pieces chain;
figures do not block each other; a goal is collected by stepping on it, also in passing; what collapses are cells that
players laid, no islands.

The article plans for one figure. So that several race by their plans and not by their seats, the order of the seats
turns round with every game round (`order`), some pieces may be laid as barriers in a rival's way (`barriers`), and
fewest steps break a tie (`tie_break`). All of that is off in the preset `article`, which has the article's board.
"""

from gridjoust.games.placement.rules import Placement

__all__ = ["Placement"]
