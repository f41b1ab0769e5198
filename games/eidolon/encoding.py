"""Canonical bytes of a situation of eidolon, for the hash chain. Decodes nothing."""

from __future__ import annotations

from games.eidolon.dungeon import edge_key
from games.eidolon.state import State


def encode(state: State) -> bytes:
    """Equal exactly for equal states, in every process: every field, in the order of the state."""
    dungeon, ritual = state.dungeon, state.ritual
    fields = (
        state.seed,
        [(placed.tile, *placed.cell, placed.quarters) for placed in dungeon.placed],
        dungeon.stack,
        sorted(edge_key(edge) for edge in dungeon.barriers),
        [None if hero.cell is None else tuple(hero.cell) for hero in state.heroes],
        [tuple(hero[1:]) for hero in state.heroes],
        (state.tokens, state.turns, state.game_round, state.active, state.ap_left),
        (state.is_surging, state.is_strike_used, state.phase.value, None if ritual is None else tuple(ritual)),
        (state.cultists, state.discards, state.removed_cards, state.void, state.threat, state.broken, state.carrier),
        (state.barriers_left, state.tiles_lost, [tuple(message) for message in state.messages]),
        None if state.end is None else state.end.value,
    )
    return repr(fields).encode()
