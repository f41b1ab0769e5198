"""Situations of eidolon put together by hand, and answers played in a line each. Holds no expectations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from gridjoust.games.api import ParamValue
from gridjoust.games.bitset import mask_of, members
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.actions import Tokens
from gridjoust.games.eidolon.dungeon import Dungeon, Placed, edge_of
from gridjoust.games.eidolon.state import End, Hero, State
from gridjoust.games.eidolon.tiles import NUMBERS, TILES, TileSet, draw_pile
from gridjoust.games.grid import Cell, parse_direction
from tests import scene as shared


@dataclass(frozen=True)
class Scene(shared.Scene[Eidolon, State]):
    """A game of eidolon and a situation in it."""

    def hero(self, seat: int = 0) -> Hero:
        return self.state.heroes[seat]

    def put(self, seat: int, **fields: Any) -> Scene:
        """The scene with some fields of a hero set."""
        return self.change_one("heroes", seat, **fields)

    @property
    def end(self) -> End | None:
        return self.state.end

    def legal_among(self, *texts: str) -> str:
        """Those of the actions, separated by commas, that are legal, in their order."""
        return ", ".join(text for text in ", ".join(filter(None, texts)).split(", ") if self.is_legal(text))

    def facts(self) -> dict[str, Any]:
        """What tests ask for, under short names; of the heroes a list by seat, tiles by name."""
        state, last = self.state, self.state.dungeon.placed[-1]
        return {
            "cells": [hero.cell for hero in state.heroes],
            "tokens": [hero.tokens for hero in state.heroes],
            "spent": [hero.ap_spent for hero in state.heroes],
            "paths": [hero.path_length for hero in state.heroes],
            "removed": [hero.cultists_removed for hero in state.heroes],
            "ap": state.ap_left,
            "seat": self.seat,
            "phase": state.phase,
            **{name: getattr(state, name) for name in ("game_round", "broken", "carrier", "threat", "end")},
            **{name: getattr(state, name) for name in ("tiles_lost", "barriers_left", "messages")},
            "laid": (TILES[last.tile].name, last.cell, last.quarters * 90),
            "barriers": {(cell.x, cell.y, side.name) for cell, side in state.dungeon.barriers},
            "stack": names(state.dungeon.stack),
            "cultists": names(state.cultists),
            "discards": names(state.discards),
            "removed_cards": names(state.removed_cards),
            "void": names(state.void),
        }

    def after(self, text: str, expected: Iterable[str]) -> dict[str, Any]:
        """These facts after some actions, separated by commas."""
        facts = self.play(*text.split(", ")).facts() if text else self.facts()
        return {name: facts[name] for name in expected}


def tiles_of(*names: str) -> TileSet:
    return mask_of([NUMBERS[name] for name in names])


def names(tiles: TileSet) -> list[str]:
    return [TILES[tile].name for tile in members(tiles)]


def place(name: str, x: int, y: int, degrees: int = 0) -> Placed:
    """A tile by its name."""
    return Placed(NUMBERS[name], Cell(x, y), degrees // 90)


def scene(
    *tiles: Placed,
    at: tuple[tuple[int, int], ...] = ((0, 0),),
    tokens: tuple[Tokens, ...] = (),
    on: tuple[str, ...] = (),
    cards: tuple[str, ...] | None = None,
    blocked: tuple[tuple[int, int, str], ...] = (),
    stack: tuple[str, ...] | None = None,
    seed: int = 0,
    **params: ParamValue,
) -> Scene:
    """The Vestibule and some tiles, heroes `at` these places, cultists `on` these chambers.

    `cards` is the ritual deck (all other cards are out of the match), `stack` what is left to draw: by default nothing
    on a known map, all that does not lie on an unknown one.
    """
    game = Eidolon(params, seats=len(at))
    placed = (place("vestibule", 0, 0), *tiles)
    laid = mask_of([tile.tile for tile in placed])
    pile = draw_pile(game.rules.tile_set, end_doors=game.rules.end_doors) & ~laid
    if stack is not None:
        pile = tiles_of(*stack)
    elif game.rules.known_map:
        pile = 0
    barriers = frozenset(edge_of(Cell(x, y), parse_direction(side)) for x, y, side in blocked)
    state = game.initial_state(seed)
    held = tokens or ((0, 0, 0),) * len(at)
    state = replace(
        state,
        dungeon=Dungeon(placed, pile, barriers),
        heroes=tuple(Hero(cell=Cell(*cell), tokens=own) for cell, own in zip(at, held, strict=True)),
        cultists=tiles_of(*on),
        end=None,
    )
    if cards is not None:
        in_deck = tiles_of(*cards)
        state = replace(state, removed_cards=state.tokens & ~in_deck)
    return Scene(game, state)
