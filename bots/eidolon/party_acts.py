"""Acts of a large team's heroes in their cells: gather tokens in one hand, send them, lose no turn on the path.

Each master skill works once a match, and each hero has few turns in which it could need it: skills are used early.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gridjoust.bots.eidolon.goals import Goal, Kind
from gridjoust.bots.eidolon.in_place import rushes, strikes
from gridjoust.bots.eidolon.joint_plan import JointOutlook
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


def is_late(outlook: JointOutlook) -> bool:
    """Return True if one AP spent otherwise delays a seal, or the carried Fire, by a turn of this hero."""
    parties, clock, seat = outlook.team.parties, outlook.team.parties.clock, outlook.seat
    if not parties.are_formed:
        return False
    if outlook.state.carrier == seat and outlook.team.home in outlook.distances:
        ap = outlook.distances[outlook.team.home]
        return clock.turns(seat, ap + 1) > clock.turns(seat, ap)
    for colour, party in parties.found.items():
        if seat in party.walkers:
            ap = _duty_ap(outlook, colour, party)
            in_time = clock.turns(seat, ap) if seat == party.breaker else party.met_turns
            if clock.turns(seat, ap + 1) > in_time:
                return True
    return False


def _duty_ap(outlook: JointOutlook, colour: Colour, party: Party) -> int:
    """Return the AP that the hero still needs for its party: the path, a trade, and the seal if it breaks it."""
    cell = outlook.team.parties.meeting_cell(colour, outlook.seat)
    ap = outlook.distances.get(cell, 0) + 1
    if outlook.seat == party.breaker and len(party.walkers) > 1:
        ap += 1 + outlook.roads.distances(cell).get(outlook.state.dungeon.where[SEALS[colour]], 0)
    return ap


def detours(outlook: JointOutlook) -> list[tuple[float, Goal]]:
    """Return fights that do not delay the hero's arrival by a turn, those that save most first."""
    parties, seat = outlook.team.parties, outlook.seat
    ahead = outlook.ranked[0][1] if outlook.ranked else None
    if not parties.are_formed or ahead is None or ahead.kind is not Kind.STAY:
        return []
    ways, clock = outlook.roads.distances(ahead.cell), parties.clock
    task_ap = int(outlook.here != ahead.cell and bool(outlook.needs.standing))
    in_time = clock.turns(seat, ways[outlook.here] + task_ap)
    found = [
        (-worth, Goal(Kind.FIGHT, cell, -worth - outlook.distances[cell]))
        for cell, worth in outlook.stakes.items()
        if worth > 0
        and cell in ways
        and clock.turns(seat, outlook.distances[cell] + 1 + ways[cell] + task_ap) <= in_time
    ]
    return sorted(found, key=lambda entry: entry[0])


def exchanges(outlook: JointOutlook) -> Iterator[Act]:
    """Yield trades where two of a party meet: one of them can then go on alone."""
    for colour, party in outlook.team.parties.found.items():
        here = [seat for seat in party.walkers if outlook.state.cell_of(seat) == outlook.here]
        is_meeting = not party.is_courier or party.breaker in here
        if outlook.seat in here and len(here) > 1 and is_meeting:
            yield _exchange(outlook, colour, party, here)


def _exchange(outlook: JointOutlook, colour: Colour, party: Party, here: Sequence[Seat]) -> Act:
    """Decide a trade: all to the courier, or at the seal to a hero that can break it now, else to the earlier one."""
    held = {seat: outlook.state.heroes[seat].tokens[colour] for seat in here}
    other = max((seat for seat in here if seat != outlook.seat), key=lambda seat: held[seat])
    if party.is_courier:
        is_taking = outlook.seat == party.breaker
        other = other if is_taking else party.breaker
    elif outlook.here == outlook.state.dungeon.where[SEALS[colour]]:
        is_taking = sum(held.values()) >= TOKENS_NEEDED and outlook.state.ap_left >= len(here)
    elif party.breaker in here:
        is_taking = outlook.seat == party.breaker
        other = other if is_taking else party.breaker
    else:
        is_taking = _duties(outlook, colour, outlook.seat) < _duties(outlook, colour, other)
    if is_taking:
        return actions.Trade(other, take=tokens_of(colour, min(held[other], TOKENS_NEEDED - held[outlook.seat])))
    return actions.Trade(other, give=tokens_of(colour, min(held[outlook.seat], TOKENS_NEEDED - held[other])))


def _duties(outlook: JointOutlook, colour: Colour, seat: Seat) -> tuple[int, int, Seat]:
    """Return how many seals a hero must go to, when it can be at this one, and its seat."""
    parties = outlook.team.parties
    way = outlook.needs.roads(seat).distances(outlook.here)[outlook.state.dungeon.where[SEALS[colour]]]
    trade_ap = int(seat == outlook.seat)
    return (
        sum(seat in party.walkers for party in parties.found.values()),
        parties.clock.turns(seat, way + trade_ap),
        seat,
    )


def sendings(outlook: JointOutlook) -> Iterator[Act]:
    """Yield sendings of the Wizard's tokens to breakers who need them."""
    for colour, party in outlook.team.parties.found.items():
        held = sum(outlook.state.heroes[seat].tokens[colour] for seat in party.walkers)
        if outlook.seat not in party.walkers and held < TOKENS_NEEDED:
            yield actions.Send(colour, party.breaker)


def great_acts(outlook: JointOutlook) -> Iterator[Act]:
    """Yield master skills that save turns or much fighting, at the start of a turn; none in a small team."""
    if not outlook.team.parties.are_formed:
        return
    match outlook.hero:
        case "paladin" if not is_late(outlook):
            yield from strikes(outlook, CLEAR_AP, least_cells=CLEAR_CELLS)
        case "warrior":
            yield from rushes(outlook, RUSH_AP)
        case "rogue" if _is_far_from_home(outlook) or _is_short_of_ap(outlook):
            yield actions.Surge()
        case "wizard" if _is_far_from_home(outlook):
            yield actions.Strike(outlook.team.home)
        case "wizard" if outlook.team.fire is not None and _may_wait_at(outlook, outlook.team.fire):
            yield actions.Strike(outlook.team.fire)


def _is_short_of_ap(outlook: JointOutlook) -> bool:
    """Return True if the hero's party would have to wait for another of its turns."""
    duties = outlook.team.parties.found.items()
    return any(
        outlook.seat in party.walkers and _duty_ap(outlook, colour, party) > AP_PER_TURN for colour, party in duties
    )


def _is_far_from_home(outlook: JointOutlook) -> bool:
    """Return True if all that is left is to come home, and that takes more than this turn."""
    team, needs = outlook.team, outlook.needs
    is_taking = team.fire is not None and outlook.seat == team.nearest_to(team.fire, needs.living)
    return not needs.standing and not is_taking and outlook.distances.get(team.home, FAR_AP) > AP_PER_TURN


def _may_wait_at(outlook: JointOutlook, fire: Cell) -> bool:
    """Return True if the seals fall soon without this hero and no hero waits at the Fire."""
    needs, found, seat = outlook.needs, outlook.team.parties.found, outlook.seat
    heroes = outlook.state.heroes
    return (
        bool(needs.standing)
        and all(colour in found and found[colour].turns <= SOON_TURNS for colour in needs.standing)
        and not any(heroes[seat].tokens[colour] or seat in found[colour].walkers for colour in needs.standing)
        and not any(heroes[other].cell == fire for other in needs.living)
        and outlook.distances.get(fire, FAR_AP) > AP_PER_TURN
    )
