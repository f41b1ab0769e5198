"""Acts of a hero in its own cell: seals, tokens, trades, fights, skills, answers in rituals.

There are two kinds: acts so good that they come before any goal, and acts at a goal once it is reached. Skills are of
the first kind: attacks from afar, tokens sent, and the master skill once it is worth the turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from operator import itemgetter

from gridjoust.bots.eidolon.goals import Goal, GoalPlanner, Kind, TeamGoals
from gridjoust.games.bitset import members
from gridjoust.games.eidolon import actions
from gridjoust.games.eidolon.actions import Act, Tokens
from gridjoust.games.eidolon.dungeon import ORIGIN, Dungeon, Placed
from gridjoust.games.eidolon.legal import MASTER_AP, dives, has_token, redirect_cells, tokens_for_seal
from gridjoust.games.eidolon.params import AP_PER_TURN
from gridjoust.games.eidolon.state import Phase, Seat
from gridjoust.games.eidolon.tiles import BIT, COLOURS, DOORS, FIRE, OF_COLOUR, SEALS, TOKENS_NEEDED, TileSet, turned_to
from gridjoust.games.grid import DIRECTIONS, Cell, Direction

REACH_WORTH = 4.0  # least value of a cultist elsewhere to attack it from afar
STRIKE_WORTH = 20.0  # least value of the cultists for the Paladin to clear a tile and all around it
RUSH_WORTH = 4.0  # least value of the cultists on the Warrior's path for a rush
FETCH_WORTH = 8.0  # least value of a token for the Ranger to take it from afar
RESTORE_WORTH = 0.5  # least value in things joined or tokens brought back for the Sage to restore a tile
LEAP_AP = 6  # distance from which on the Wizard leaps instead of walking
SURGE_AP = 4  # distance from which on the Rogue uses its surge

Choice = tuple[float, Act | None]  # (value of an act, the act)


def skilful_act(planner: GoalPlanner) -> Act | None:
    """Return the best act by the hero's skills now, or None; without skills in play always None."""
    if not planner.hero or planner.state.carrier == planner.seat:
        return None
    return next(filter(planner.can, _SKILLS[planner.hero](planner)), None)


def _best(choices: Iterable[Choice]) -> Choice:
    return max(choices, key=itemgetter(0), default=(0.0, None))


def _worthwhile(choices: Iterable[Choice], least: float) -> Iterator[Act]:
    """Yield the best of the acts if its value is at least `least`."""
    worth, act = _best(choices)
    if act is not None and worth >= least:
        yield act


def best_attack(planner: GoalPlanner) -> Choice:
    """Return (value, act) of the best attack from here on a cultist on another tile; the act is None without one."""
    reach: Mapping[Cell, Direction | Cell] = {}
    if planner.hero == "paladin":
        reach = {cell: cell for cell in planner.stakes}
    elif planner.hero == "warrior":
        reach = {planner.here.step(direction): direction for direction in DIRECTIONS}
    attacks = [(stake, actions.Attack(reach[cell])) for cell, stake in planner.stakes.items() if cell in reach]
    return _best((stake, act) for stake, act in attacks if planner.can(act))


def _warrior(planner: GoalPlanner) -> Iterator[Act]:
    yield from rushes(planner, RUSH_WORTH)
    yield from _worthwhile([best_attack(planner)], REACH_WORTH)


def rushes(planner: GoalPlanner, least: float) -> Iterator[Act]:
    """Yield the Warrior's rush along its path if the cultists on it are worth at least `least`."""
    steps = _steps_ahead(planner)[:AP_PER_TURN]
    freed = sum(planner.stakes.get(cell, 0.0) for _, cell in steps)
    if len(steps) == AP_PER_TURN and freed >= least:
        yield actions.Rush(tuple(direction for direction, _ in steps))


def _steps_ahead(planner: GoalPlanner) -> list[tuple[Direction, Cell]]:
    """Return (direction, next cell) of each step to the best goal that is no fight, up to the first closed doorway."""
    goal = next((goal for _, goal in planner.ranked if goal.kind is not Kind.FIGHT), None)
    steps: list[tuple[Direction, Cell]] = []
    for tail, head in pairwise(planner.roads.path(planner.here, goal.cell) if goal else ()):
        doorways = planner.state.dungeon.links[tail].items()
        direction = next((direction for direction, beyond in doorways if beyond == head), None)
        if direction is None:
            break
        steps.append((direction, head))
    return steps


def _paladin(planner: GoalPlanner) -> Iterator[Act]:
    yield from strikes(planner, STRIKE_WORTH)
    yield from _worthwhile([best_attack(planner)], REACH_WORTH)


def strikes(planner: GoalPlanner, least: float, *, least_cells: int = 1) -> Iterator[Act]:
    """Yield the Paladin's best strike if it hits cultists on at least `least_cells` tiles, worth at least `least`."""
    stakes = planner.stakes
    areas = {centre: (centre, *map(centre.step, DIRECTIONS)) for centre in stakes}
    freed = {centre: [stakes[cell] for cell in area if cell in stakes] for centre, area in areas.items()}
    worth, strike = _best((sum(worths), actions.Strike(centre)) for centre, worths in freed.items())
    if isinstance(strike, actions.Strike) and worth >= least and len(freed[strike.cell]) >= least_cells:
        yield strike


def _ranger(planner: GoalPlanner) -> Iterator[Act]:
    return _worthwhile(_fetches(planner) if planner.rules.cultists else (), FETCH_WORTH)


def _fetches(planner: GoalPlanner) -> Iterator[Choice]:
    """Yield (value, act) for each token the Ranger may fetch.

    The value is higher if the hero who needs the token cannot walk to it.
    """
    needs, team = planner.needs, planner.team
    for colour in needs.standing:
        if needs.held(colour) < TOKENS_NEEDED:
            holder = team.of(team.roles[colour])
            for cell in needs.token_cells[colour]:
                walk_worth = 0.0 if cell in holder.distances else 2 * FETCH_WORTH
                yield team.threats.token_worth.get(cell, 0.0) + walk_worth, actions.Fetch(cell, holder.seat)


def _rogue(planner: GoalPlanner) -> Iterator[Act]:
    if planner.state.ap_left == AP_PER_TURN:
        goals, distances = planner.ranked, planner.distances
        is_far = bool(goals) and distances[goals[0][1].cell] >= SURGE_AP
        if is_far or any(cell not in distances for cell in _places_of_decision(planner)):
            yield actions.Surge()


def _wizard(planner: GoalPlanner) -> Iterator[Act]:
    if planner.rules.seal_rule == "personal":
        for colour in planner.needs.standing:
            if planner.team.roles[colour] != planner.seat:
                yield actions.Send(colour, planner.team.roles[colour])
    for cell in _places_of_decision(planner):
        if planner.distances.get(cell, LEAP_AP) >= LEAP_AP:
            yield actions.Strike(cell)


def _places_of_decision(planner: GoalPlanner) -> Iterator[Cell]:
    """Yield the cells of seals that the hero can break, and of the Fire once it is free and joined to an exit."""
    needs, dungeon = planner.needs, planner.state.dungeon
    for colour in needs.standing:
        held = tokens_for_seal(planner.rules, planner.state, planner.seat)[colour]
        is_own = planner.team.roles[colour] == planner.seat
        if is_own and held >= TOKENS_NEEDED and SEALS[colour] in dungeon.where:
            yield dungeon.where[SEALS[colour]]
    if not needs.standing and planner.state.carrier is None and FIRE in dungeon.where:
        fire = dungeon.where[FIRE]
        if not needs.reach(fire).isdisjoint(planner.team.exits):
            yield fire


def restorations(planner: GoalPlanner) -> Iterator[Act]:
    """Yield the act that restores the most useful lost tile: it joins needed cells to the Vestibule or has a token."""
    needs, state = planner.needs, planner.state
    if not state.void or state.ap_left < MASTER_AP or state.heroes[planner.seat].is_master_used:
        return
    tiles = [*(SEALS[colour] for colour in needs.standing), *([FIRE] if state.carrier is None else [])]
    needed = [state.dungeon.where[tile] for tile in tiles if tile in state.dungeon.where]
    needed += [*planner.team.exits, *(state.cell_of(seat) for seat in needs.living)]
    short = sum(state.tokens & state.void & OF_COLOUR[colour] for colour in needs.standing)
    reach = needs.reach(ORIGIN)
    joined = sum(cell in reach for cell in needed)
    if joined < len(needed) or short:
        yield from _worthwhile(_restorations(planner, needed, short), joined + RESTORE_WORTH)


def _restorations(planner: GoalPlanner, needed: Sequence[Cell], short: TileSet) -> Iterator[Choice]:
    """Yield (value, act) for each act that restores a lost tile: 1 for each needed cell joined, 0.5 for a needed token.

    `short` is the bit set of the lost tiles whose tokens are needed.
    """
    dungeon = planner.state.dungeon
    for tile, cell in product(members(planner.state.void), dungeon.rim):
        for quarters, doors in enumerate(DOORS[tile]):
            if doors not in DOORS[tile][:quarters]:
                reach = planner.needs.reach(ORIGIN, dungeon=dungeon.with_tile(Placed(tile, cell, quarters)))
                token_worth = 0.5 * (cell in reach and short >> tile & 1)
                yield sum(other in reach for other in needed) + token_worth, actions.Restore(tile, cell, quarters * 90)


_SKILLS = {
    "warrior": _warrior,
    "paladin": _paladin,
    "ranger": _ranger,
    "rogue": _rogue,
    "wizard": _wizard,
    "sage": restorations,
}


ATTACK_WORTH = 2.0  # least value of a cultist on the hero's own tile to fight it at once


def act_in_place(planner: GoalPlanner) -> Act | None:
    """Return an act by a skill or on this tile that comes before all goals, or None."""
    return act_in_reach(planner) or trade(planner) or skilful_act(planner) or _attack(planner)


def act_in_reach(planner: GoalPlanner) -> Act | None:
    """Return the act that takes the Fire or breaks the seal on this tile, or None."""
    return next(filter(planner.can, (actions.TakeFire(), actions.BreakSeal())), None)


def fight_or_wait(planner: GoalPlanner) -> Act:
    """Return an act for AP that would be given up: a fight on the hero's own tile or from afar, else `wait`."""
    return actions.Attack() if planner.can(actions.Attack()) else best_attack(planner)[1] or actions.Wait()


def _attack(planner: GoalPlanner) -> Act | None:
    """Return an attack on this tile if it is worth its AP, else None; also None if a token should be grabbed first."""
    if planner.stakes.get(planner.here, 0.0) < ATTACK_WORTH:
        return None
    is_grabbing = any(goal.kind is Kind.GRAB and goal.cell == planner.here for _, goal in planner.ranked[:1])
    return None if is_grabbing and planner.can(actions.Grab()) else actions.Attack()


def trade(planner: GoalPlanner) -> Act | None:
    """Return a trade with a team-mate on this tile that saves more than 1 AP, or None.

    It gives what the team-mate gathers and takes what this hero gathers.
    """
    if planner.rules.seal_rule == "team" or not planner.needs.standing:
        return None
    for other in planner.needs.living:
        if other != planner.seat and planner.state.cell_of(other) == planner.here:
            give, take = _wanted(planner, planner.seat, other), _wanted(planner, other, planner.seat)
            act = actions.Trade(other, give, take)
            if _saving(planner, other, give) + _saving(planner, planner.seat, take) > 1 and planner.can(act):
                return act
    return None


def _wanted(planner: GoalPlanner, giver: Seat, taker: Seat) -> Tokens:
    """Return the giver's tokens that the taker gathers and still lacks, as a number for each colour."""
    heroes = planner.state.heroes
    red, green, blue = (
        min(heroes[giver].tokens[colour], max(0, TOKENS_NEEDED - heroes[taker].tokens[colour]))
        if planner.team.roles.get(colour) == taker
        else 0
        for colour in COLOURS
    )
    return red, green, blue


def _saving(planner: GoalPlanner, taker: Seat, tokens: Tokens) -> float:
    """Return the AP that these tokens save the taker: at least a step and the price of each."""
    return sum(tokens[colour] * (1 + planner.rules.grab_cost(taker, colour)) for colour in COLOURS)


def act_at_goal(planner: GoalPlanner, goal: Goal) -> Act:
    """Return the act to do once the hero is at the goal; it may take more AP than are left in this turn."""
    return AT_GOAL[goal.kind] if goal.direction is None else _explore(planner, goal.cell, goal.direction)


AT_GOAL: Mapping[Kind, Act] = {
    Kind.GRAB: actions.Grab(),
    Kind.SEAL: actions.BreakSeal(),
    Kind.FIRE: actions.TakeFire(),
    Kind.FIGHT: actions.Attack(),
    Kind.STAY: actions.Wait(),
}


def _explore(planner: GoalPlanner, cell: Cell, direction: Direction) -> Act:
    """Return the act that lays a tile and enters it, or that first breaks the barrier before it.

    The Ranger does not enter a tile beyond which no other can be laid.
    """
    dungeon, there = planner.state.dungeon, cell.step(direction)
    if dungeon.is_blocked(cell, direction):
        return actions.BreakBarrier(direction)
    is_pocket = all(there.step(beyond) in dungeon.at for beyond in DIRECTIONS)
    degrees = best_degrees(dungeon, there, direction.opposite)
    return actions.Explore(direction, degrees, stay=is_pocket and planner.hero == "ranger")


def best_degrees(dungeon: Dungeon, cell: Cell, entrance: Direction) -> int:
    """Return the rotation in degrees with the most useful doors, summed over all tiles that may be drawn."""
    free = [d for d in DIRECTIONS if cell.step(d) not in dungeon.at]
    meeting = [d for d in DIRECTIONS if d is not entrance and dungeon.has_door(cell.step(d), d.opposite)]

    def doors(degrees: int) -> int:
        total = 0
        for tile in members(dungeon.stack):
            laid = DOORS[tile][turned_to(tile, entrance, first=degrees // 90)]
            total += sum(2 for d in free if laid & BIT[d]) + sum(1 for d in meeting if laid & BIT[d])
        return total

    return max((0, 90, 180, 270), key=doors)


def answer_ritual(planner: GoalPlanner) -> Act:
    """Return the act that answers a ritual's question: where to dive, or what becomes of a new cultist.

    A hero on a lost tile dives to the tile with most open doorways. If the drawn tile has a cultist already, the Sage
    sends the new one to a tile without a token, of those to one with few doors; otherwise, or if there is none, it
    waits.
    """
    state, at = planner.state, planner.state.dungeon.at
    if state.phase is Phase.DIVE:
        ways = dives(planner.rules, state, planner.seat)
        return actions.Dive(max(ways, key=lambda direction: len(state.dungeon.links[ways[direction]])))
    assert state.ritual is not None
    cells = redirect_cells(state, state.ritual.tile)
    if not cells or not state.cultists >> state.ritual.tile & 1:
        return actions.Wait()
    return actions.Redirect(min(cells, key=lambda cell: (has_token(state, cell), at[cell].doors.bit_count())))


class ActiveGoalPlanner(GoalPlanner):
    """A goal planner that also acts: seals, tokens, trades, fights, skills and answers in rituals."""

    def act_at_once(self) -> Act | None:
        """Return the answer to a ritual, or an act that comes before all goals; None if there is none."""
        return act_in_place(self) if self.state.phase is Phase.ACT else answer_ritual(self)

    def act_at_goal(self, goal: Goal) -> Act:
        """Return the act to do once the hero is at the goal; it may take more AP than are left in this turn."""
        return act_at_goal(self, goal)

    def spare_act(self) -> Act:
        """Return a fight, or `wait`."""
        return fight_or_wait(self)


class ActiveTeam(TeamGoals):
    """The goals of all heroes in one state; each hero's planner is an `ActiveGoalPlanner`, which also acts."""

    @property
    def planner_type(self) -> type[ActiveGoalPlanner]:
        """Class of the heroes' goal planners."""
        return ActiveGoalPlanner
