"""What the heroes of a party do where they stand: put tokens into one hand, send them, lose no turn on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bots.eidolon.joint_plan import JointOutlook
from bots.eidolon.parties import Party
from games.eidolon import actions
from games.eidolon.actions import Act, tokens_of
from games.eidolon.state import Seat
from games.eidolon.tiles import SEALS, TOKENS_NEEDED, Colour


def is_late(outlook: JointOutlook) -> bool:
    """Whether an AP spent on something else delays a seal, or the Fire on its way out, by a turn of this hero."""
    parties, clock, seat = outlook.team.parties, outlook.team.parties.clock, outlook.seat
    if not parties.are_formed:
        return False
    if outlook.state.carrier == seat and outlook.team.home in outlook.distances:
        ap = outlook.distances[outlook.team.home]
        return clock.turns(seat, ap + 1) > clock.turns(seat, ap)
    for colour, party in parties.found.items():
        if seat in party.walkers:
            is_breaker = seat == party.breaker
            ap = (
                outlook.distances.get(parties.meeting_cell(colour, seat), 0)
                + 1
                + (is_breaker and len(party.walkers) > 1)
            )
            in_time = clock.turns(seat, ap) if is_breaker else party.turns
            if clock.turns(seat, ap + 1) > in_time:
                return True
    return False


def exchanges(outlook: JointOutlook) -> Iterator[Act]:
    """Tokens change hands where two of a party meet: one of them is enough from there on."""
    for colour, party in outlook.team.parties.found.items():
        here = [seat for seat in party.walkers if outlook.state.cell_of(seat) == outlook.here]
        is_meeting = not party.is_courier or party.breaker in here
        if outlook.seat in here and len(here) > 1 and is_meeting:
            yield _exchange(outlook, colour, party, here)


def _exchange(outlook: JointOutlook, colour: Colour, party: Party, here: Sequence[Seat]) -> Act:
    """All for the courier, or at the seal for the hero that can break it now; else for the one there first."""
    held = {seat: outlook.state.heroes[seat].tokens[colour] for seat in here}
    other = max((seat for seat in here if seat != outlook.seat), key=lambda seat: held[seat])
    if party.is_courier:
        is_taking = outlook.seat == party.breaker
        other = other if is_taking else party.breaker
    elif outlook.here == outlook.state.dungeon.where[SEALS[colour]]:
        is_taking = sum(held.values()) >= TOKENS_NEEDED and outlook.state.ap_left >= len(here)
    else:
        is_taking = _duties(outlook, colour, outlook.seat) < _duties(outlook, colour, other)
    if is_taking:
        return actions.Trade(other, take=tokens_of(colour, min(held[other], TOKENS_NEEDED - held[outlook.seat])))
    return actions.Trade(other, give=tokens_of(colour, min(held[outlook.seat], TOKENS_NEEDED - held[other])))


def _duties(outlook: JointOutlook, colour: Colour, seat: Seat) -> tuple[int, int, Seat]:
    """To how many seals a hero has to go, and when it can be at this one."""
    parties = outlook.team.parties
    way = outlook.needs.roads(seat).distances(outlook.here)[outlook.state.dungeon.where[SEALS[colour]]]
    trade_ap = int(seat == outlook.seat)
    return (
        sum(seat in party.walkers for party in parties.found.values()),
        parties.clock.turns(seat, way + trade_ap),
        seat,
    )


def sendings(outlook: JointOutlook) -> Iterator[Act]:
    """The Wizard's tokens, to those who come last to a seal and need them."""
    for colour, party in outlook.team.parties.found.items():
        held = sum(outlook.state.heroes[seat].tokens[colour] for seat in party.walkers)
        if outlook.seat not in party.walkers and held < TOKENS_NEEDED:
            yield actions.Send(colour, party.breaker)
