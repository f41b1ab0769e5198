"""How strong and how quick the first bomber bots are: pure-rules matches in this process, no broker and no referee.

`python -m benchmarks.bomber_bots` prints two tables. Every seed is played twice, with seats swapped; a draw is no win.
Results repeat exactly, times do not.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from time import process_time

import games
from benchmarks.report import print_table
from bots.api import Bot, MatchSetup, Observation
from bots.bomber.dijkstra_map import Gambit
from bots.bomber.wanderer import Wanderer
from bots.random_bot import RandomBot
from games.api import AnyGame, ParamValue, Turn

TIMED_EVERY = 16  # decisions; reading the clock of the process can cost more than a decision

MakeBot = Callable[[], Bot]

BOTS: Mapping[str, MakeBot] = {
    "gambit": Gambit,
    "gambit, faithful": partial(Gambit, faithful=True),
    "random": RandomBot,
    "wanderer": Wanderer,
}
DUELS: tuple[tuple[str, str], ...] = (
    ("gambit", "random"),
    ("gambit", "wanderer"),
    ("gambit, faithful", "random"),
    ("gambit, faithful", "wanderer"),
    ("gambit", "gambit, faithful"),
)


@dataclass(frozen=True, slots=True)
class MatchReport:
    """How one match ended, by seat."""

    returns: tuple[float, ...]
    metrics: tuple[Mapping[str, float], ...]
    decisions_us: tuple[tuple[float, ...], ...]  # CPU time of every 16th answer
    reason: str


def play_match(bots: Sequence[Bot], *, seed: int, params: Mapping[str, ParamValue] | None = None) -> MatchReport:
    """One lockstep match of these bots, in seat order."""
    game = games.make("bomber", params, seats=len(bots))
    state = game.initial_state(seed)
    for seat, bot in enumerate(bots):
        bot_seed = random.Random(f"{seed}/{seat}").getrandbits(53)
        bot.rng = random.Random(bot_seed)
        bot.start(_setup(game, game.briefing(state, seat), seat=seat, bot_seed=bot_seed))
    decisions_us: list[list[float]] = [[] for _ in bots]
    while not game.is_terminal(state):
        actions = {}
        for seat in game.seats_to_act(state):
            legal = [str(action) for action in game.legal_actions(state, seat)]
            view = game.observation(state, seat)
            observation = Observation(seat=seat, turn=state.tick, view=view, legal=legal)
            is_timed = state.tick % TIMED_EVERY == 0
            actions[seat] = game.parse_action(
                _answer(bots[seat], observation, decisions_us[seat] if is_timed else None)
            )
        state = game.apply(state, Turn(actions, state.tick))
    times = tuple(tuple(times_us) for times_us in decisions_us)
    return MatchReport(game.returns(state), game.metrics(state), times, game.reason(state))


def _answer(bot: Bot, observation: Observation, times_us: list[float] | None) -> str:
    if times_us is None:
        return bot.act(observation)
    started_s = process_time()
    text = bot.act(observation)
    times_us.append((process_time() - started_s) * 1e6)
    return text


def _setup(game: AnyGame, briefing: object, *, seat: int, bot_seed: int) -> MatchSetup:
    return MatchSetup(
        match="benchmark",
        game=game.spec.name,
        game_version=game.spec.version,
        variant=game.spec.name,
        params=dict(game.params),
        seats=[seat],
        seat_count=game.seats,
        teams=list(game.teams),
        roles=list(game.roles),
        briefing={str(seat): briefing},
        bot_seed=bot_seed,
        dynamics=game.spec.dynamics.value,
        turn_ms=None,
    )


@dataclass(frozen=True, slots=True)
class DuelResult:
    """One match from the first bot's side."""

    returns: float
    score: float
    opponent_score: float
    own_hits: float
    is_dead: bool
    decisions_us: tuple[float, ...]


def play_duel(duel: tuple[str, str, int, int], *, max_ticks: int) -> DuelResult:
    """One match of (bot, opponent, seed, the bot's seat)."""
    name, opponent, seed, seat = duel
    bots = [BOTS[name](), BOTS[opponent]()]
    report = play_match(bots if seat == 0 else bots[::-1], seed=seed, params={"max_ticks": max_ticks})
    own, other = report.metrics[seat], report.metrics[1 - seat]
    return DuelResult(
        returns=report.returns[seat],
        score=own["score"],
        opponent_score=other["score"],
        own_hits=own["own_hits"],
        is_dead=own["hp"] <= 0,
        decisions_us=report.decisions_us[seat],
    )


def play_duels(*, seeds: Iterable[int], max_ticks: int, processes: int) -> dict[tuple[str, str], list[DuelResult]]:
    """All duels on all seeds, from both seats."""
    todo = [(name, opponent, seed, seat) for name, opponent in DUELS for seed in seeds for seat in (0, 1)]
    with ProcessPoolExecutor(processes) as pool:
        results = list(pool.map(partial(play_duel, max_ticks=max_ticks), todo, chunksize=4))
    table: dict[tuple[str, str], list[DuelResult]] = {duel: [] for duel in DUELS}
    for (name, opponent, _, _), result in zip(todo, results, strict=True):
        table[name, opponent].append(result)
    return table


def strength_row(duel: tuple[str, str], results: Sequence[DuelResult]) -> list[str]:
    """Wins, what they were won by, and what the bot did to itself."""
    count = len(results)
    won, drawn = (sum(result.returns == value for result in results) for value in (1, 0))
    return [
        *duel,
        str(count),
        f"{won / count:.1%}",
        str(drawn),
        str(count - won - drawn),
        f"{sum(result.score for result in results) / count:.1f}",
        f"{sum(result.opponent_score for result in results) / count:.1f}",
        f"{sum(result.own_hits for result in results):g}",
        str(sum(result.is_dead for result in results)),
        str(sum(result.is_dead and result.own_hits > 0 for result in results)),
    ]


def time_row(name: str, decisions_us: Sequence[float]) -> list[str]:
    """Quantiles of the CPU time of one decision."""
    ordered = sorted(decisions_us)
    quantiles = [ordered[min(len(ordered) - 1, int(len(ordered) * part))] for part in (0.5, 0.95, 0.999)]
    return [name, str(len(ordered)), *(f"{quantile_us:.0f}" for quantile_us in quantiles)]


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="each is played from both seats")
    parser.add_argument("--max-ticks", type=int, default=1800)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    table = play_duels(seeds=range(options.seeds), max_ticks=options.max_ticks, processes=options.processes)
    print_table(
        "Bomber bots: strength",
        ["bot", "opponent", "matches", "won", "drawn", "lost", "score", "opponent's", "own hits", "deaths", "own bomb"],
        [strength_row(duel, results) for duel, results in table.items()],
    )
    print("\nscore: means; own hits: by own fire, all matches; own bomb: deaths in matches with own hits\n")
    times_us: dict[str, list[float]] = {}
    for (name, _), results in table.items():
        times_us.setdefault(name, []).extend(time_us for result in results for time_us in result.decisions_us)
    print_table(
        f"CPU time of a decision (µs), every {TIMED_EVERY}th measured",
        ["bot", "measured", "median", "95 %", "99.9 %"],
        [time_row(name, decisions_us) for name, decisions_us in times_us.items()],
    )


if __name__ == "__main__":
    main()
