"""Who sees what on a board of rooms and corridors: five algorithms behind one interface.

    >>> board = Board.standard()
    >>> sees(board, (10, 18), (13, 17)), sees(board, (10, 18), (12, 17))
    (True, False)

`exact` (the default) follows the line from centre to centre in whole numbers; walls, closed doors, blocked squares and
figures obstruct it. `area`, `slopes` and `inscribed` take walls, doors and blocked squares as `exact` does and decide
about figures by how much of a figure's square the line cuts off. `circle` marks what a number of rays pass: it claims
squares whose centre cannot be seen, and is kept to show how many. A square always sees itself.
"""

from games.heroquest.sight.board import Board, Edge, Square, make_edge
from games.heroquest.sight.tables import ALGORITHMS, DEFAULT_RAYS, build, marked_from, sees, visible_from

__all__ = [
    "ALGORITHMS",
    "DEFAULT_RAYS",
    "Board",
    "Edge",
    "Square",
    "build",
    "make_edge",
    "marked_from",
    "sees",
    "visible_from",
]
