"""The game of heroquest: set-up, turns, end and utility; `apply` plays an action, `view` says what seats see.

One to four heroes, who are a team, play against Zargon on the last seat. Returns: +1 for the winning side and -1 for
the other, divided among the seats of the side; 0 before the end.

Where the printed rules leave room, this project chose: Zargon sees the whole dungeon. Its turn is skipped if none of
its monsters in sight can act. The goal `return` asks every living hero to stand on the stairs. A hero drinks a potion
as soon as it helps (healing: at the last body point). Monsters never spring traps.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from operator import attrgetter

from gridjoust.games.api import Dynamics, Game, GameSpec, IllegalAction, Json, ParamValue, Turn, Utility
from gridjoust.games.bitset import mask_of
from gridjoust.games.chance import rng_for
from gridjoust.games.heroquest import view
from gridjoust.games.heroquest.actions import MAX_STEPS, Action, End, parse_action
from gridjoust.games.heroquest.apply import begin_turn, play_action
from gridjoust.games.heroquest.ascii import render
from gridjoust.games.heroquest.catalogue import DECK, HEROES
from gridjoust.games.heroquest.dungeons import draw_dungeon
from gridjoust.games.heroquest.legal import is_legal, legal_actions
from gridjoust.games.heroquest.maps import draw_quest
from gridjoust.games.heroquest.params import MAX_HEROES, METRICS, PARAMS, Rules, make_rules
from gridjoust.games.heroquest.quest_text import parse_quest
from gridjoust.games.heroquest.redeal import redeal
from gridjoust.games.heroquest.situation import Situation, SituationDraft
from gridjoust.games.heroquest.spells import dealt_spells
from gridjoust.games.heroquest.state import DEFAULT_ROUNDS, Dungeon, Hero, Seat, State
from gridjoust.games.heroquest.visibility import look_all, reveal

_MAX_ROOMS = 52  # the most rooms of a board: one letter each


@lru_cache(maxsize=32)
def load_quest(name: str, edition: str) -> Dungeon:
    """Return a built-in quest."""
    return parse_quest(quest_text(name), edition=edition)


def quest_text(name: str) -> str:
    """Return the text of a built-in quest."""
    return files("gridjoust.games.heroquest").joinpath("quests", f"{name}.yaml").read_text(encoding="utf-8")


class HeroQuest(Game[State, Action]):
    """Rules and parameters of one variant of heroquest."""

    spec = GameSpec(
        name="heroquest",
        version="7",
        min_seats=2,
        max_seats=MAX_HEROES + 1,
        dynamics=Dynamics.SEQUENTIAL,
        utility=Utility.ZERO_SUM,
        perfect_information=False,
        max_turns=100_000,
        params=PARAMS,
        metrics=METRICS,
        summary="hidden dungeon, exact line of sight: one to four heroes against Zargon",
    )

    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        super().__init__(params, seats=seats)
        self._given = self._given_dungeon()
        self._is_fixed = bool(self.params["fixed_deal"] or str(self.params["map"]).strip())
        if self._is_fixed and self._given is None:
            raise ValueError("fixed_deal: expected false for random quests, got true")
        self.rules: Rules = self._rules()
        if self._given is not None and len(self._given.starts) < self.seats - 1:
            raise ValueError(f"start: expected {self.seats - 1} squares, got {len(self._given.starts)}")
        self.spec = replace(
            type(self).spec, perfect_information=self.params["mode"] == "open", max_turns=self._most_turns()
        )

    def _rules(self) -> Rules:
        rules = make_rules(self.params, hero_count=self.seats - 1)
        quest_rounds = DEFAULT_ROUNDS if self._given is None else self._given.rounds
        return replace(rules, max_game_rounds=rules.max_game_rounds or quest_rounds)

    def _given_dungeon(self) -> Dungeon | None:
        """Return the dungeon of the given text or of the named quest; None for random quests."""
        text, name, edition = str(self.params["map"]), str(self.params["quest"]), str(self.params["edition"])
        if text.strip():
            try:
                return parse_quest(text, edition=edition)
            except ValueError as error:
                raise ValueError(f"map: {error}") from None
        return None if name == "random" else load_quest(name, edition)

    def _most_turns(self) -> int:
        """Return a bound on the number of actions.

        It counts every step, jump, door, deed and end of every hero, and two deeds of every possible monster.
        """
        heroes, rounds = self.seats - 1, self.rules.max_game_rounds
        monsters = int(self.params["monster_budget"]) if self._given is None else len(self._given.monsters)
        monsters += heroes * _MAX_ROOMS + rounds  # wandering monsters, and those that come later
        doors = 2000 if self._given is None else len(self._given.doors) + len(self._given.secret_doors)
        return rounds * (heroes * (MAX_STEPS + 4) + 2 * monsters + 1) + doors

    @property
    def teams(self) -> tuple[int, ...]:
        """The heroes are team 0, Zargon is team 1."""
        return (0,) * (self.seats - 1) + (1,)

    @property
    def roles(self) -> tuple[str, ...]:
        """Role of each seat: `heroes` or `zargon`."""
        return ("heroes",) * (self.seats - 1) + ("zargon",)

    @property
    def public_params(self) -> Mapping[str, ParamValue]:
        """The parameters that bots may know: without name and text of the quest, unless the dungeon is open."""
        if self.rules.mode == "open":
            return self.params
        return {name: value for name, value in self.params.items() if name != "quest"} | {"map": ""}

    def initial_state(self, seed: int) -> State:
        """Return the start position: heroes on the stairs, their room revealed, the first hero's movement rolled."""
        rules, dungeon = self.rules, self._dungeon(seed)
        spells = dealt_spells(rules.heroes, rules.elf_spells)
        heroes = tuple(
            Hero(kind, cell, *HEROES[kind][3:], rules.equipment.get(kind, ()), spells.get(kind, ()))  # body and mind
            for kind, cell in zip(rules.heroes, dungeon.starts, strict=False)
        )
        deck = tuple(DECK.values())
        draft = SituationDraft(rules, State(seed, -1, 1, 0, dungeon, heroes, lurkers=dungeon.monsters, deck=deck))
        if rules.mode == "open":
            reveal(draft, 0, dungeon.layout.everything)
            draft.set(found_traps=mask_of(draft.traps()), found_doors=dungeon.secret_doors)
        look_all(draft)
        draft.set(has_done=False)
        begin_turn(draft, 0)
        return draft.state

    def _dungeon(self, seed: int) -> Dungeon:
        """Return the dungeon that the parameters fix, or else the one drawn from this seed."""
        rng = rng_for(seed, 0, "quest")
        if self._given is None:
            is_random, budget = self.params["board"] == "random", int(self.params["monster_budget"])
            return draw_quest(is_random_board=is_random, budget=budget, rng=rng)
        return self._given if self._is_fixed else draw_dungeon(self._given, rng)

    def seats_to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seat whose turn it is, or none if the match is over."""
        return () if state.winner else (state.seat,)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Return the legal actions; of the walks, only a sample (see `gridjoust.games.heroquest.legal`)."""
        return legal_actions(self._situation(state)) if seat in self.seats_to_act(state) else ()

    def legal_complete(self, state: State, seat: Seat) -> bool:
        """Return False for the seat that may act, because the walks are a sample."""
        return seat not in self.seats_to_act(state)

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Return True if the action is legal now; any path of legal steps is."""
        return seat in self.seats_to_act(state) and is_legal(self._situation(state), action)

    def default_action(self, state: State, seat: Seat) -> Action:  # noqa: ARG002 - part of the interface
        """Return `end` for every seat."""
        return End()

    def apply(self, state: State, turn: Turn[Action]) -> State:
        """Apply the action of the seat whose turn it is."""
        seats = self.seats_to_act(state)
        if tuple(turn.actions) != seats or not seats:
            raise IllegalAction(f"expected an action of seats {list(seats)}, got {list(turn.actions)}")
        action = turn.actions[state.seat]
        if not self.is_legal(state, state.seat, action):
            raise IllegalAction(f"seat {state.seat}: {action} is not legal now")
        return play_action(self.rules, state, action)

    def is_terminal(self, state: State) -> bool:
        """Return True if the goal is met, all heroes are dead, the last round is over, or too many rounds were idle."""
        return bool(state.winner)

    def returns(self, state: State) -> tuple[float, ...]:
        """Return +1 for the winning side and -1 for the other, divided among the seats of the side."""
        if not state.winner:
            return (0.0,) * self.seats
        heroes = self.seats - 1
        sign = 1.0 if state.winner == "heroes" else -1.0
        return (sign / heroes,) * heroes + (-sign,)

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Return each seat's counts by name: for a hero its own, for Zargon their sums; for all, the monsters left."""
        names = ("body", "killed", "revealed", "gold", "steps", "alive")
        rows = [(hero.body, hero.killed, hero.revealed, hero.gold, hero.steps, hero.body > 0) for hero in state.heroes]
        left = sum(monster.body > 0 for monster in state.monsters) + len(state.lurkers)
        sums = [sum(column) for column in zip(*rows, strict=True)]
        own = [dict(zip(names, map(float, row), strict=True)) for row in (*rows, sums)]
        return tuple({"game_rounds": float(state.round), **row, "monsters_left": float(left)} for row in own)

    def reason(self, state: State) -> str:
        """Say who has won, and how."""
        if state.winner == "heroes":
            return f"the heroes met the goal in round {state.round}"
        if all(hero.body == 0 for hero in state.heroes):
            return f"all heroes are dead in round {state.round}"
        if state.round >= self.rules.max_game_rounds:
            return f"round limit: the goal is not met after {state.round} rounds"
        return f"the heroes did nothing but walk over known squares for {state.idle_rounds} rounds"

    def briefing(self, state: State, seat: Seat) -> Json:
        """Return what stays true for the whole match; `view` explains the keys."""
        return view.briefing(self.rules, self.public_params, state, seat)

    def observation(self, state: State, seat: Seat) -> dict[str, Json]:
        """Return what the seat may know now; `view` explains the keys."""
        return view.observation(self._situation(state), seat)

    def public_view(self, state: State) -> dict[str, Json]:
        """Return what everyone may know now; `view` explains the keys."""
        return view.public_view(self._situation(state))

    def redeal(self, state: State, seat: Seat, rng: random.Random) -> State:
        """Resample what the seat cannot see; see `gridjoust.games.heroquest.redeal`."""
        observer = len(state.heroes) if self.rules.mode == "open" else seat
        return redeal(self.rules, state, observer, rng)

    def redeal_unknown(self, state: State, rng: random.Random) -> State:
        """Resample future chance only, because Zargon knows all the rest."""
        return redeal(self.rules, state, len(state.heroes), rng)

    def encode(self, state: State) -> bytes:
        """Return canonical bytes of the state: the dungeon, then all other values as text."""
        return state.dungeon.code + repr(list(map(_plain, _REST_OF(state)))).encode()

    def parse_action(self, text: str) -> Action:
        """Parse the canonical text of an action; ValueError for any other text."""
        return parse_action(text)

    def render(self, state: State) -> str:
        """Draw the whole dungeon, revealed or not, and a line per figure."""
        return render(self._situation(state))

    def _situation(self, state: State) -> Situation:
        return Situation(self.rules, state)


_REST_OF = attrgetter(*(name for name in State.__slots__ if name != "dungeon"))


def _plain(value: object) -> object:
    """Turn named tuples in a tuple into plain ones, whose text is shorter and the same in every version of Python."""
    return (
        tuple([tuple(item) if isinstance(item, tuple) else item for item in value]) if type(value) is tuple else value
    )
