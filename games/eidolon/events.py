"""Special events of eidolon: further stages of a turn by `mode`, after the ritual and before the next hero.

Each happens at the end of a game round at a random place, with equal chances. No event ends a match by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gridjoust.games.eidolon.state import TurnDraft


def tremor(draft: TurnDraft) -> None:
    """Put a barrier into a random open doorway."""
    dungeon = draft.state.dungeon
    open_doorways = [edge for edge in dungeon.doorways() if edge not in dungeon.barriers]
    if _is_round_over(draft) and open_doorways:
        draft.set(dungeon=dungeon.with_barriers([draft.rng("tremor").choice(open_doorways)]))


def shade(draft: TurnDraft) -> None:
    """Let a shade haunt one tile; heroes there or one open doorway away fall and pay 1 AP to stand up."""
    if not _is_round_over(draft):
        return
    dungeon = draft.state.dungeon
    haunted = draft.rng("shade").choice(dungeon.placed).cell
    frightened = {haunted, *dungeon.links[haunted].values()}
    for seat in draft.state.living():
        if draft.state.cell_of(seat) in frightened:
            draft.set_hero(seat, is_lying=True)


def _is_round_over(draft: TurnDraft) -> bool:
    return draft.state.active >= max(draft.state.living())


MODES: Mapping[str, tuple[Callable[[TurnDraft], None], ...]] = {"plain": (), "tremors": (tremor,), "shades": (shade,)}
