"""`python -m study.sight --compare`, or `--from 10,18 --los circle`: lines of sight on the printed board.

`--compare` counts ordered pairs of corridor squares that each algorithm sees, how many more and how many fewer than
`exact`, and the time for one pair when the table is made and when it is read. Figures are drawn from a seed.
`--from 10,18 --los circle` draws what is seen from a square.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from time import perf_counter

from gridjoust.games.grid import Cell
from gridjoust.games.heroquest.ascii import draw_board
from gridjoust.games.heroquest.sight.board import Board, Square
from gridjoust.games.heroquest.sight.tables import ALGORITHMS, DEFAULT_RAYS, sees, visible_from

COLUMNS = ("algorithm", "pairs seen", "over", "under", "µs made", "µs read")
RAY_COUNTS = (32, 64, 360)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what the command line asks for."""
    options = _parser().parse_args(arguments)
    board = Board.standard().with_figures(options.figures)
    if options.square is not None:
        print(draw_sight(board, options.square, los=options.los, rays=options.rays))
    if options.compare or options.square is None:
        corridor = [cell for cell in board.index if board.region(cell) == 0]
        print(f"{len(corridor)} corridor squares, all doors closed, no figures")
        compare(Board.standard(), corridor)
        figures = options.figures or random.Random(options.seed).sample(corridor, options.figure_count)
        print(f"\nthe same with {len(figures)} figures")
        compare(Board.standard().with_figures(figures), corridor)
    return 0


def draw_sight(board: Board, square: Square, *, los: str, rays: int) -> str:
    """Draw the board with `*` on every square seen from `square`, which shows `@`; `o` are figures."""
    signs: dict[Square, str] = dict.fromkeys(board.index, ".")
    signs |= dict.fromkeys(visible_from(board, square, los, rays), "*")
    signs |= dict.fromkeys(board.blocked, "#") | dict.fromkeys(board.figures, "o")
    signs[square] = "@"
    return draw_board(board, signs)


def compare(board: Board, squares: Sequence[tuple[int, int]]) -> None:
    """Print a row for each algorithm."""
    pairs = [(a, b) for a in squares for b in squares if a != b]
    exact = [sees(board, a, b) for a, b in pairs]
    print(" ".join(name.rjust(12) for name in COLUMNS))
    for los in ALGORITHMS:
        for rays in RAY_COUNTS if los == "circle" else (DEFAULT_RAYS,):
            fresh = Board(board.width, board.height, board.regions, figures=board.figures)
            made_us = _timed_us(fresh, pairs, los, rays)
            read_us = _timed_us(fresh, pairs, los, rays)
            seen = [sees(fresh, a, b, los, rays) for a, b in pairs]
            over = sum(one and not other for one, other in zip(seen, exact, strict=True))
            under = sum(other and not one for one, other in zip(seen, exact, strict=True))
            name = f"{los} {rays}" if los == "circle" else los
            row = (name, str(sum(seen)), str(over), str(under), f"{made_us:.2f}", f"{read_us:.2f}")
            print(" ".join(cell.rjust(12) for cell in row))


def _timed_us(board: Board, pairs: Sequence[tuple[tuple[int, int], tuple[int, int]]], los: str, rays: int) -> float:
    started_s = perf_counter()
    for a, b in pairs:
        sees(board, a, b, los, rays)
    return (perf_counter() - started_s) * 1e6 / len(pairs)


def _square(text: str) -> Cell:
    try:
        x, y = map(int, text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected a square such as 10,18, got {text!r}") from None
    if (x, y) not in Board.standard().index:
        raise argparse.ArgumentTypeError(f"expected a square on the printed board, got {text!r}")
    return Cell(x, y)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compare", action="store_true", help="print all algorithms side by side (the default)")
    parser.add_argument("--from", dest="square", type=_square, metavar="X,Y", help="draw what is seen from a square")
    parser.add_argument("--los", choices=ALGORITHMS, default="exact")
    parser.add_argument("--rays", type=int, default=DEFAULT_RAYS, help="number of rays of the circle")
    parser.add_argument("--figures", type=_square, nargs="*", default=[], metavar="X,Y")
    parser.add_argument("--figure-count", type=int, default=26, help="number of random figures if none are given")
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
