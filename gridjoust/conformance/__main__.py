"""`python -m gridjoust.conformance golden|game|bot ...`: the conformance suites on the command line."""

from __future__ import annotations

import argparse
import json
import sys

from gridjoust.bots.answers import author_failure
from gridjoust.conformance.bot_suite import check_bot
from gridjoust.conformance.golden import write_golden
from gridjoust.conformance.subject import SEEDS, Finding
from gridjoust.conformance.suite import check_game


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return exit code 0 without findings, 1 with findings, 2 for wrong arguments."""
    chosen = _parser().parse_args(arguments)
    try:
        if chosen.command == "golden":
            turns = write_golden(chosen.game, chosen.path, params=chosen.params, seats=chosen.seats, seed=chosen.seed)
            print(f"{chosen.path}: {turns} turns")
            return 0
        if chosen.command == "game":
            return _report(check_game(chosen.game, params=[chosen.params], golden=chosen.golden))
        return _report(check_bot(chosen.bot, game=chosen.game, params=chosen.params))
    except Exception as error:
        failure = author_failure(error)
        if failure is None and not isinstance(error, ValueError):
            raise
        print(failure or error, file=sys.stderr)
        return 2


def _report(findings: list[Finding]) -> int:
    for finding in findings:
        print(finding)
    print(f"{len(findings)} findings")
    return 1 if findings else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m gridjoust.conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    golden = commands.add_parser("golden", help="play one seeded match and save it as a golden record")
    golden.add_argument("game", help="name, module:Class or file.py:Class")
    golden.add_argument("path", help="the file to write")
    golden.add_argument("--seats", type=int, help="default: the game's minimum")
    golden.add_argument("--seed", type=int, default=SEEDS[0])
    game = commands.add_parser("game", help="run the checks of a game")
    game.add_argument("game", help="name, module:Class or file.py:Class")
    game.add_argument("--golden", help="golden record; default: tests/golden/<game>.jsonl")
    bot = commands.add_parser("bot", help="run the checks of a bot")
    bot.add_argument("bot", help="module:Class or file.py:Class")
    bot.add_argument("game", help="name, module:Class or file.py:Class")
    for command in (golden, game, bot):
        command.add_argument("--params", type=json.loads, default={}, help='as JSON: {"size": 5}')
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
