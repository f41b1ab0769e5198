"""Results folders at the edge of what a tournament leaves behind, made from a few records: no match is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

from gridjoust.runner.results.records.file import record_path, write_record
from gridjoust.runner.results.records.lines import AnswerLine, MatchRecord
from gridjoust.runner.results.tables.datapackage import write_datapackage
from gridjoust.runner.results.tables.schedule_file import Decision, Encounter, Place, Planned, Round, write_planned
from gridjoust.runner.results.tables.writer import TableWriter
from tests.leaderboard.seats_builder import alone, in_game, in_roles, met, of_planners, with_header
from tests.runner.results.records.records_builder import duel, duels, make_record, solo

Damage = Callable[[Path], object]


def tables(one: int, orders: Sequence[str], **more: object) -> list[MatchRecord]:
    """Free-for-alls: who came first, second and so on, seated in the order of their names."""
    return [
        make_record(
            f"{one}-{at}",
            bots=sorted(order),
            returns=[-order.index(bot) for bot in sorted(order)],
            header={"seed": at, "pair_id": f"{one}-{at}", **more},
        )
        for at, order in enumerate(orders)
    ]


def forfeits(loser: str, winner: str, count: int) -> list[MatchRecord]:
    """Matches that one bot always forfeits."""
    return [
        make_record(
            f"{loser}{winner}{at}",
            bots=(loser, winner),
            forfeited=(0,),
            faults=(3, 0),
            returns=(-1, 1),
            pair_id=f"{loser}{winner}{at // 2}",
            header={"seed": at},
            reason=f"{loser} crashed",
        )
        for at in range(count)
    ]


def void(*bots: str, match_id: str = "void") -> MatchRecord:
    """A match that does not count."""
    return make_record(match_id, bots=bots, counted=False, reason="the machine was too busy")


def _everybody(names: Sequence[str], scores: Sequence[float]) -> list[MatchRecord]:
    return [match for one, other in combinations(names, 2) for match in duels(one, other, scores)]


def _team(won: Sequence[float]) -> list[MatchRecord]:
    return [
        make_record(
            f"t{at}", bots="aa", teams=(0, 0), returns=(own, own), metrics=[{"won": own}] * 2, header={"seed": at}
        )
        for at, own in enumerate(won)
    ]


def _unlike_names() -> Iterator[MatchRecord]:
    names = ("NA", "NaN", "1e999", 'c "x", y', "[red]bold[/]", "=1+1", "ä" * 40, " ")
    for at, (one, other) in enumerate(permutations(names, 2)):
        yield duel(one, other, at % 3 / 2, f"n{at}", pair_id=f"n{at // 2}")


def _with_costs() -> list[MatchRecord]:
    answer = AnswerLine(turn=1, seat=0, action="N", planning_ms=0.0, expanded=0)
    more: dict[str, Any] = {"turns": [{0: "N"}], "answers": [answer], "usage": {"cpu_ms": [0.0]}}
    return [match for bot in "abc" for match in solo(bot, [1, 2, 3], metrics=[{"cost": 0.0, "won": 1.0}], **more)]


def _ladder() -> Decision:
    return Decision("ladder", "", tuple(Place(at, bot) for at, bot in enumerate("abc", 1)))


def _swiss(*scores: str) -> Decision:
    places = tuple(Place(at, bot, score) for at, (bot, score) in enumerate(zip("abcd", scores, strict=False), 1))
    return Decision("swiss", "score", places, (Round("round 1", (Encounter(("a", "b"), (0.5, 0.5)),), ("c",)),))


def _knockout() -> Decision:
    rounds = (
        Round("semi-final", (Encounter(("a", "b"), (0.5, 0.5), "a", "drawn: the better seed goes on"),), ("c",)),
        Round("final", (Encounter(("a", "c"), (0.0, 1.0), "c"),)),
    )
    reached = ("winner", "final", "semi-final")
    return Decision(
        "knockout",
        "reached",
        tuple(Place(at, *own) for at, own in enumerate(zip("cab", reached, strict=True), 1)),
        rounds,
    )


def _over(decision: Decision, matches: int = 2) -> Planned:
    return Planned(matches=matches, is_exact=True, is_over=True, decision=decision, titles={"a": "Ada <b>Lovelace</b>"})


ALIKE = duels("a", "b", [1, 1] * 6)
RECORDS: Mapping[str, Sequence[MatchRecord]] = {
    "no match": [],
    "one void match": [void("a", "b")],
    "only void matches of many bots": [
        void(*two, match_id=f"v{at}") for at, two in enumerate(combinations("abcde", 2))
    ],
    "one match": [duel("a", "b", 1, "m")],
    "one drawn match": [duel("a", "b", 0.5, "m")],
    "one match alone": solo("a", [1]),
    "one bot against itself": [make_record("m", bots="aa", returns=(1, 0))],
    "all pairs alike": ALIKE,
    "all pairs alike, four bots": _everybody("abcd", [1, 1] * 6),
    "all matches drawn": duels("a", "b", [0.5] * 12),
    "four pairs": duels("a", "b", [1, 0, 1, 1, 0, 1, 1, 0.5]),
    "two pools that never met": met(ab=[1, 0] * 6, cd=[1, 1] * 6),
    "bots that share no seed": [*solo("a", [1, 2, 3, 4, 5, 6]), *solo("b", [3] * 6, prefix="o", header={"seed": 99})],
    "one seed": [*solo("a", [1]), *solo("b", [2]), *solo("c", [2])],
    "one bot alone on many seeds": solo("a", range(30)),
    "returns that never change": alone(a=[3] * 8, b=[3] * 8, c=[3] * 8),
    "returns that never change but between bots": alone(a=[3] * 8, b=[2] * 8, c=[1] * 8),
    "huge and tiny returns": alone(a=[1e15, 1e-9, -1e15, 0, 1, 2], b=[1e-300, 1e12, 0, 0, 0, 0]),
    "games that share no bot": [*in_game("one", duels("a", "b", [1, 0])), *in_game("two", duels("c", "d", [1, 0]))],
    "games alone that share no bot": [*in_game("one", alone(a=[1])), *in_game("two", alone(b=[1]))],
    "duels and matches alone": [*duels("a", "b", [1, 1] * 6), *in_game("maze", solo("c", [1, 2]))],
    "one match of three": tables(1, ["abc"]),
    "matches of three that all end alike": tables(1, ["abc"] * 12),
    "matches of three that are all drawn": [make_record(f"d{at}", bots="abc", header={"seed": at}) for at in range(6)],
    "matches of eight": tables(1, ["abcdefgh", "hgfedcba", "badcfehg"] * 3),
    "a bot in two seats of three": [
        make_record(f"w{at}", bots="aab", returns=(2, 1, 0), header={"seed": at}) for at in range(6)
    ],
    "a team that never won": _team([0] * 6),
    "a team that always won": _team([1] * 6),
    "roles": [in_roles("a", "b", "r1"), in_roles("b", "a", "r2"), in_roles("a", "c", "r3")],
    "a bot that forfeits everything": [*forfeits("f", "a", 12), *forfeits("f", "b", 12), *duels("a", "b", [1, 0] * 6)],
    "everybody forfeits": [
        make_record(f"f{at}", bots="ab", forfeited=(0, 1), faults=(3, 3), pair_id=f"p{at // 2}") for at in range(12)
    ],
    "a bot with void matches only": [*duels("a", "b", [1, 0] * 6), void("a", "c")],
    "a bot with one match among many": [*duels("a", "b", [1, 0] * 12), duel("a", "c", 1, "single")],
    "pairs of one match": [duel("a", "b", 1, f"m{at}") for at in range(8)],
    "two hundred bots, all level": [
        duel(f"bot{at}", f"bot{at + 1}", 0.5, f"l{at}", pair_id=f"l{at}") for at in range(0, 200, 2)
    ],
    "two hundred bots alone, all level": [match for at in range(200) for match in solo(f"bot{at}", [1])],
    "names that look like something else": list(_unlike_names()),
    "searches that cost nothing": _with_costs(),
    "three planners": of_planners(_with_costs()),
    "a game that is not installed": in_game("chess", duels("a", "b", [1, 0] * 6)),
    "maps that were played once": [
        with_header(one, map=f"map{at}") for at, one in enumerate(duels("a", "b", [1, 0] * 4))
    ],
}
DECIDED: Mapping[str, tuple[Sequence[MatchRecord], Planned]] = {
    "a run before its first match": ([], Planned(matches=30, is_exact=True)),
    "a run that was stopped": (duels("a", "b", [1, 0]), Planned(matches=30, is_exact=False)),
    "a run for one bot": (duels("a", "b", [1, 0]), Planned(matches=30, is_exact=True, only=("a",))),
    "a knockout with a bot that rested": (met(ab=[0.5, 0.5], ac=[0, 0]), _over(_knockout())),
    "a knockout of which no match counts": ([void("a", "b"), void("a", "c", match_id="v")], _over(_knockout())),
    "a Swiss system of which all are level": (met(ab=[1, 0]), _over(_swiss("1", "1", "1"))),
    "a Swiss system with a bot that never played": (met(ab=[1, 0]), _over(_swiss("2", "1", "0", "0"))),
    "a ladder": (met(ab=[1, 1], bc=[1, 1]), _over(_ladder())),
    "a decision without places": (met(ab=[1, 1]), _over(Decision("knockout", "reached", ()))),
}
DAMAGED: Mapping[str, Damage] = {
    "no table of metrics": lambda cup: (cup / "metrics.csv").unlink(),
    "no table of answers": lambda cup: (cup / "turns.csv.gz").unlink(),
    "a last match that was cut short": lambda cup: _cut(cup / "results.csv"),
    "no description": lambda cup: (cup / "datapackage.json").unlink(),
}
NAMES = (*RECORDS, *DECIDED, *DAMAGED)


def make_degenerate(name: str, folder: Path) -> Path:
    """The folder of that name, one of NAMES, below `folder`."""
    records, planned = DECIDED.get(name) or (RECORDS.get(name, ALIKE), None)
    cup = write_cup(folder / "cup", records)
    if planned is not None:
        write_planned(cup, planned)
    if (damage := DAMAGED.get(name)) is not None:
        write_datapackage(cup)  # without checksums, as while a run goes on
        damage(cup)
    return cup


def write_records(cup: Path, name: str) -> None:
    """The records of the matches of that folder, as its tables have them; nobody has played them."""
    records, _ = DECIDED.get(name) or (RECORDS.get(name, ALIKE), None)
    for record in records:
        record_path(cup, record.header.match_id).parent.mkdir(exist_ok=True)
        write_record(record_path(cup, record.header.match_id), record)


def write_cup(folder: Path, records: Sequence[MatchRecord]) -> Path:
    """A results folder with the tables of these matches."""
    with TableWriter(folder) as writer:
        for record in records:
            writer.add(record)
    return folder


def _cut(table: Path) -> None:
    lines = table.read_bytes().splitlines(keepends=True)
    table.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
