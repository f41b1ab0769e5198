"""The game of eidolon: set-up, turns, utility; `legal` decides what is legal, `apply` plays a turn, `ending` ends it.

It follows the cooperative game "Fire of Eidolon" and its adaptation as a path-planning task, for one to six heroes.

Returns are the same for all seats: won 1 to 2, partial victory 0.5 to 1, lost 0. Within a range, a team that needs less
gets more; the AP that it spent and the game rounds count half each. It gets 2 (1) for none, 1 (0.5) for all that
`max_game_rounds` allows. Before the end the return is 0.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace

from gridjoust.games.api import Game, GameSpec, IllegalAction, Json, ParamValue, Turn
from gridjoust.games.chance import SEED_LIMIT
from gridjoust.games.eidolon import view
from gridjoust.games.eidolon.actions import Action, Dive, Wait, parse_action
from gridjoust.games.eidolon.apply import play
from gridjoust.games.eidolon.ascii import draw_dungeon
from gridjoust.games.eidolon.legal import dives, fault, legal_acts, seat_to_act
from gridjoust.games.eidolon.maps import first_dungeon
from gridjoust.games.eidolon.params import AP_PER_TURN, SPEC, SURGE_AP, Rules, expand, make_rules
from gridjoust.games.eidolon.state import End, Hero, Phase, Seat, State, encode
from gridjoust.games.eidolon.tiles import CHAMBERS

_REASONS: Mapping[End, str] = {
    End.WON: "won: the Fire is out",
    End.PARTIAL: "partial victory: the Fire is out, but not every hero",
    End.SKULL: "lost: the threat reached the skull",
    End.TOKENS: "lost: two tokens of a colour are gone and its seal stands",
    End.UNREACHABLE: "lost: something needed cannot be reached any more",
    End.HEROES: "lost: no hero is left",
    End.SEALED: "sealed: no way leads to the tiles that are still to come",
    End.UNSOLVABLE: "unsolvable: the map lacks something from the start",
    End.ROUNDS: "lost: the game rounds are over",
}


class Eidolon(Game[State, Action]):
    """Rules and parameters of one variant of eidolon."""

    spec = SPEC

    def __init__(self, params: Mapping[str, ParamValue] | None = None, *, seats: int | None = None) -> None:
        super().__init__(expand(params or {}), seats=seats)

    def variant_spec(self) -> GameSpec:
        """Return the spec: rounds, skills and cultists decide the length; a known map without chance has no secrets."""
        self.rules: Rules = make_rules(self.params, seats=self.seats)
        is_known = self.rules.known_map and not self.rules.cultists and self.rules.mode == "plain"
        return replace(SPEC, max_turns=_max_turns(self.rules), perfect_information=is_known)

    @property
    def roles(self) -> tuple[str, ...]:
        """The hero of each seat, or "" if all heroes have the same abilities."""
        if self.rules.skills or self.rules.specialization == "stars":
            return self.rules.heroes
        return ("",) * self.seats

    def initial_state(self, seed: int) -> State:
        """Return the start position: the heroes on the Vestibule, which lies alone or in the whole map."""
        dungeon = first_dungeon(self.rules, seed)
        state = State(
            seed=seed,
            dungeon=dungeon,
            heroes=(Hero(),) * self.seats,
            tokens=CHAMBERS,
            ap_left=AP_PER_TURN,
            barriers_left=0 if self.rules.known_map else self.rules.barriers,
        )
        is_unsolvable = self.rules.known_map and not dungeon.is_solvable
        return replace(state, end=End.UNSOLVABLE) if is_unsolvable else state

    def seats_to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the active hero's seat, or in a ritual the seat that has to answer."""
        seat = seat_to_act(state)
        return () if seat is None else (seat,)

    def legal_actions(self, state: State, seat: Seat) -> tuple[Action, ...]:
        """Return every legal act without words, except some trades of several tokens."""
        if seat != seat_to_act(state):
            return ()
        return tuple([Action(act) for act in legal_acts(self.rules, state, seat)])

    def legal_complete(self, state: State, seat: Seat) -> bool:  # noqa: ARG002 - part of the interface
        """Return False, because words may be added to any action."""
        return False

    def is_legal(self, state: State, seat: Seat, action: Action) -> bool:
        """Return True if the act is legal; words are always allowed."""
        return seat == seat_to_act(state) and not fault(self.rules, state, seat, action.act)

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return `wait`, or the first possible dive off a lost tile."""
        if state.phase is Phase.DIVE:
            return Action(Dive(next(iter(dives(self.rules, state, seat)))))
        return Action(Wait())

    def apply(self, state: State, turn: Turn[Action]) -> State:
        """Apply one action of the seat to act, and all that follows from it."""
        seat = seat_to_act(state)
        if seat is None:
            raise IllegalAction(f"expected no turn after the end, got one for seats {list(turn.actions)}")
        if list(turn.actions) != [seat]:
            raise IllegalAction(f"expected an action of seat {seat}, got one for seats {list(turn.actions)}")
        action = turn.actions[seat]
        if why := fault(self.rules, state, seat, action.act):
            raise IllegalAction(f"seat {seat}: expected a legal action, got {action}: {why}")
        return play(self.rules, state, seat, action)

    def ask_key(self, state: State, seat: Seat) -> object:  # noqa: ARG002 - part of the interface
        """Return the number of answers, because every answer closes its question."""
        return state.turns

    def is_terminal(self, state: State) -> bool:
        """Return True if the match has ended."""
        return state.end is not None

    def returns(self, state: State) -> tuple[float, ...]:
        """Return the team's return, the same for each seat: 1 to 2 won, 0.5 to 1 partial victory, else 0."""
        if state.end not in (End.WON, End.PARTIAL):
            return (0.0,) * self.seats
        most = self.rules.max_game_rounds
        spent = _ap_spent(state) / (self.seats * AP_PER_TURN) + state.game_round
        spare = 1 - min(1.0, spent / (2 * most))
        return ((1 if state.end is End.WON else 0.5) * (1 + spare),) * self.seats

    def metrics(self, state: State) -> tuple[Mapping[str, float], ...]:
        """Return each seat's numbers by name: what the team reached, and what its own hero did."""
        team = {
            "won": float(state.end is End.WON),
            "partial": float(state.end is End.PARTIAL),
            "sealed": float(state.end in (End.SEALED, End.UNSOLVABLE)),
            "game_rounds": state.game_round,
            "team_ap_spent": _ap_spent(state),
            "team_seals": state.broken.bit_count(),
            "tiles_lost": state.tiles_lost,
        }
        return tuple(team | _hero_metrics(hero) for hero in state.heroes)

    def reason(self, state: State) -> str:
        """Say how the team won, or why it lost."""
        assert state.end is not None
        return _REASONS[state.end]

    def briefing(self, state: State, seat: Seat) -> Json:  # noqa: ARG002 - the same for all seats
        """Return parameters, heroes, the threat track, and the costs of tokens."""
        return view.briefing(self.rules, dict(self.params))

    def observation(self, state: State, seat: Seat) -> dict[str, Json]:
        """Return what the seat may know now; `view` explains the keys."""
        return view.observation(self.rules, state, seat)

    def public_view(self, state: State) -> dict[str, Json]:
        """Return what everyone may know now; `view` explains the keys."""
        return view.public_view(self.rules, state)

    def redeal(self, state: State, seat: Seat, rng: random.Random) -> State:  # noqa: ARG002 - the same for all seats
        """Draw another seed; chance is drawn when it is needed, so nothing else is hidden."""
        return replace(state, seed=rng.randrange(SEED_LIMIT))

    def encode(self, state: State) -> bytes:
        """Return canonical bytes of the state."""
        return encode(state)

    def parse_action(self, text: str) -> Action:
        """Parse the canonical text of an action; ValueError for any other text."""
        return parse_action(text)

    def render(self, state: State) -> str:
        """Draw the board and a line for each hero; only future chance is hidden."""
        return draw_dungeon(view.public_view(self.rules, state))


def _ap_spent(state: State) -> int:
    return sum(hero.ap_spent for hero in state.heroes)


def _hero_metrics(hero: Hero) -> dict[str, float]:
    return {
        "ap_spent": hero.ap_spent,
        "path_length": hero.path_length,
        "turns": hero.turns,
        "tokens": hero.grabbed,
        "seals": hero.seals_broken,
        "cultists_removed": hero.cultists_removed,
        "lost": float(hero.cell is None),
    }


def _max_turns(rules: Rules) -> int:
    """Return the largest number of answers in a match: one for every AP, and those that rituals and skills ask for."""
    seats = len(rules.heroes)
    a_turn = AP_PER_TURN
    if rules.cultists:
        cards = max(rules.track)
        a_turn += cards * seats  # every card may send a tile with all heroes on it to the Void
        a_turn += cards if rules.skills else 0  # the Sage may be asked for every card
    surge = 1 + SURGE_AP if rules.skills else 0
    return rules.max_game_rounds * seats * a_turn + surge
