"""Acts of a hero in its own cell if a ritual follows every turn.

It does what `gridjoust.bots.eidolon.in_place` does, with the values of `gridjoust.bots.eidolon.threats.Risks`. Heroes
of a large team also give their tokens to one hero, send them, and avoid acts that would delay a seal. Each master skill
works once a match, and each hero of a large team has few turns in which to use it, so it is used early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridjoust.bots.eidolon.goals import Goal, Kind
from gridjoust.bots.eidolon.in_place import (
    AT_GOAL,
    act_in_reach,
    best_attack,
    fight_or_wait,
    restorations,
    rushes,
    strikes,
    trade,
)
from gridjoust.bots.eidolon.joint.parties import Party
from gridjoust.bots.eidolon.joint.plan import JointGoalPlanner, JointGoals, Task
from gridjoust.bots.eidolon.roles import FAR_AP
from gridjoust.games.bitset import members
from gridjoust.games.eidolon import actions
from gridjoust.games.eidolon.actions import Act, tokens_of
from gridjoust.games.eidolon.dungeon import Dungeon
from gridjoust.games.eidolon.legal import dives, has_token, redirect_cells
from gridjoust.games.eidolon.params import AP_PER_TURN
from gridjoust.games.eidolon.ritual import deck
from gridjoust.games.eidolon.state import Phase, Seat
from gridjoust.games.eidolon.tiles import BIT, DOORS, SEALS, TILES, TOKENS_NEEDED, Colour, turned_to
from gridjoust.games.grid import DIRECTIONS, Cell, Direction

CLEAR_CELLS = 2  # cultists; a single one is cheaper to attack by a hero
CLEAR_AP = 15.0  # AP that the Paladin's strike at a tile and all around it must save the team
RUSH_AP = 4.0  # AP that the Warrior's rush must save the team
SOON_TURNS = 7  # hero turns within which all seals must fall for the Wizard to leap to the Fire


def is_late(planner: JointGoalPlanner) -> bool:
    """Return True if one AP spent on anything else delays a seal, or the carried Fire, by a turn of this hero."""
    parties, clock, seat = planner.team.parties, planner.team.parties.clock, planner.seat
    if not parties.are_formed:
        return False
    if planner.state.carrier == seat and planner.team.home in planner.distances:
        ap = planner.distances[planner.team.home]
        return clock.turns(seat, ap + 1) > clock.turns(seat, ap)
    for colour, party in parties.found.items():
        if seat in party.walkers:
            ap = _duty_ap(planner, colour, party)
            in_time = clock.turns(seat, ap) if seat == party.breaker else party.met_turns
            if clock.turns(seat, ap + 1) > in_time:
                return True
    return False


def _duty_ap(planner: JointGoalPlanner, colour: Colour, party: Party) -> int:
    """Return the AP that the hero still needs for its party: for the path, and to trade or to break the seal."""
    cell = planner.team.parties.meeting_cell(colour, planner.seat)
    ap = planner.distances.get(cell, 0) + 1
    if planner.seat == party.breaker and len(party.walkers) > 1:
        ap += 1 + planner.roads.distances(cell).get(planner.state.dungeon.where[SEALS[colour]], 0)
    return ap


def detours(planner: JointGoalPlanner) -> list[tuple[float, Goal]]:
    """Return (cost, goal) of fights that do not make the hero arrive a turn later, those that save most AP first."""
    parties, seat = planner.team.parties, planner.seat
    ahead = planner.ranked[0][1] if planner.ranked else None
    if not parties.are_formed or ahead is None or ahead.kind is not Kind.STAY:
        return []
    ways, clock = planner.roads.distances(ahead.cell), parties.clock
    task_ap = int(planner.here != ahead.cell and bool(planner.needs.standing))
    in_time = clock.turns(seat, ways[planner.here] + task_ap)
    found = [
        (-worth, Goal(Kind.FIGHT, cell, -worth - planner.distances[cell]))
        for cell, worth in planner.stakes.items()
        if worth > 0
        and cell in ways
        and clock.turns(seat, planner.distances[cell] + 1 + ways[cell] + task_ap) <= in_time
    ]
    return sorted(found, key=lambda entry: entry[0])


def exchanges(planner: JointGoalPlanner) -> Iterator[Act]:
    """Yield trades of heroes of one party who have met: one of them can then go on alone."""
    for colour, party in planner.team.parties.found.items():
        here = [seat for seat in party.walkers if planner.state.cell_of(seat) == planner.here]
        is_meeting = not party.is_courier or party.breaker in here
        if planner.seat in here and len(here) > 1 and is_meeting:
            yield _exchange(planner, colour, party, here)


def _exchange(planner: JointGoalPlanner, colour: Colour, party: Party, here: Sequence[Seat]) -> Act:
    """Return the trade that gives one hero all tokens of the colour.

    It is the courier, if the party has one. At the seal it is the acting hero if it can break the seal now, else the
    other. Elsewhere it is the breaker if present, else the hero with fewer duties.
    """
    held = {seat: planner.state.heroes[seat].tokens[colour] for seat in here}
    other = max((seat for seat in here if seat != planner.seat), key=lambda seat: held[seat])
    if party.is_courier:
        is_taking = planner.seat == party.breaker
        other = other if is_taking else party.breaker
    elif planner.here == planner.state.dungeon.where[SEALS[colour]]:
        is_taking = sum(held.values()) >= TOKENS_NEEDED and planner.state.ap_left >= len(here)
    elif party.breaker in here:
        is_taking = planner.seat == party.breaker
        other = other if is_taking else party.breaker
    else:
        is_taking = _duties(planner, colour, planner.seat) < _duties(planner, colour, other)
    if is_taking:
        return actions.Trade(other, take=tokens_of(colour, min(held[other], TOKENS_NEEDED - held[planner.seat])))
    return actions.Trade(other, give=tokens_of(colour, min(held[planner.seat], TOKENS_NEEDED - held[other])))


def _duties(planner: JointGoalPlanner, colour: Colour, seat: Seat) -> tuple[int, int, Seat]:
    """Return a sort key: the hero with the smaller one should take the tokens of this colour from the other.

    It is (number of seals to which the hero must go, turn in which it can be at this colour's seal, its seat).
    """
    parties = planner.team.parties
    way = planner.needs.roads(seat).distances(planner.here)[planner.state.dungeon.where[SEALS[colour]]]
    trade_ap = int(seat == planner.seat)
    return (
        sum(seat in party.walkers for party in parties.found.values()),
        parties.clock.turns(seat, way + trade_ap),
        seat,
    )


def sendings(planner: JointGoalPlanner) -> Iterator[Act]:
    """Yield acts that send the Wizard's tokens to heroes who need them to break a seal."""
    for colour, party in planner.team.parties.found.items():
        held = sum(planner.state.heroes[seat].tokens[colour] for seat in party.walkers)
        if planner.seat not in party.walkers and held < TOKENS_NEEDED:
            yield actions.Send(colour, party.breaker)


def great_acts(planner: JointGoalPlanner) -> Iterator[Act]:
    """Yield master skills that save turns or much fighting, at the start of a turn; none in a small team."""
    if not planner.team.parties.are_formed:
        return
    match planner.hero:
        case "paladin" if not is_late(planner):
            yield from strikes(planner, CLEAR_AP, least_cells=CLEAR_CELLS)
        case "warrior":
            yield from rushes(planner, RUSH_AP)
        case "rogue" if _is_far_from_home(planner) or _is_short_of_ap(planner):
            yield actions.Surge()
        case "wizard" if _is_far_from_home(planner):
            yield actions.Strike(planner.team.home)
        case "wizard" if planner.team.fire is not None and _may_wait_at(planner, planner.team.fire):
            yield actions.Strike(planner.team.fire)


def _is_short_of_ap(planner: JointGoalPlanner) -> bool:
    """Return True if what the hero must do for its party takes more AP than one turn has."""
    duties = planner.team.parties.found.items()
    return any(
        planner.seat in party.walkers and _duty_ap(planner, colour, party) > AP_PER_TURN for colour, party in duties
    )


def _is_far_from_home(planner: JointGoalPlanner) -> bool:
    """Return True if all that is left is to come home, and that takes more than this turn."""
    team, needs = planner.team, planner.needs
    is_taking = team.fire is not None and planner.seat == team.nearest_to(team.fire, needs.living)
    return not needs.standing and not is_taking and planner.distances.get(team.home, FAR_AP) > AP_PER_TURN


def _may_wait_at(planner: JointGoalPlanner, fire: Cell) -> bool:
    """Return True if the Wizard may leap to the Fire and wait there.

    It may if the seals fall soon without it, the Fire is more than a turn's walk away, and no hero is there yet.
    """
    needs, found, seat = planner.needs, planner.team.parties.found, planner.seat
    heroes = planner.state.heroes
    return (
        bool(needs.standing)
        and all(colour in found and found[colour].turns <= SOON_TURNS for colour in needs.standing)
        and not any(heroes[seat].tokens[colour] or seat in found[colour].walkers for colour in needs.standing)
        and not any(heroes[other].cell == fire for other in needs.living)
        and planner.distances.get(fire, FAR_AP) > AP_PER_TURN
    )


ATTACK_AP = 1.5  # least value of a cultist on the hero's own tile
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
    """Return an act by a skill or on this tile that comes before all goals, or None."""
    exchange = next(filter(planner.can, exchanges(planner)), None)
    skilful = filter(planner.can, _skills(planner))
    return act_in_reach(planner) or exchange or trade(planner) or next(skilful, None) or _fight(planner)


def _fight(planner: JointGoalPlanner) -> Act | None:
    """Return an attack on this tile if it is worth its AP and delays nothing; None if it should grab a token first."""
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
    """Yield acts that send the Wizard's tokens to heroes who could break a seal with them."""
    for colour in planner.needs.full if planner.rules.seal_rule == "personal" else ():
        taker = planner.team.roles[colour]
        if taker != planner.seat and planner.state.heroes[taker].tokens[colour] < TOKENS_NEEDED:
            yield actions.Send(colour, taker)


def _fetches(planner: JointGoalPlanner) -> Iterator[Act]:
    """Yield the act that fetches the token farthest from its collector, or likely to be lost, if worth it."""
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
    """Yield the cells of seals that the hero can break, and of the Fire if this hero is to take it."""
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
    """Return the rotation in degrees with the most valuable doors, summed over all tiles that may be drawn."""
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
    """Return the act that answers a ritual's question: where to dive, or what becomes of a new cultist.

    A hero on a lost tile dives to the tile with most open doorways. The Sage sends the cultist to the tile where it
    does least harm (no needed token, then its card drawn already, then few doors), or waits if that is no better.
    """
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
    """Return an act for spare AP: lay a tile beside this one if the hero can come back in time, else fight or wait."""
    doors = [direction for cell, direction in planner.team.doors if cell == planner.here]
    if planner.state.ap_left >= COME_BACK_AP and doors and planner.team.is_searching:
        rests = {d: planner.team.rest(planner.seat, Task(Kind.EXPLORE, planner.here, direction=d)) for d in doors}
        best = min(doors, key=rests.__getitem__)
        return act_at_goal(planner, Goal(Kind.EXPLORE, planner.here, 0, best))
    return fight_or_wait(planner)


class ActiveJointGoalPlanner(JointGoalPlanner):
    """A goal planner of the joint plan that also acts, for matches in which a ritual follows every turn."""

    @property
    def worthwhile(self) -> list[tuple[float, Goal]]:
        """Fights (cost, goal) that do not delay the hero's arrival; if there are none, all goals, best first."""
        return detours(self) or self.ranked

    def act_at_once(self) -> Act | None:
        """Return the answer to a ritual, or an act that comes before all goals; None if there is none."""
        return act_in_place(self) if self.state.phase is Phase.ACT else answer_ritual(self)

    def act_at_goal(self, goal: Goal) -> Act:
        """Return the act to do once the hero is at the goal; it may take more AP than are left in this turn."""
        return act_at_goal(self, goal)

    def spare_act(self) -> Act:
        """Return the laying of a tile beside this one, a fight, or `wait`."""
        return spare_act(self)


class ActiveJointTeam(JointGoals):
    """The joint plan of all heroes; each hero's planner is an `ActiveJointGoalPlanner`, which also acts."""

    @property
    def planner_type(self) -> type[ActiveJointGoalPlanner]:
        """Class of the heroes' goal planners."""
        return ActiveJointGoalPlanner
