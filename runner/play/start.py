"""The first message of a match to each of its bots, made from its pairing and its deal. Sends nothing."""

from __future__ import annotations

from gridjoust.games.api import AnyGame
from gridjoust.runner.referee.messages import start_message
from gridjoust.runner.schedule import Entrant, Pairing
from gridjoust.runner.seeds import bot_seed
from gridjoust.runner.wire import protocol


def start_for(entrant: Entrant, pairing: Pairing, game: AnyGame, deal: object, run_key: bytes) -> protocol.Start:
    """What an entrant is told before the first turn; `deal` is the first state."""
    return start_message(
        game,
        deal,
        match_id=pairing.match_id,
        variant=pairing.variant,
        seats=entrant.seats,
        bot_seed=bot_seed(run_key, pairing.match_id, entrant.seats[0]),
        time=entrant.time,
        options=entrant.program.options,
    )
