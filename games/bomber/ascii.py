"""Draw situations of bomber as text, with everything that is hidden from the seats; `maps` parses map texts."""

from __future__ import annotations

from gridjoust.games.bomber.params import Rules
from gridjoust.games.bomber.state import HP_MASK, State
from gridjoust.games.bomber.view import cells_by_kind
from gridjoust.games.grid import Cell, format_cells


def render(rules: Rules, state: State) -> str:
    """Draw the whole board with the signs of map texts, `x` bodies, `@` bombs, `*` fire; list other facts below."""
    kinds = cells_by_kind(state.blocks)
    layers = (
        dict.fromkeys(state.treasure, "t"),
        dict.fromkeys([token.cell for token in state.ammo], "a"),
        dict.fromkeys([fire.cell for fire in state.fires], "*"),
        dict.fromkeys(kinds.metal, "#"),
        dict.fromkeys(kinds.soft, "s"),
        dict.fromkeys(kinds.ore, "o"),
        dict.fromkeys([bomb.cell for bomb in state.bombs], "@"),
        {player.cell: "x" if player.died_tick is not None else str(seat) for seat, player in enumerate(state.players)},
    )
    places = rules.board.places
    signs = {Cell(*places[cell]): sign for layer in layers for cell, sign in layer.items()}
    return "\n".join([f"tick {state.tick}", format_cells(rules.width, rules.height, signs), *_status(rules, state)])


def _status(rules: Rules, state: State) -> list[str]:
    """Return a line for each player, bomb and ore block, and one for the owners of fires."""
    places = rules.board.places
    lines = []
    for seat, player in enumerate(state.players):
        dead = "" if player.died_tick is None else f", died in tick {player.died_tick}"
        lines.append(f"seat {seat}: {max(0, player.hp)} HP, {player.ammo} ammo, {player.score} points{dead}")
    for bomb in state.bombs:
        x, y = places[bomb.cell]
        lines.append(f"bomb ({x},{y}) of seat {bomb.owner}: fire in {bomb.fires_tick - state.tick + 1}")
    for cell in cells_by_kind(state.blocks).ore:
        x, y = places[cell]
        lines.append(f"ore ({x},{y}): {state.blocks[cell] & HP_MASK} HP")
    if state.fires:
        burning = " ".join("({},{}) of {}".format(*places[fire.cell], fire.owner) for fire in state.fires)
        lines.append(f"fire: {burning}")
    return lines
