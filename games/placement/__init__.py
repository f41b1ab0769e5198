"""Placement: build a path over the void from polyominoes and be first at your goal.

The game follows Jurie Horneman, "Planning Movement on Player-Modifiable Maps"; `gridjoust.bots.placement` is the
planner of that article. Where the article is silent, these rules decide. Pieces turn but are not mirrored (`reflect`).
Laying a piece costs no moves and needs no figure nearby. A piece becomes Floor at once, so that pieces can form a
chain. Figures do not block each other. A figure collects a goal by stepping on it, also in passing. Only cells that
players laid collapse, never islands.

The article plans for one figure. Three additions let several figures race on equal terms: the order of the seats is
reversed in every other game round (`order`), some pieces may be laid as barriers in front of rivals (`barriers`), and
the fewest steps break a tie (`tie_break`). The preset `article` turns all of them off and uses the board of the
article.
"""

from gridjoust.games.placement.rules import Placement

__all__ = ["Placement"]
