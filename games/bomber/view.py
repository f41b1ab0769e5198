"""Views of bomber for each seat and for everyone, as fresh lists of plain JSON values.

A place is `[x, y]`, x to the right, y down, `[0, 0]` top left. Lists are sorted by row, then column, unless a table
says otherwise, so that no order reveals hidden facts.

Briefing: `params` (all of them), `size` `[width, height]` (of the map in play, even if `params` differ), `metal`,
`closing` (in order `[x, y, tick]`: at the end of that tick the cell becomes metal; empty if the board stays open).

Observation:

| key | value |
|---|---|
| `tick` | the tick that is played next, from 0 |
| `seat`, `position`, `hp`, `ammo`, `score` | of the seat itself; HP is 0 or less after its death |
| `opponents` | by seat, each `{"seat", "position", "alive"}`; the dead stay on the board as bodies and block |
| `size` | `[width, height]` |
| `metal`, `soft`, `ore` | places of blocks by kind |
| `bombs` | places of bombs |
| `ammo_tokens`, `treasure` | places of ammo on the ground and of treasure |

With `hidden: false` also:

| key | value |
|---|---|
| `bombs` | in the order they were laid, which is the order in which their fires act |
| `bomb_timers`, `bomb_owners` | per bomb: ticks until it makes fire (1 = at the end of this tick), and seat |
| `fire` | per fire `[x, y, seat of its owner]`, in the order they act in this tick; several may share a place |
| `soft_hp`, `ore_hp` | per block: fires it still takes |
| `ammo_timers` | per token on the ground: ticks until it expires (1 = at the end of this tick) |
| `ammo_due` | per token to come: ticks until it comes (1 = at the end of this tick), soonest first |
| `opponents` | each also with `hp`, `ammo`, `score` |

Public view: `tick`, `size`, `metal`, `soft`, `ore`, `bombs`, `ammo_tokens`, `treasure` and, with `hidden: false`, the
keys of the second table, as above; `players`, by seat, like `opponents`. It holds only what every seat sees: with
`hidden: true` no HP, ammo, score, fire, timers or owners. No view tells when the next treasure appears, because that is
future chance.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from gridjoust.games.api import Json
from gridjoust.games.bomber.params import Rules
from gridjoust.games.bomber.state import FREE, HP_MASK, METAL, ORE, Bomb, Player, Seat, State, Token


class _Kinds(NamedTuple):
    metal: tuple[int, ...]
    soft: tuple[int, ...]
    ore: tuple[int, ...]


@lru_cache(maxsize=256)
def cells_by_kind(blocks: bytes) -> _Kinds:
    """Return the cells of metal blocks, of soft blocks and of ore blocks, each as a sorted tuple."""
    standing = [(cell, block) for cell, block in enumerate(blocks) if block != FREE]
    return _Kinds(
        tuple(cell for cell, block in standing if block == METAL),
        tuple(cell for cell, block in standing if METAL < block < ORE),
        tuple(cell for cell, block in standing if block >= ORE),
    )


@lru_cache(maxsize=256)
def _places_by_kind(blocks: bytes, width: int) -> tuple[list[list[int]], ...]:
    """Return three lists of places [x, y]: metal, soft and ore blocks; cached, so views must copy them."""
    return tuple(_places(cells, width) for cells in cells_by_kind(blocks))


def briefing(rules: Rules, params: dict[str, Json], state: State) -> Json:
    """Return what stays true for the whole match; it is the same for every seat."""
    metal, _, _ = _places_by_kind(state.blocks, rules.width)
    places = rules.board.places
    closing = [[*places[cell], tick] for tick, cell in rules.closes.items()]
    return {
        "params": params,
        "size": [rules.width, rules.height],
        "metal": [*map(list.copy, metal)],
        "closing": closing,
    }


def observation(rules: Rules, state: State, seat: Seat) -> dict[str, Json]:
    """Return what the seat may know now."""
    own = state.players[seat]
    seen = {
        "tick": state.tick,
        "seat": seat,
        "position": [own.cell % rules.width, own.cell // rules.width],
        "hp": own.hp,
        "ammo": own.ammo,
        "score": own.score,
        "opponents": [_seen_player(rules, n, player) for n, player in enumerate(state.players) if n != seat],
    }
    _add_things(seen, rules, state)
    return seen


def public_view(rules: Rules, state: State) -> dict[str, Json]:
    """Return what everyone may know now."""
    seen: dict[str, Json] = {
        "tick": state.tick,
        "players": [_seen_player(rules, seat, player) for seat, player in enumerate(state.players)],
    }
    _add_things(seen, rules, state)
    return seen


def _seen_player(rules: Rules, seat: Seat, player: Player) -> dict[str, Json]:
    seen: dict[str, Json] = {
        "seat": seat,
        "position": [player.cell % rules.width, player.cell // rules.width],
        "alive": player.died_tick is None,
    }
    if not rules.hidden:
        seen |= {"hp": player.hp, "ammo": player.ammo, "score": player.score}
    return seen


def _add_things(seen: dict[str, Json], rules: Rules, state: State) -> None:
    width = rules.width
    metal, soft, ore = _places_by_kind(state.blocks, width)
    seen["size"] = [width, rules.height]
    seen["metal"] = [*map(list.copy, metal)]
    seen["soft"] = [*map(list.copy, soft)]
    seen["ore"] = [*map(list.copy, ore)]
    seen["bombs"] = _sorted_places(state.bombs, width) if state.bombs else []
    seen["ammo_tokens"] = _sorted_places(state.ammo, width) if state.ammo else []
    seen["treasure"] = _places(sorted(state.treasure), width) if state.treasure else []
    if not rules.hidden:
        _add_hidden(seen, rules, state)


def _add_hidden(seen: dict[str, Json], rules: Rules, state: State) -> None:
    kinds = cells_by_kind(state.blocks)
    seen["bombs"] = _places([bomb.cell for bomb in state.bombs], rules.width)
    seen["bomb_timers"] = [bomb.fires_tick - state.tick + 1 for bomb in state.bombs]
    seen["bomb_owners"] = [bomb.owner for bomb in state.bombs]
    seen["fire"] = [[fire.cell % rules.width, fire.cell // rules.width, fire.owner] for fire in state.fires]
    seen["soft_hp"] = [state.blocks[cell] & HP_MASK for cell in kinds.soft]
    seen["ore_hp"] = [state.blocks[cell] & HP_MASK for cell in kinds.ore]
    seen["ammo_timers"] = [token.last_tick - state.tick + 1 for token in sorted(state.ammo)]
    seen["ammo_due"] = [due - state.tick + 1 for due in state.ammo_due]


def _sorted_places(things: Iterable[Bomb | Token], width: int) -> list[list[int]]:
    return _places(sorted([thing.cell for thing in things]), width)


def _places(cells: Iterable[int], width: int) -> list[list[int]]:
    return [[cell % width, cell // width] for cell in cells]
