"""What is worth going to: how much a bomb would pay from each cell, and the cells outside every blast. Moves nobody.

The figures are those of the Gambit bot (CoderOne tournament, December 2020).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from games.bomber.board import make_rays
from games.bomber.params import Rules
from games.bomber.stages import blast
from games.bomber.state import FREE, HP_MASK, METAL, ORE, Seat, State

SOFT_VALUE = 2.0
ORE_VALUES = (11.0, 3.0, 0.5)  # by fires the block takes beyond the next one, those on their way not counted
FAR_FACTOR = 0.95  # for a block with one cell between it and the bomb
FEW_BLOCKS = 6  # below this only adjacent blocks count


def blast_counts(rules: Rules, state: State, bomb_cells: Iterable[int]) -> dict[int, int]:
    """Cells that bombs in these cells would set on fire -> number of fires; all bombs on the board stop fire."""
    rays = rules.rays
    cells = list(bomb_cells)
    standing = {bomb.cell for bomb in state.bombs}.union(cells)
    counts: dict[int, int] = {}
    for cell in cells:
        for reached in blast(cell, rays, state.blocks, standing):
            counts[reached] = counts.get(reached, 0) + 1
    return counts


def coming_fires(rules: Rules, state: State) -> dict[int, int]:
    """Cell -> fires that burn or will burn there; what they take is as good as gone."""
    fires = blast_counts(rules, state, [bomb.cell for bomb in state.bombs])
    for fire in state.fires:
        fires[fire.cell] = fires.get(fire.cell, 0) + 1
    return fires


def standing_cells(state: State, seat: Seat) -> set[int]:
    """Cells that the seat cannot enter now: blocks, bombs, and the figures of all others, living or dead."""
    taken = {cell for cell, block in enumerate(state.blocks) if block != FREE}
    taken.update([bomb.cell for bomb in state.bombs])
    taken.update([player.cell for other, player in enumerate(state.players) if other != seat])
    return taken


def breakable_blocks(state: State) -> list[int]:
    """Cells of soft and ore blocks."""
    return [cell for cell, block in enumerate(state.blocks) if block > METAL]


def block_values(state: State, blasts: Mapping[int, int], *, pays_doomed_ore: bool) -> dict[int, float]:
    """What a further fire on each breakable block is worth; soft blocks already in a blast are left out.

    Ore that the known blasts will have destroyed is worth nothing, or (as in the original bot) still the most.
    """
    values: dict[int, float] = {}
    for cell in breakable_blocks(state):
        coming = blasts.get(cell, 0)
        if state.blocks[cell] < ORE:
            if not coming:
                values[cell] = SOFT_VALUE
            continue
        fires_left = (state.blocks[cell] & HP_MASK) - coming
        if fires_left > 0 or pays_doomed_ore:
            values[cell] = ORE_VALUES[min(max(fires_left, 1), len(ORE_VALUES)) - 1]
    return values


def bomb_rewards(
    rules: Rules, state: State, values: Mapping[int, float], *, blasts: Collection[int]
) -> dict[int, float]:
    """Free cell -> sum of what the first block on each ray is worth, as far as anything is within two cells.

    Soft blocks already in a blast are looked through.
    """
    rays = make_rays((rules.width, rules.height), min(2, rules.blast_radius))
    blocks = state.blocks
    sees_far = len(breakable_blocks(state)) >= FEW_BLOCKS
    rewards: dict[int, float] = {}
    for cell, value in values.items():
        for ray in rays[cell]:
            for reached, worth in zip(ray, (value, value * FAR_FACTOR), strict=False):
                if blocks[reached] == FREE:
                    rewards[reached] = rewards.get(reached, 0.0) + worth
                elif not METAL < blocks[reached] < ORE or reached not in blasts:
                    break
                if not sees_far:
                    break
    return rewards


def middle_cells(rules: Rules) -> list[int]:
    """The middle of the board: columns 3 to 7 and rows 4 to 6 of 12 × 10, in proportion on other boards."""
    columns = range(rules.width * 3 // 12, max(rules.width * 8 // 12, rules.width * 3 // 12 + 1))
    rows = range(rules.height * 4 // 10, max(rules.height * 7 // 10, rules.height * 4 // 10 + 1))
    return [y * rules.width + x for y in rows for x in columns]
