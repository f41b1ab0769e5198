"""Trains a policy on bomber for two minutes and plays it against `random`.

Install the extra `rl`: `pip install "gridjoust[rl]"`, then run `python -m gridjoust.examples.train_bomber`. Copy this
file and change `features` (what the policy sees) and `worth` (what it is rewarded for) for a policy of your own.

The learner is maskable PPO (S. Huang, S. Ontanon 2022, "A closer look at invalid action masking in policy gradient
algorithms") of sb3-contrib, on a variant whose bombs show their timers, as the policy has no memory.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

try:
    import torch
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import DummyVecEnv
except ImportError as error:
    raise SystemExit(f"{error}: pip install 'gridjoust[rl]'") from None

from gridjoust.adapters.gymnasium import make_env
from gridjoust.games.bomber.board import make_board, make_rays
from gridjoust.runner.statistics import wilson

PARAMS = {"hidden": False, "max_ticks": 300}
FEATURES = 46
TEST_SEED = 10**9  # first seed of test matches, which the training does not use
_NEVER = 20  # steps to what cannot be reached

Cells = frozenset[int]


@lru_cache(maxsize=4096)
def bomb_sites(size: tuple[int, int], radius: int, closed: Cells, breakable: Cells) -> Cells:
    """Return the open cells from which a bomb reaches something breakable."""
    rays, found = make_rays(size, radius), set[int]()
    for block in breakable:
        for ray in rays[block]:
            for cell in ray:
                if cell in closed:
                    break
                found.add(cell)
    return frozenset(found)


def blast(size: tuple[int, int], radius: int, cell: int, closed: Collection[int]) -> list[int]:
    """Return the cells that a bomb in this cell would set on fire."""
    cells = [cell]
    for ray in make_rays(size, radius)[cell]:
        for reached in ray:
            cells.append(reached)
            if reached in closed:
                break
    return cells


class Seen:
    """One view of bomber as cell numbers, with data derived from it."""

    def __init__(self, briefing: Mapping[str, Any], view: Mapping[str, Any]) -> None:
        self.size = width, _ = tuple(view["size"])
        self.fuse, self.radius = briefing["params"]["bomb_ticks"], briefing["params"]["blast_radius"]
        place = {name: [y * width + x for x, y in view[name]] for name in ("metal", "soft", "ore", "bombs")}
        loot = [*view["ammo_tokens"], *view["treasure"], view["position"]]
        *self.loot, self.own = (y * width + x for x, y in loot)
        self.rivals = [y * width + x for x, y in (one["position"] for one in view["opponents"])]
        self.bombs = place["bombs"]
        self.breakable = frozenset(place["soft"] + place["ore"])
        self.closed = self.breakable.union(place["metal"], self.bombs)
        self.danger = self._danger(view)
        self.neighbours = make_board(*self.size).neighbours
        self.steps, self.first = self._walk()

    def _danger(self, view: Mapping[str, Any]) -> dict[int, float]:
        """Return the danger of each threatened cell, from 0 for a new bomb to 1 for one that explodes now."""
        danger = {y * self.size[0] + x: 1.0 for x, y, _ in view["fire"]}
        for bomb, ticks in zip(self.bombs, view["bomb_timers"], strict=True):
            urgency = 1 - (ticks - 1) / self.fuse
            for cell in blast(self.size, self.radius, bomb, self.closed):
                danger[cell] = max(urgency, danger.get(cell, 0.0))
        return danger

    def _walk(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return the number of steps to every reachable cell, nearest first, and the first cell on the path to each."""
        steps, first = {self.own: 0}, {self.own: self.own}
        queue = [self.own]
        for cell in queue:  # the list grows while it is walked
            for near in self.neighbours[cell]:
                if near not in steps and near not in self.closed and near not in self.rivals:
                    steps[near] = steps[cell] + 1
                    first[near] = near if cell == self.own else first[cell]
                    queue.append(near)
        return steps, first

    def around(self) -> list[int]:
        """Return the player's own cell, then those up, down, left and right of it; -1 outside the board."""
        board = make_board(*self.size)
        return [self.own, *(steps[self.own] for steps in board.steps.values())]

    def toward(self, cells: Collection[int]) -> list[float]:
        """Return 1 / (1 + steps to the nearest of the cells), then for each of `around` 1 if it leads there, else 0."""
        target = next((cell for cell in self.steps if cell in cells), None)
        if target is None:
            return [0.0] * 6
        return [1 / (1 + self.steps[target]), *(float(cell == self.first[target]) for cell in self.around())]


def features(briefing: Mapping[str, Any], view: Mapping[str, Any]) -> NDArray[np.float32]:
    """Return the policy's input: cells around, effect of a bomb, and paths to safety, blocks, loot and rivals."""
    seen, rival = Seen(briefing, view), view["opponents"][0]
    reached = set(blast(seen.size, seen.radius, seen.own, seen.closed))
    blasts = [set(blast(seen.size, seen.radius, bomb, seen.closed)) for bomb in seen.bombs]
    doomed = set().union(*blasts) & seen.breakable
    own = set().union(*(cells for cells, who in zip(blasts, view["bomb_owners"], strict=True) if who == view["seat"]))
    safe = {cell for cell in seen.steps if cell not in seen.danger}
    numbers = [
        view["score"] / 20,
        view["hp"] / 2,
        len(own & seen.breakable) / 10,  # blocks that the own bombs will break: two points each
        seen.danger.get(seen.own, 0.0) / 2,
        len(reached & seen.breakable - doomed) / 3,
        len(reached.intersection(seen.rivals)),
        seen.own in seen.bombs,
        view["ammo"] / 3,
        min((seen.steps[cell] for cell in safe - reached), default=_NEVER) / 10,  # steps to safety from a bomb here
        view["tick"] / briefing["params"]["max_ticks"],
        np.tanh((view["score"] - rival["score"]) / 10),
        rival["hp"] / 3,
    ]
    beside = {near for cell in seen.rivals for near in seen.neighbours[cell]}
    sites = bomb_sites(seen.size, seen.radius, seen.closed, seen.breakable)
    for cell in seen.around():
        numbers += [cell in seen.steps, seen.danger.get(cell, 0.0)]
    for goal in (safe, sites, seen.loot, beside):
        numbers += seen.toward(goal)
    return np.array(numbers, np.float32)


def worth(seen: NDArray[np.float32]) -> float:
    """Return the value of a view for reward shaping: points, hit points, bombs that will break blocks, and safety."""
    score, hit_points, promised, danger = map(float, seen[:4])
    return score + hit_points + promised - danger


class Shaped(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Adds rewards for points and hit points during the match, so that the learner gets them early."""

    def reset(self, **options: Any) -> Any:
        """Start a new match."""
        first = super().reset(**options)
        self._worth = worth(first[0])
        return first

    def step(self, action: Any) -> Any:
        """Play a step; its reward is twice the returns of the match plus the change of the shaping value."""
        observation, reward, is_over, is_cut, info = super().step(action)
        before, self._worth = self._worth, worth(observation)
        return observation, 2 * float(reward) + self._worth - before, is_over, is_cut, info

    def action_masks(self) -> Any:
        """Return the mask of legal actions, under the name that the learner expects."""
        return self.env.unwrapped.action_masks()  # type: ignore[attr-defined]


def make_bomber() -> Any:
    """Make bomber against `random`, with `features` as observation."""
    space = gymnasium.spaces.Box(-10, 10, (FEATURES,), np.float32)
    return make_env("bomber", PARAMS, opponents=["random"], encode=features, observation_space=space)


class Clock(BaseCallback):
    """Ends the training after its time, and prints the progress every ten seconds."""

    def __init__(self, seconds: float, *, now: Any) -> None:
        super().__init__()
        self.now, self.began, self.seconds, self.shown = now, now(), seconds, 0.0

    def _on_step(self) -> bool:
        spent = self.now() - self.began
        if spent > self.shown + 10:
            self.shown = spent
            rewards = [match["r"] for match in self.model.ep_info_buffer or ()]
            print(f"{spent:4.0f} s, {self.num_timesteps} turns, mean reward {np.mean(rewards or [0]):+.2f}", flush=True)
        return bool(spent < self.seconds)


def train(seconds: float, *, seed: int, now: Any = time.perf_counter) -> Any:
    """Train a policy for this many seconds of the clock `now`."""
    torch.set_num_threads(1)
    torch.distributions.Distribution.set_default_validate_args(False)
    matches = DummyVecEnv([lambda: Monitor(Shaped(make_bomber()))] * 32)
    policy = MaskablePPO(
        "MlpPolicy", matches, seed=seed, n_steps=64, batch_size=1024, n_epochs=6, gamma=0.99, ent_coef=0.01,
        learning_rate=1e-3, device="cpu",
    )  # fmt: skip
    return policy.learn(10**9, callback=Clock(seconds, now=now))


def points_against_random(policy: Any, matches: int) -> float:
    """Return the policy's points in `matches` new matches: 1 for a win, a half for a draw."""
    env, points = make_bomber(), 0.0
    for seed in range(TEST_SEED, TEST_SEED + matches):
        observation, _ = env.reset(seed=seed)
        reward, is_over = 0.0, False
        while not is_over:
            action, _ = policy.predict(observation, action_masks=env.action_masks())
            observation, reward, is_over, _, _ = env.step(action)
        points += (reward + 1) / 2
    return points


def main() -> None:
    """Train a policy, then test it."""
    parser = argparse.ArgumentParser(description="Train a policy on bomber and let it play against random.")
    parser.add_argument("--seconds", type=float, default=120.0, help="how long to train")
    parser.add_argument("--matches", type=int, default=200, help="how many to play against random then")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cpu", action="store_true", help="count CPU time, on a busy machine")
    options = parser.parse_args()
    now = time.process_time if options.cpu else time.perf_counter
    policy = train(options.seconds, seed=options.seed, now=now)
    points = points_against_random(policy, options.matches)
    interval = wilson(points, options.matches)
    shown = "" if interval is None else f" (95 %: {100 * interval.low:.0f} to {100 * interval.high:.0f} %)"
    print(f"against random: {100 * points / options.matches:.0f} % of the points in {options.matches} matches{shown}")


if __name__ == "__main__":
    main()
