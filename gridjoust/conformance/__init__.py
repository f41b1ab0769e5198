"""Conformance suites for any game and any bot: named checks, as a pytest class or as a list of findings.

Each suite is one line in a test file; pytest comes with the extra `[test]`:

    from gridjoust.conformance import bot_tests, game_tests

    TestMine = game_tests(MyGame, params=[{"size": 5}], seats=[2, 4])
    TestMyBot = bot_tests(MyBot, game=MyGame)

Without pytest: `check_game(MyGame)` and `check_bot(MyBot, game=MyGame)` return their findings, and
`python -m gridjoust.conformance game my_game.py:MyGame` prints them. Golden records are written only on request, by
`python -m gridjoust.conformance golden NAME PATH`.
"""

from gridjoust.conformance.bot_suite import bot_tests, check_bot
from gridjoust.conformance.golden import write_golden
from gridjoust.conformance.subject import Finding
from gridjoust.conformance.suite import check_game, game_tests

__all__ = ["Finding", "bot_tests", "check_bot", "check_game", "game_tests", "write_golden"]
