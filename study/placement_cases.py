"""Find hard turns of placement and prove their optima; `study.placement_ranks` compares the ranks of beams on them.

A beam keeps the best `width` states of its frontier, by a rank. A turn is hard if at one of the bots' widths two ranks
lead to plans that differ in distance or steps. All hard turns are kept from a seed on, so none favours a rank. The
turns are those of `walled_task`, once with Manhattan distances and once with tolls, as the bots measure.

`python -m study.placement_cases` finds and proves the first cases of the file anew and compares; with `--write` it
finds and proves all of them, in ten minutes, and overwrites the file.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import count, product
from pathlib import Path
from typing import Any
from unittest import mock

from gridjoust.bots.placement import beam, quantum
from gridjoust.bots.placement.beam import plan_beam
from gridjoust.bots.placement.builder import toll_task
from gridjoust.bots.placement.task import Found, Standing, Task
from gridjoust.games.placement.pieces import piece_set, smallest_ways
from study.placement_optima import prove
from tests.bots.placement.planning import walled_task

DATA = Path(__file__).parent / "data" / "hard_cases.json"
WIDTHS = (beam.FIRST_WIDTH, beam.WIDTH, quantum.WIDTH)
CASES: Mapping[str, int] = {"manhattan": 800, "toll": 400}  # by how distance to the goal is told; to be found
FIRST_SEED = 60_000
MAX_STATES = 1_000_000  # boards that a proof may look at
SMALLEST = smallest_ways(piece_set(4, 5), reflect=False)  # of the pieces of these turns
TODAY = "steps + distance"  # the bots', by tolls
Rank = Callable[[Standing], tuple[int, int]]
RANKS: dict[str, Rank] = {
    TODAY: lambda at: (at.steps + at.distance, at.distance),
    "steps + 1.5 distance": lambda at: (2 * at.steps + 3 * at.distance, at.distance),
    "steps + 2 distance": lambda at: (at.steps + 2 * at.distance, at.distance),
    "steps + 3 distance": lambda at: (at.steps + 3 * at.distance, at.distance),
    "steps + 4 distance": lambda at: (at.steps + 4 * at.distance, at.distance),
    "distance, then steps": lambda at: (at.distance, at.steps),
}
Plans = Mapping[tuple[int, str], Found]  # by width and rank


def make_task(nearness: str, seed: int) -> Task:
    """Make the turn of a seed; `nearness` says how distance to the goal is measured: manhattan or toll."""
    task = walled_task(seed)
    return task if nearness == "manhattan" else toll_task(task.position, task.goals, SMALLEST)


def plan_by(rank: Rank, plan: Callable[[], Any]) -> Any:
    """Call `plan` and return its result, with this rank in place of the one by which beams prune."""
    with mock.patch.object(Standing, "rank", lambda at, weight=1: rank(at)):  # noqa: ARG005 - the rank weighs
        return plan()


def all_plans(task: Task) -> Plans:
    """Return the plan of a beam for every width and every rank."""
    return {
        (width, name): plan_by(RANKS[name], partial(plan_beam, task, width=width))
        for width, name in product(WIDTHS, RANKS)
    }


def end_of(found: Found) -> Standing:
    """Return how a plan ends: its distance to the goal, and its steps."""
    return Standing(found.distance, found.steps)


def is_hard(plans: Plans) -> bool:
    """Return True if at one of the widths two ranks differ in the distance or the steps of their plans."""
    return any(len({end_of(plans[width, name]) for name in RANKS}) > 1 for width in WIDTHS)


@dataclass(frozen=True, slots=True)
class HardCase:
    """A hard turn with its proven optimum: the least distance that a plan can leave, and the fewest steps to it."""

    nearness: str
    seed: int
    best: Standing

    @property
    def task(self) -> Task:
        """The turn itself."""
        return make_task(self.nearness, self.seed)


@dataclass(slots=True)
class Finding:
    """The hard cases of one kind of distance in the order of their seeds, and the seeds without a proven optimum."""

    nearness: str
    cases: list[HardCase] = field(default_factory=list)
    unproven: list[int] = field(default_factory=list)  # seeds
    drawn: int = 0

    def add(self, seed: int, *, max_states: int) -> None:
        """Add the turn of this seed if it is hard and its optimum can be proven."""
        self.drawn += 1
        task = make_task(self.nearness, seed)
        plans = all_plans(task)
        if not is_hard(plans):
            return
        best = prove(task, known=min(map(end_of, plans.values())), max_states=max_states)
        if best is None:
            self.unproven.append(seed)
        else:
            self.cases.append(HardCase(self.nearness, seed, best))


def find_cases(nearness: str, wanted: int, *, first_seed: int = FIRST_SEED, max_states: int = MAX_STATES) -> Finding:
    """Return the first `wanted` hard cases from this seed on."""
    finding = Finding(nearness)
    for seed in count(first_seed):
        if len(finding.cases) == wanted:
            break
        finding.add(seed, max_states=max_states)
    return finding


def format_cases(findings: Sequence[Finding]) -> str:
    """Write the cases as JSON: for each kind of distance a list, one case a line."""
    about = (
        "Hard turns of placement: [seed of walled_task, least distance left, fewest steps to it], proven by branch and "
        "bound. Written by python -m study.placement_cases."
    )
    drawn = {finding.nearness: finding.drawn for finding in findings}
    unproven = {finding.nearness: finding.unproven for finding in findings}
    head = json.dumps({"about": about, "drawn": drawn, "unproven": unproven}).removesuffix("}")
    lists = []
    for finding in findings:
        rows = [json.dumps([case.seed, case.best.distance, case.best.steps]) for case in finding.cases]
        lists.append(f'"{finding.nearness}": [\n' + ",\n".join(rows) + "\n]")
    return f'{head}, "cases": {{{", ".join(lists)}}}}}\n'


def parse_cases(text: str) -> list[Finding]:
    """Parse the JSON that `format_cases` writes."""
    written = json.loads(text)
    return [
        Finding(
            nearness,
            [
                HardCase(nearness, seed, Standing(distance, steps))
                for seed, distance, steps in written["cases"][nearness]
            ],
            written["unproven"][nearness],
            drawn,
        )
        for nearness, drawn in written["drawn"].items()
    ]


def load_cases() -> list[Finding]:
    """Load the cases of the file, by kind of distance."""
    return parse_cases(DATA.read_text(encoding="utf-8"))


def first_cases(findings: Sequence[Finding], cases: int) -> list[list[HardCase]]:
    """Return the first `cases` hard cases of each kind of distance."""
    return [finding.cases[:cases] for finding in findings]


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare with the file, or write it; return 1 if they differ."""
    parser = argparse.ArgumentParser(prog="python -m study.placement_cases", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=20, help="of each kind of distance, to be compared")
    parser.add_argument("--write", action="store_true", help=f"find all anew and overwrite {DATA.name}: ten minutes")
    options = parser.parse_args(arguments)
    if options.write:
        DATA.write_text(format_cases([find_cases(nearness, wanted) for nearness, wanted in CASES.items()]), "utf-8")
        print(f"{DATA.name}: {CASES}")
        return 0
    found = first_cases([find_cases(nearness, options.cases) for nearness in CASES], options.cases)
    is_same = found == first_cases(load_cases(), options.cases)
    print(f"The first {options.cases} cases of each kind {'are as' if is_same else 'DIFFER from those'} in {DATA.name}")
    return int(not is_same)


if __name__ == "__main__":
    sys.exit(main())
