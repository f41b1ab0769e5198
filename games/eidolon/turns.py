"""One answer applied: the deed or a ritual's answer, then what follows it, as an ordered list of named stages.

When a hero's AP are gone its turn ends: ritual (which may stop to ask), the stages of the mode, the next hero.
"""

from __future__ import annotations

from collections.abc import Callable

from games.eidolon import ritual
from games.eidolon.actions import Action
from games.eidolon.apply import do
from games.eidolon.ending import verdict
from games.eidolon.legal import cost
from games.eidolon.modes import MODES
from games.eidolon.params import AP_PER_TURN, Rules
from games.eidolon.state import End, Message, Phase, Seat, State
from games.eidolon.work import Work

Stage = Callable[[Work], None]


def play(rules: Rules, state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action of the seat to act."""
    work = Work(rules, state)
    if action.words:
        work.messages = (*work.messages, Message(seat, action.words))
    if state.phase is Phase.ACT:
        do(work, seat, action.deed, cost(rules, state, seat, action.deed))
        _judge(work, state)
        if work.end is None and work.ap_left == 0:
            _end_turn(work)
    else:
        ritual.answer(work, seat, action.deed)
    if work.ap_left == 0 and work.phase is Phase.ACT:
        for stage in (lambda work: _judge(work, state), *MODES[rules.mode], next_hero):
            if work.end is None:
                stage(work)
    return work.frozen()


def _end_turn(work: Work) -> None:
    """The hero's turn is over: the ritual begins."""
    work.is_surging = False
    work.is_strike_used = False
    work.change_hero(work.active, turns=work.heroes[work.active].turns + 1)
    if work.rules.cultists:
        ritual.begin(work)


def _judge(work: Work, before: State) -> None:
    """Whether the match is over."""
    is_changed = work.dungeon.placed is not before.dungeon.placed
    work.end = verdict(work.rules, work, is_changed=is_changed)


def next_hero(work: Work) -> None:
    """The next living hero's turn begins; a game round ends when it is one further up the table."""
    later = [seat for seat in work.living() if seat > work.active]
    if not later:
        work.game_round += 1
        if work.game_round > work.rules.max_game_rounds:
            work.game_round -= 1
            work.end = End.ROUNDS
            return
    start_turn(work, later[0] if later else work.living()[0])


def start_turn(work: Work, seat: Seat) -> None:
    """Fresh AP, less one for standing up; what the hero said before is forgotten."""
    work.active = seat
    work.ap_left = AP_PER_TURN
    work.messages = tuple(message for message in work.messages if message.seat != seat)
    if work.heroes[seat].is_lying:
        work.change_hero(seat, is_lying=False)
        work.pay(seat, 1)
