"""Placement and bomber with the rival's reply searched too: what `python -m study.members` measures.

Both take the beam's bot and look one move of the rival further. In placement the best few plans are answered by the
rival as the bot itself would, once for every kind of piece in the rival's bag; what counts is the mean worth after the
reply. In bomber every first action is valued by a beam for each move of the rival, and the mean of these values counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import fmean

from gridjoust import Deadline, MatchSetup, Observation, OutOfWork
from gridjoust.bots.bomber.beam import MOST_WON, BeamBomber
from gridjoust.bots.bomber.forward_model import ForwardModel, Line
from gridjoust.bots.bomber.safety import Safety
from gridjoust.bots.bomber.situation import Situation
from gridjoust.bots.bomber.target_bot import Decision, Wish
from gridjoust.bots.placement.beam import FIRST_WIDTH, BeamBuilder, plan_beam
from gridjoust.bots.placement.builder import View, toll_task
from gridjoust.bots.placement.tactics import DONE_WORTH, Choice, Outcome, worth_of
from gridjoust.bots.placement.task import Figure, IsOver, Scene
from gridjoust.bots.planners.beam import beam_lookahead
from gridjoust.games.bomber.state import Bomb
from gridjoust.games.placement.actions import Plan
from gridjoust.games.placement.apply import BarrierRules, Position
from gridjoust.games.placement.pieces import Shape, make_shape, smallest_ways

ANSWERED = 4  # plans of the bot that the rival answers
WIDTH, DEPTH = 4, 8  # of bomber's beams, of which there is one for every pair of actions


class AllOutcomes(Choice):
    """A choice that keeps every plan it has weighed."""

    def __init__(self, scene: Scene, builder: TwoSidedBuilder, is_over: IsOver) -> None:
        super().__init__(scene, builder.aims, is_over=is_over)
        self.outcomes: list[Outcome] = []

    def _keep(self, outcome: Outcome | None) -> None:
        super()._keep(outcome)
        if outcome is not None:
            self.outcomes.append(outcome)


class TwoSidedBuilder(BeamBuilder):
    """Placement's beam, which lets the rival answer its best plans if the rival is next."""

    def start(self, setup: MatchSetup) -> None:
        """Remember the pieces of the match."""
        super().start(setup)
        briefing = setup.briefing[str(setup.seat)]
        self._pieces = [make_shape(cells) for cells in briefing["pieces"]]
        self._smallest = smallest_ways(map(make_shape, briefing["pieces"]), reflect=briefing["params"]["reflect"])
        self._is_alternate = briefing["params"]["order"] == "alternate"
        self._view: View = {}
        self.aims = self._aims

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str | None]:
        """Yield better and better plans; the last one is worth most after the rival's replies."""
        self._view = observation.view
        yield from super().improve(observation, deadline)

    def _better_plans(self, scene: Scene, seat: int, is_over: IsOver) -> Iterator[Plan]:
        choice = AllOutcomes(scene, self, is_over)
        for number, found in enumerate(self.searches(scene, seat, is_over)):
            if number == 0:
                yield found.plan
            yield choice.weigh((found.plan, *found.others[:3])).plan
        is_last = (seat == 1) != (self._is_alternate and self._view["game_round"] % 2 == 0)
        if not is_last and len(scene.rivals) == 1 and not is_over():
            yield self._answered(scene, seat, choice.outcomes, is_over).plan

    def _answered(self, scene: Scene, seat: int, outcomes: Sequence[Outcome], is_over: IsOver) -> Outcome:
        ranked = {(one.floor, one.walls, one.own.cell): one for one in sorted(outcomes, key=lambda one: one.worth)}
        best = list(ranked.values())[::-1][:ANSWERED]
        if not best[0].own.goals:
            return best[0]
        bag = [piece for piece, is_in in zip(self._pieces, self._view["bags"][1 - seat], strict=True) if is_in]
        worths: dict[int, float] = {}
        for number, outcome in enumerate(best):
            if is_over():
                break
            replies = [self._after_reply(scene, outcome, piece, seat) for piece in bag or self._pieces]
            worths[number] = fmean(replies) if outcome.own.goals else DONE_WORTH
        return best[max(worths, key=worths.__getitem__, default=0)]

    def _after_reply(self, scene: Scene, outcome: Outcome, piece: Shape, seat: int) -> float:
        """Return the worth of the board after the rival's best answer with this piece."""
        mine, (rival,) = scene.task.position, scene.rivals
        own, left = outcome.own, self._view["barriers"][1 - seat]
        figures = ((rival.cell, rival.goals), (own.cell, own.goals))
        ways = BarrierRules(left, figures, self._smallest) if left else None
        board, floor, walls = mine.board, outcome.floor, outcome.walls
        theirs = Position(board, floor, walls, rival.cell, (piece,), mine.moves, mine.reflect, ways)
        task = toll_task(theirs, rival.goals, self._smallest, self.work)
        found = plan_beam(task, width=FIRST_WIDTH, budget=self.work)
        reply = Choice(Scene(task, (outcome.own,), scene.min_cells), self.aims).weigh((found.plan, *found.others[:1]))
        if not reply.own.goals:
            return -DONE_WORTH
        after = replace(scene, rivals=(Figure(reply.own.cell, reply.own.goals),))
        return worth_of(after, reply.floor, reply.walls, outcome.own, self.aims)


class TwoSidedBomber(BeamBomber):
    """Bomber's beam, with a beam for each pair of the own first action and the rival's."""

    def improve(self, observation: Observation, deadline: Deadline) -> Iterator[str]:
        """Yield the action of best mean value over the rival's actions, or the beam's answers if none is valued."""
        decision = self.look(observation)
        try:
            worths = self._worths(decision, deadline.is_over)
        except OutOfWork:
            worths = {}
        if not worths:
            yield from super().improve(observation, deadline)
            return
        cell, is_bomb = max(worths, key=worths.__getitem__)
        yield self.settle(decision, Wish(cell, cell, is_bomb))

    def _worths(self, decision: Decision, is_over: IsOver) -> dict[tuple[int, bool], float]:
        """Return what each first action, as (cell, lays a bomb), is worth over the rival's actions."""
        found: dict[tuple[int, bool], list[float]] = {}
        for now in self._replies(decision.now):
            if is_over():
                break
            other = Decision(decision.memory, now, Safety(now, budget=self.work), decision.budget)
            bombs_here = decision.bombs_here and now.here in other.prospects.bombing
            other.__dict__.update(allowed=decision.allowed, bombs_here=bombs_here)
            model = ForwardModel(other)
            for line in model.successors(model.start):
                found.setdefault((line.cell, bool(line.laid)), []).append(self._best_worth(model, line, decision))
        return {action: fmean(worths) for action, worths in found.items()}

    def _best_worth(self, model: ForwardModel, line: Line, decision: Decision) -> float:
        plan = beam_lookahead(
            line,
            neighbours=model.successors,
            cost=lambda line, longer: MOST_WON - (longer.worth - line.worth),
            rank=lambda line, _: -model.worth(line),
            width=WIDTH,
            depth=DEPTH,
            budget=decision.budget,
        )
        decision.cost.add(plan.stats)
        return model.worth(plan.path[-1] if plan.path else line)

    def _replies(self, now: Situation) -> Iterator[Situation]:
        """Yield the situation after each action of the nearest rival: staying, each free step, and a bomb."""
        yield now
        if not now.rivals:
            return
        seat, rival = min(now.rivals, key=lambda one: now.rules.board.distance(one[1].cell, now.here))
        taken = now.standing | {now.here}
        for cell in (cell for cell in now.rules.board.neighbours[rival.cell] if cell not in taken):
            players = list(now.state.players)
            players[seat] = rival._replace(cell=cell)
            yield replace(now, state=now.state._replace(players=tuple(players)))
        if rival.ammo and rival.cell not in now.bomb_cells:
            bomb = Bomb(rival.cell, seat, now.state.tick + now.rules.bomb_ticks - 1)
            yield replace(now, state=now.state._replace(bombs=(*now.state.bombs, bomb)))
