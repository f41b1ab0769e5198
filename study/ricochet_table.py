"""The table of the report that ricochet comes from: every search on the same positions, by their optimum, and people.

    python -m study.ricochet_table [RECORD ...] [--person NAME] [--positions FILE]

Without records the positions are those of `configs/ricochet-positions.json`. With records
of `joust play ricochet`, or a results folder of them, the searches get the positions that the person met, and the table
has a row for the person: moves, and the time to the answer (in a round with bids, to its last bid). Searches are
measured in CPU time; `-` = no solution found.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from time import process_time

from gridjoust import JoustError, MatchRecord, read_record
from gridjoust.bots.ricochet import astar, bfs
from gridjoust.bots.ricochet.plans import Planner, Task
from gridjoust.games.ricochet.actions import Bid, Solve
from gridjoust.games.ricochet.optimum import Plan
from gridjoust.games.ricochet.positions import parse_positions
from gridjoust.games.ricochet.proof import MoveRules, Position, judge
from gridjoust.games.ricochet.rules import Ricochet
from gridjoust.games.ricochet.slides import Slides
from gridjoust.games.ricochet.state import Phase, State
from gridjoust.runner.results.records.file import list_records
from gridjoust.runner.results.replay import game_of, replay
from study.alternatives.ricochet_report import limited, lists, manhattan, walls
from study.report import print_table

POSITIONS = Path(__file__).parents[1] / "configs" / "ricochet-positions.json"
PERSON = "you"  # the name of whoever sits at `joust play`
MOST_IN_LISTS = 110_000  # successors: every further one takes longer, as all known states are looked through
MOST_IN_DICTIONARIES = 4_400_000


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a search or a person to one position; `moves` None: no solution; a person expands nothing."""

    moves: int | None
    ms: float
    expanded: int | None = None
    frontier: int | None = None


@dataclass(frozen=True, slots=True)
class Met:
    """A position with the rules it is played by, and the answers of people to it."""

    position: Position
    rules: MoveRules
    people: tuple[Answer, ...] = ()


def last_of(planner: Planner) -> Callable[[Task], Plan]:
    """Return a function that runs the planner to its end and returns its last plan."""

    def plan(task: Task) -> Plan:
        found = [plan for plan in planner(task) if plan is not None]
        return found[-1]

    return plan


SEARCHES: Mapping[str, Callable[[Task], Plan]] = {
    "breadth-first, lists": lambda task: lists(limited(task, MOST_IN_LISTS)),
    "breadth-first, dictionaries": lambda task: last_of(bfs.plans)(limited(task, MOST_IN_DICTIONARIES)),
    "A*": last_of(astar.plans),
    "A*, Manhattan bound": lambda task: manhattan(limited(task, MOST_IN_DICTIONARIES)),
    "A*, robots as walls": walls,
}


def answer(search: Callable[[Task], Plan], met: Met) -> Answer:
    """Search one position, with its tables, on the clock; a wrong solution counts as none."""
    begin_s = process_time()
    plan = search(Task(Slides(met.position.board), met.position, met.rules))
    ms = (process_time() - begin_s) * 1000
    is_right = plan.moves is not None and judge(met.position, plan.moves, met.rules).is_right
    return Answer(len(plan.moves) if is_right and plan.moves else None, ms, plan.expanded, plan.frontier)


def positions_of_file(path: Path) -> list[Met]:
    """Return the positions of a file; they are played without special rules for moves."""
    return [Met(position, MoveRules()) for _, position in parse_positions(path.read_text(encoding="utf-8"))]


def positions_of_records(paths: Iterable[Path], person: str) -> Iterator[Met]:
    """Yield the positions that the person met in these records, with the person's answers."""
    for path in paths:
        for file in list_records(path) if path.is_dir() else [path]:
            record = read_record(file)
            seats = [seat for seat, entry in enumerate(record.header.seats) if entry.bot == person]
            if record.header.game == Ricochet.spec.name and seats:
                yield from _positions_of(record, seats[0])


def _positions_of(record: MatchRecord, seat: int) -> Iterator[Met]:
    game = game_of(record)
    assert isinstance(game, Ricochet)
    rules = game.rules.moves
    latency = {answer.turn: answer.latency_ms for answer in record.answers if answer.seat == seat and answer.final}
    before: State | None = None
    begun_ms = bid_ms = 0
    for moment in replay(record):
        line, state = moment.line, moment.state
        action = None if line is None or str(seat) not in line.actions else game.parse_action(line.actions[str(seat)])
        if before is not None and line is not None and action is not None:
            if isinstance(action, Bid):
                bid_ms = line.stamp
            elif before.phase is Phase.SOLVING:
                yield Met(before.position, rules, (_typed(before, action, rules, latency.get(moment.turn) or 0.0),))
            elif before.phase is Phase.PROOF:
                yield Met(before.position, rules, (_typed(before, action, rules, float(bid_ms - begun_ms)),))
        if before is not None and state.round != before.round:
            begun_ms = state.clock_ms
        before = state


def _typed(state: State, action: object, rules: MoveRules, ms: float) -> Answer:
    moves = action.moves if isinstance(action, Solve) else ()
    return Answer(len(moves) if moves and judge(state.position, moves, rules).is_right else None, ms)


def rows(met: Sequence[Met]) -> list[list[str]]:
    """Return the table by rising optimum: a row for each search and one for people; means if there are several."""
    answers = {name: [answer(search, one) for one in met] for name, search in SEARCHES.items()}
    optima = [found.moves or 0 for found in answers["A*"]]
    table = []
    for optimum in sorted(set(optima)):
        chosen = [at for at, own in enumerate(optima) if own == optimum]
        for name, found in answers.items():
            table.append(_row(optimum, name, [found[at] for at in chosen]))
        people = [typed for at in chosen for typed in met[at].people]
        if people:
            table.append(_row(optimum, "a person", people))
    return table


def _row(optimum: int, name: str, answers: Sequence[Answer]) -> list[str]:
    def mean(values: Iterable[float | None], digits: int) -> str:
        known = [value for value in values if value is not None]
        return f"{fmean(known):.{digits}f}".removesuffix(".0") if known else "-"

    solved = sum(one.moves is not None for one in answers)
    return [
        str(optimum) if optimum else "none",
        name,
        f"{solved}/{len(answers)}",
        mean((one.moves for one in answers), 1),
        mean((one.expanded for one in answers), 0),
        mean((one.frontier for one in answers), 0),
        mean((one.ms for one in answers), 1),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve all positions and print one table."""
    parser = argparse.ArgumentParser(prog="python -m study.ricochet_table", description=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="*", type=Path, help="records or results folders of joust play")
    parser.add_argument("--person", default=PERSON, help="the bot name of the person there")
    parser.add_argument("--positions", type=Path, default=POSITIONS, help="where there are no records")
    options = parser.parse_args(arguments)
    try:
        records = positions_of_records(options.records, options.person)
        met = list(records) if options.records else positions_of_file(options.positions)
    except (JoustError, OSError, ValueError) as error:
        print(f"ricochet_table: {error}", file=sys.stderr)
        return 2
    if not met:
        print(f"ricochet_table: expected matches of ricochet with {options.person!r}, got none", file=sys.stderr)
        return 2
    heading = ("optimum", "search", "solved", "moves", "expanded", "frontier", "ms")
    print_table(f"{len(met)} positions", heading, rows(met))
    return 0


if __name__ == "__main__":
    sys.exit(main())
