"""A bot's knowledge as a situation of the rules, built from briefing and view alone.

What has not been revealed counts as free corridor, so the rules' own functions answer for the known part: legal
actions, reach, lines of sight. Zargon's briefing holds the whole dungeon.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from gridjoust.bots.api import MatchSetup
from gridjoust.games.bitset import mask_of
from gridjoust.games.heroquest.catalogue import CARDS
from gridjoust.games.heroquest.params import Rules, make_rules
from gridjoust.games.heroquest.sight.board import REGIONS, Board
from gridjoust.games.heroquest.situation import Situation
from gridjoust.games.heroquest.state import Chest, Dungeon, Furniture, Goal, Hero, Lurker, Monster, State, Trap

View = Mapping[str, Any]


class Knowledge:
    """The facts that do not change in a match (board, rules, stairs, goal); it turns each view into a situation."""

    def __init__(self, setup: MatchSetup) -> None:
        briefing: View = setup.briefing[str(setup.seat)]
        rules = make_rules(setup.params, hero_count=setup.seat_count - 1)
        self.rules: Rules = replace(rules, max_game_rounds=briefing["rounds"])
        self.board = Board.parse(*briefing["regions"])
        self._stairs = tuple(self._cell(x, y) for x, y in briefing["stairs"])
        goal = briefing["goal"]
        self._goal = Goal(goal["kill"], goal["loot"], goal["return"])
        self._briefed: View = briefing.get("dungeon", {})

    def situation(self, view: View) -> Situation:
        """Build the situation that the view shows, as far as it is known."""
        signs = [(x, y, sign) for y, row in enumerate(view["map"]) for x, sign in enumerate(row)]
        chests = {self._cell(x, y): sign for x, y, sign in signs if sign in "ce"}
        hidden: View = view.get("hidden", {})
        dungeon, opened = self._dungeon(view, chests)
        return Situation(
            self.rules,
            State(
                seed=0,
                turn=0,
                round=view["round"],
                seat=view["acting"],
                dungeon=dungeon,
                heroes=tuple(self._hero(hero) for hero in view["heroes"]),
                rolled=view["rolled"],
                points=view["points"],
                has_acted=not view["can_act"],
                monsters=self._monsters(view["monsters"]),
                lurkers=tuple(Lurker(kind, self._cell(x, y)) for kind, x, y in hidden.get("monsters", ())),
                changes=opened,
                seen=mask_of(self._cell(x, y) for x, y, sign in signs if sign != "?"),
                found_traps=mask_of(self._cell(x, y) for _, x, y in view["traps"]),
                looted=mask_of(cell for cell, sign in chests.items() if sign == "e"),
                deck=tuple(view["deck"][card] for card in CARDS),
            ),
        )

    def _cell(self, x: int, y: int) -> int:
        return y * self.board.width + x

    def _hero(self, shown: View) -> Hero:
        return Hero(
            kind=shown["kind"],
            cell=self._cell(*shown["position"]),
            body=shown["body"],
            mind=shown["mind"],
            items=tuple(shown["items"]),
            spells=tuple(shown["spells"]),
            potions=tuple(shown["potions"]),
            effects=tuple(shown["effects"]),
            is_in_pit=shown["in_pit"],
            searched=tuple(REGIONS[sign] for sign in shown["searched"]),
        )

    def _monsters(self, shown: Iterable[View]) -> tuple[Monster, ...]:
        """Return the monsters by number; numbers of dead ones hold a placeholder."""
        living = {
            one["number"]: Monster(
                one["kind"], self._cell(*one["position"]), one["body"], one["bonus"],
                one["asleep"], one["dazed"], one["moved"], one["acted"],
            )
            for one in shown
        }  # fmt: skip
        gone = Monster("goblin", 0, 0)
        return tuple(living.get(number, gone) for number in range(max(living, default=-1) + 1))

    def _dungeon(self, view: View, chests: Mapping[int, str]) -> tuple[Dungeon, tuple[tuple[int, int], ...]]:
        """Return (the dungeon as far as it is known, its open doors as pairs of squares)."""
        doors = {(self._cell(x, y), self._cell(i, j)): is_open for x, y, i, j, is_open in view["doors"]}
        blocked = {(x, y) for y, row in enumerate(view["map"]) for x, sign in enumerate(row) if sign == "#"}
        blocked |= {(x, y) for x, y in self._briefed.get("blocked", ())}
        pieces = {(kind, self._cell(x, y)) for kind, x, y in (*view["furniture"], *self._briefed.get("furniture", ()))}
        full = {*chests, *(self._cell(x, y) for x, y, _ in self._briefed.get("chests", ()))}
        rock = {square for square in blocked if self.board.region(square) < 0}
        board = Board(self.board.width, self.board.height, self.board.regions, blocked=frozenset(blocked - rock))
        known = Dungeon(
            name="known",
            board=board,
            starts=self._stairs,
            goal=self._goal,
            wandering="orc",
            doors=tuple(sorted(doors)),
            furniture=tuple(Furniture(kind, (cell,)) for kind, cell in sorted(pieces)),
            chests=tuple(Chest(cell, 0) for cell in sorted(full)),
            traps=tuple(Trap(kind, self._cell(x, y)) for kind, x, y in view["traps"]),
        )
        return known, tuple(sorted(door for door, is_open in doors.items() if is_open))
