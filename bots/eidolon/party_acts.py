"""Acts of a large team's heroes in their cells: gather tokens in one hand, send them, lose no turn on the path.

Each master skill works once a match, and each hero has few turns in which it could need it: skills are used early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridjoust.bots.eidolon.goals import Goal, Kind
from gridjoust.bots.eidolon.in_place import rushes, strikes
from gridjoust.bots.eidolon.joint_plan import JointGoalPlanner
from gridjoust.bots.eidolon.parties import Party
from gridjoust.bots.eidolon.roles import FAR_AP
from gridjoust.games.eidolon import actions
from gridjoust.games.eidolon.actions import Act, tokens_of
from gridjoust.games.eidolon.params import AP_PER_TURN
from gridjoust.games.eidolon.state import Seat
from gridjoust.games.eidolon.tiles import SEALS, TOKENS_NEEDED, Colour
from gridjoust.games.grid import Cell

CLEAR_CELLS = 2  # cultists; a single one is cheaper to attack by a hero
CLEAR_AP = 15.0  # AP that the Paladin's strike at a tile and all around it must save the team
RUSH_AP = 4.0  # AP that the Warrior's rush must save the team
SOON_TURNS = 7  # hero turns within which all seals must fall for the Wizard to leap to the Fire


def is_late(planner: JointGoalPlanner) -> bool:
    """Return True if one AP spent otherwise delays a seal, or the carried Fire, by a turn of this hero."""
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
    """Return the AP that the hero still needs for its party: the path, a trade, and the seal if it breaks it."""
    cell = planner.team.parties.meeting_cell(colour, planner.seat)
    ap = planner.distances.get(cell, 0) + 1
    if planner.seat == party.breaker and len(party.walkers) > 1:
        ap += 1 + planner.roads.distances(cell).get(planner.state.dungeon.where[SEALS[colour]], 0)
    return ap


def detours(planner: JointGoalPlanner) -> list[tuple[float, Goal]]:
    """Return fights that do not delay the hero's arrival by a turn, those that save most first."""
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
    """Yield trades where two of a party meet: one of them can then go on alone."""
    for colour, party in planner.team.parties.found.items():
        here = [seat for seat in party.walkers if planner.state.cell_of(seat) == planner.here]
        is_meeting = not party.is_courier or party.breaker in here
        if planner.seat in here and len(here) > 1 and is_meeting:
            yield _exchange(planner, colour, party, here)


def _exchange(planner: JointGoalPlanner, colour: Colour, party: Party, here: Sequence[Seat]) -> Act:
    """Choose who takes all tokens: the courier, at the seal a hero who can break it now, else one with fewer duties."""
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
    """Return how many seals a hero must go to, when it can be at this one, and its seat."""
    parties = planner.team.parties
    way = planner.needs.roads(seat).distances(planner.here)[planner.state.dungeon.where[SEALS[colour]]]
    trade_ap = int(seat == planner.seat)
    return (
        sum(seat in party.walkers for party in parties.found.values()),
        parties.clock.turns(seat, way + trade_ap),
        seat,
    )


def sendings(planner: JointGoalPlanner) -> Iterator[Act]:
    """Yield sendings of the Wizard's tokens to breakers who need them."""
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
    """Return True if the hero's party would have to wait for another of its turns."""
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
    """Return True if the seals fall soon without this hero and no hero waits at the Fire."""
    needs, found, seat = planner.needs, planner.team.parties.found, planner.seat
    heroes = planner.state.heroes
    return (
        bool(needs.standing)
        and all(colour in found and found[colour].turns <= SOON_TURNS for colour in needs.standing)
        and not any(heroes[seat].tokens[colour] or seat in found[colour].walkers for colour in needs.standing)
        and not any(heroes[other].cell == fire for other in needs.living)
        and planner.distances.get(fire, FAR_AP) > AP_PER_TURN
    )
