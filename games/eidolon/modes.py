"""Further modes: stages that come after the ritual and before the next hero. `plain` has none.

A mode is a row of `MODES`; its stages see the working copy of the turn and draw their chance from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from games.eidolon.work import Work


def tremor(work: Work) -> None:
    """At the end of a game round one open doorway, all equally likely, falls shut: a barrier stands in it."""
    if work.active != max(work.living()):
        return
    open_doorways = [edge for edge in work.dungeon.doorways() if edge not in work.dungeon.barriers]
    if open_doorways:
        work.dungeon = work.dungeon.with_barriers([work.rng("tremor").choice(open_doorways)])


MODES: Mapping[str, tuple[Callable[[Work], None], ...]] = {
    "plain": (),
    "tremors": (tremor,),
}
