"""How many maps of eidolon can be won at all: a clairvoyant planner beside the bots, per team size.

`python -m study.eidolon_bound [--seeds N] [--tries N] [--preset P] [--difficulty D]`

The clairvoyant knows what the seed will deal: tiles and ritual cards. It begins with the best of the four bots' matches
and tries changes: at a random moment it may replace one action, and lets a bot play from there to the end. It keeps a
change that is no worse. What it wins can be won, so its share is a lower bound of what is possible. The upper bound
beside it is strict but loose: 100 % if the turns that every team needs at least fit those before the skull, else 0 %.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import NamedTuple

from gridjoust import ParamValue, Turn
from gridjoust.bots.harness import start_bot
from gridjoust.bots.match import make_setup, observe
from gridjoust.games.eidolon import Eidolon
from gridjoust.games.eidolon.actions import Action
from gridjoust.games.eidolon.params import AP_PER_TURN, Rules
from gridjoust.games.eidolon.state import End, State
from gridjoust.games.eidolon.tiles import CHAMBERS, COLOURS, TOKENS_NEEDED
from gridjoust.runner.statistics.intervals import wilson
from study.eidolon import BOTS
from study.report import print_table

Line = tuple[State, ...]  # of one match, from the deal to the end
ODDS_OF_ANOTHER_ACT = 0.5


class Worth(NamedTuple):
    """How good an end is, the most important first."""

    is_won: bool
    is_partial: bool
    tokens: int  # in hand, or spent on seals
    turns: int  # that the heroes lasted


@dataclass(frozen=True, slots=True)
class Found:
    """Whether each bot won a seed, and whether the clairvoyant did."""

    bots: tuple[bool, ...]
    clairvoyant: bool


def worth(line: Line) -> Worth:
    """Return the worth of the last state of a line."""
    state = line[-1]
    held = sum(sum(hero.tokens) for hero in state.heroes if hero.cell is not None)
    spent = TOKENS_NEEDED * state.broken.bit_count()
    return Worth(state.end is End.WON, state.end is End.PARTIAL, held + spent, state.hero_turns)


def played_on(game: Eidolon, state: State, bot_name: str) -> Line:
    """Return the states from here to the end, with one bot for all heroes."""
    bot = start_bot(BOTS[bot_name](), make_setup(game, state, seats=range(game.seats)))
    states = [state]
    while not game.is_terminal(state):
        (seat,) = game.seats_to_act(state)
        state = after(game, state, game.parse_action(bot.act(observe(game, state, seat))))
        states.append(state)
    return tuple(states)


def after(game: Eidolon, state: State, action: Action) -> State:
    """Return the state after the asked seat has taken this action."""
    (seat,) = game.seats_to_act(state)
    return game.apply(state, Turn({seat: action}, state.turns + 1))


def foresee(game: Eidolon, lines: Sequence[Line], *, tries: int, rng: random.Random) -> Line:
    """Change the best of the bots' lines at random, `tries` times or until it wins; return the best line found."""
    best = max(lines, key=worth)
    for _ in range(tries):
        if worth(best).is_won:
            break
        cut = rng.randrange(len(best) - 1)
        state = best[cut]
        if rng.random() < ODDS_OF_ANOTHER_ACT:
            (seat,) = game.seats_to_act(state)
            state = after(game, state, rng.choice(game.legal_actions(state, seat)))
        changed = (*best[: cut + 1], *played_on(game, state, rng.choice(list(BOTS))))
        best = max(best, changed, key=lambda line: (worth(line), line is changed))
    return best


def found_for(seed: int, *, params: dict[str, ParamValue], seats: int, tries: int) -> Found:
    """Compare the bots with the clairvoyant on one seed."""
    game = Eidolon(params, seats=seats)
    lines = [played_on(game, game.initial_state(seed), name) for name in BOTS]
    best = foresee(game, lines, tries=tries, rng=random.Random(f"clairvoyant/{seed}/{seats}"))
    return Found(tuple(worth(line).is_won for line in lines), worth(best).is_won)


def least_turns(rules: Rules) -> int:
    """Return the turns of heroes without which no team can win: the tokens at their cheapest, three seals, the Fire."""
    seats = range(len(rules.heroes))
    tokens = sum(TOKENS_NEEDED * min(rules.grab_cost(seat, colour) for seat in seats) for colour in COLOURS)
    return ceil((tokens + len(COLOURS) + 1) / AP_PER_TURN)


def most_turns(rules: Rules) -> int:
    """Return the turns of heroes before the skull if no tile is ever lost.

    That is a pass through the deck for each place of the track.
    """
    cards = CHAMBERS.bit_count()
    return sum(ceil(cards / a_ritual) for a_ritual in rules.track) * rules.turns_a_ritual(len(rules.heroes))


def row(seats: int, rules: Rules, found: Sequence[Found]) -> list[str]:
    """Return the row of one team size."""
    shares = [_share([one.bots[index] for one in found]) for index in range(len(BOTS))]
    is_open = least_turns(rules) <= most_turns(rules)
    clock = f"{least_turns(rules)} of {most_turns(rules)}"
    ceiling = "100 %" if is_open else "0 %"
    return [str(seats), str(len(found)), *shares, _share([one.clairvoyant for one in found]), ceiling, clock]


def _share(won: Sequence[bool]) -> str:
    low, high = wilson(sum(won), len(won)) or (0.0, 1.0)
    return f"{sum(won) / len(won):.0%} [{low:.0%}, {high:.0%}]"


def print_bounds(seats: Iterable[int], *, seeds: range, params: dict[str, ParamValue], tries: int, jobs: int) -> None:
    """Print the table of bounds."""
    rows = []
    with ProcessPoolExecutor(jobs) as pool:
        for count in seats:
            one = partial(found_for, params=params, seats=count, tries=tries)
            rows.append(row(count, Eidolon(params, seats=count).rules, list(pool.map(one, seeds))))
    heading = ("heroes", "seeds", *BOTS, "clairvoyant", "ceiling", "least turns of most")
    print_table(f"Share won, {', '.join(map(str, params.values()))}, with 95 % intervals", heading, rows)


def main() -> None:
    """Play the matches of this study and print its tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first-seed", type=int, default=1_000_000)
    parser.add_argument("--tries", type=int, default=30, help="changes that the clairvoyant tries on a seed")
    parser.add_argument("--preset", default="published")
    parser.add_argument("--difficulty", default="normal")
    parser.add_argument("--seats", nargs="+", type=int, default=[1, 2, 3, 4, 6])
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    seeds = range(options.first_seed, options.first_seed + options.seeds)
    params: dict[str, ParamValue] = {"preset": options.preset, "difficulty": options.difficulty}
    print_bounds(options.seats, seeds=seeds, params=params, tries=options.tries, jobs=options.processes)


if __name__ == "__main__":
    main()
