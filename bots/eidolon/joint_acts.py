"""Acts of a hero in its own cell if a ritual follows every turn.

It does what `gridjoust.bots.eidolon.in_place` does, with the values of `gridjoust.bots.eidolon.joint_risks`.
"""

from __future__ import annotations

from collections.abc import Iterator

from gridjoust.bots.eidolon.goals import Goal, Kind
from gridjoust.bots.eidolon.in_place import AT_GOAL, act_in_reach, best_attack, fight_or_wait, restorations, trade
from gridjoust.bots.eidolon.joint_plan import JointGoalPlanner, JointGoals, Task
from gridjoust.bots.eidolon.party_acts import detours, exchanges, great_acts, is_late, sendings
from gridjoust.games.bitset import members
from gridjoust.games.eidolon import actions
from gridjoust.games.eidolon.actions import Act
from gridjoust.games.eidolon.dungeon import Dungeon
from gridjoust.games.eidolon.legal import dives, has_token, redirect_cells
from gridjoust.games.eidolon.params import AP_PER_TURN
from gridjoust.games.eidolon.ritual import deck
from gridjoust.games.eidolon.state import Phase
from gridjoust.games.eidolon.tiles import BIT, DOORS, SEALS, TILES, TOKENS_NEEDED, turned_to
from gridjoust.games.grid import DIRECTIONS, Cell, Direction

ATTACK_AP = 1.5  # least value of a cultist on the own tile
STRIKE_AP = 1.2  # least value for the Paladin's attack from afar
REACH_AP = 2.0  # least value for the Warrior's attack on the next tile
FETCH_AP = 8.0  # distance to a token from which on the Ranger takes it from afar
FETCH_RISK_AP = 10.0  # added to the distance of a token that will be lost
UNREACHED_AP = 20  # replaces the distance of a token that its collector cannot walk to
COME_BACK_AP = 2  # to lay a tile and step back
SURGE_STEPS = 5  # distance from which on the Rogue uses its surge
LEAP_STEPS = 6  # distance from which on the Wizard leaps
LEAP_STEPS_OF_MANY = 4  # that distance in a large team: more than a turn's walk


def act_in_place(planner: JointGoalPlanner) -> Act | None:
    """Return an act that comes before all goals, or None."""
    exchange = next(filter(planner.can, exchanges(planner)), None)
    skilful = filter(planner.can, _skills(planner))
    return act_in_reach(planner) or exchange or trade(planner) or next(skilful, None) or _fight(planner)


def _fight(planner: JointGoalPlanner) -> Act | None:
    """Fight the cultist on the own tile, but only after grabbing the token to be taken here."""
    if planner.stakes.get(planner.here, 0.0) < ATTACK_AP or is_late(planner):
        return None
    is_grabbing = any(goal.kind is Kind.GRAB and goal.cell == planner.here for _, goal in planner.ranked[:1])
    return None if is_grabbing and planner.can(actions.Grab()) else actions.Attack()


def _skills(planner: JointGoalPlanner) -> Iterator[Act]:
    """Yield acts by the hero's skills that are worth it now, the best first."""
    if not planner.hero or planner.state.carrier == planner.seat:
        return
    is_fresh = planner.state.ap_left == AP_PER_TURN
    yield from great_acts(planner) if is_fresh else ()
    match planner.hero:
        case "paladin" | "warrior" if not is_late(planner):
            worth, attack = best_attack(planner)
            if attack is not None and worth >= (STRIKE_AP if planner.hero == "paladin" else REACH_AP):
                yield attack
        case "sage" if is_fresh:
            yield from restorations(planner)
        case "ranger" if is_fresh:
            yield from _fetches(planner)
        case "rogue" if is_fresh:
            if any(planner.distances.get(cell, SURGE_STEPS) >= SURGE_STEPS for cell in _places_of_decision(planner)):
                yield actions.Surge()
        case "wizard":
            is_large = planner.team.parties.are_formed
            yield from sendings(planner) if is_large else _sendings(planner)
            least = LEAP_STEPS_OF_MANY if is_large else LEAP_STEPS
            far = (c for c in _places_of_decision(planner) if planner.distances.get(c, least) >= least)
            yield from map(actions.Strike, far)


def _sendings(planner: JointGoalPlanner) -> Iterator[Act]:
    """Yield sendings of tokens to heroes who could break a seal with them."""
    for colour in planner.needs.full if planner.rules.seal_rule == "personal" else ():
        taker = planner.team.roles[colour]
        if taker != planner.seat and planner.state.heroes[taker].tokens[colour] < TOKENS_NEEDED:
            yield actions.Send(colour, taker)


def _fetches(planner: JointGoalPlanner) -> Iterator[Act]:
    """Yield the fetch of the token that is farthest from its collector or will be lost, if worth it."""
    team, needs = planner.team, planner.needs
    found: list[tuple[float, Act]] = []
    for colour in needs.wanted:
        taker = team.roles[colour]
        ways = team.of(taker).distances
        for cell in needs.token_cells[colour]:
            worth = ways.get(cell, UNREACHED_AP) + FETCH_RISK_AP * team.risks.token_odds(cell)
            found.append((worth, actions.Fetch(cell, taker)))
    worth, fetch = max(found, key=lambda entry: entry[0], default=(0.0, actions.Wait()))
    if worth >= FETCH_AP:
        yield fetch


def _places_of_decision(planner: JointGoalPlanner) -> Iterator[Cell]:
    """Yield seals that the hero can break, and the Fire if this hero is to take it."""
    needs, where, team = planner.needs, planner.state.dungeon.where, planner.team
    for colour in needs.standing:
        holds = planner.state.heroes[planner.seat].tokens[colour] >= TOKENS_NEEDED
        taker = team.parties.found[colour].breaker if colour in team.parties.found else team.roles[colour]
        if taker == planner.seat and holds and SEALS[colour] in where:
            yield where[SEALS[colour]]
    if not needs.standing and team.fire is not None and planner.seat == team.nearest_to(team.fire, needs.living):
        yield team.fire


FREE_DOOR = 2.0  # value of a new tile's door onto an empty cell beside the exit; less farther off
MEETING_DOOR = 3.0  # value of a door that meets another tile's: two paths are harder to cut


def act_at_goal(planner: JointGoalPlanner, goal: Goal) -> Act:
    """Return the act at the goal; a new tile is turned so that it closes loops and stays near the exit."""
    if goal.direction is None:
        return AT_GOAL[goal.kind]
    if planner.state.dungeon.is_blocked(goal.cell, goal.direction):
        return actions.BreakBarrier(goal.direction)
    entrance, there = goal.direction.opposite, goal.cell.step(goal.direction)
    return actions.Explore(goal.direction, _degrees(planner.state.dungeon, there, entrance, planner.team.home))


def _degrees(dungeon: Dungeon, cell: Cell, entrance: Direction, home: Cell) -> int:
    """Return the rotation with the best doors, summed over all tiles that may be drawn."""
    worth: dict[Direction, float] = {}
    for side in DIRECTIONS:
        beyond = cell.step(side)
        if beyond not in dungeon.at:
            worth[side] = FREE_DOOR * (0.5 + 1 / (1 + abs(beyond.x - home.x) + abs(beyond.y - home.y)))
        elif side is not entrance and dungeon.has_door(beyond, side.opposite):
            worth[side] = MEETING_DOOR

    def total(degrees: int) -> float:
        laid = [DOORS[tile][turned_to(tile, entrance, first=degrees // 90)] for tile in members(dungeon.stack)]
        return sum(value for doors in laid for side, value in worth.items() if doors & BIT[side])

    return max((0, 90, 180, 270), key=total)


def answer_ritual(planner: JointGoalPlanner) -> Act:
    """Dive to the tile with most doors; send a new cultist where its tile matters least and its card has passed."""
    state = planner.state
    if state.phase is Phase.DIVE:
        links, ways = state.dungeon.links, dives(planner.rules, state, planner.seat)
        home = planner.roads.distances(planner.team.home)
        return actions.Dive(max(ways, key=lambda side: (len(links[ways[side]]), -home.get(ways[side], 99))))
    assert state.ritual is not None
    tile = state.ritual.tile
    cells = redirect_cells(state, tile)
    best = min(cells, key=lambda cell: _redirection_cost(planner, cell), default=None)
    is_safe = not state.cultists >> tile & 1 and not _has_needed_token(planner, state.dungeon.where[tile])
    is_better = best is not None and (state.cultists >> tile & 1 or not _has_needed_token(planner, best))
    return actions.Redirect(best) if best is not None and is_better and not is_safe else actions.Wait()


def _has_needed_token(planner: JointGoalPlanner, cell: Cell) -> bool:
    tile = planner.state.dungeon.at[cell].tile
    return has_token(planner.state, cell) and TILES[tile].colour in planner.needs.wanted


def _redirection_cost(planner: JointGoalPlanner, cell: Cell) -> tuple[bool, bool, int]:
    state, placed = planner.state, planner.state.dungeon.at[cell]
    may_come = deck(state.discards, state.removed_cards) >> placed.tile & 1
    return _has_needed_token(planner, cell), bool(may_come), placed.doors.bit_count()


def spare_act(planner: JointGoalPlanner) -> Act:
    """Spend spare AP: lay a tile next to this one if the hero can come back in time, else fight."""
    doors = [direction for cell, direction in planner.team.doors if cell == planner.here]
    if planner.state.ap_left >= COME_BACK_AP and doors and planner.team.is_searching:
        rests = {d: planner.team.rest(planner.seat, Task(Kind.EXPLORE, planner.here, direction=d)) for d in doors}
        best = min(doors, key=rests.__getitem__)
        return act_at_goal(planner, Goal(Kind.EXPLORE, planner.here, 0, best))
    return fight_or_wait(planner)


class ActiveJointGoalPlanner(JointGoalPlanner):
    """A goal planner with the acts of this module."""

    @property
    def worthwhile(self) -> list[tuple[float, Goal]]:
        """Fights on the path that cost no time, else the hero's share of the plan."""
        return detours(self) or self.ranked

    def act_at_once(self) -> Act | None:
        """Return the answer to a ritual, or an act that comes before all goals; None if there is none."""
        return act_in_place(self) if self.state.phase is Phase.ACT else answer_ritual(self)

    def act_at_goal(self, goal: Goal) -> Act:
        """Return the act to do at the goal; `wait` too if the AP of this turn do not suffice."""
        return act_at_goal(self, goal)

    def spare_act(self) -> Act:
        """Return the laying of a tile beside this one, a fight, or `wait`."""
        return spare_act(self)


class ActiveJointTeam(JointGoals):
    """The joint plan of heroes who act as this module says."""

    @property
    def planner_type(self) -> type[ActiveJointGoalPlanner]:
        """Class of the heroes' goal planners."""
        return ActiveJointGoalPlanner
