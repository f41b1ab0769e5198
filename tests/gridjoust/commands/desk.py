"""A folder in which somebody types commands, and a tournament file that is right."""

from __future__ import annotations

from pathlib import Path

from tests.joust_here import joust

GOOD = """tournament: cup
games:
  - {game: bomber, params: {max_ticks: 5}}
bots:
  - {name: a, bot: random}
  - {name: b, bot: bomber/wanderer}
execution: {isolation: none}
time: {turn_ms: 30000, start_ms: 60000, grace_ms: 20000}
"""
PROCESSES = GOOD.partition("execution")[0]


class Desk:
    """The folder; what is typed there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def joust(self, *arguments: str) -> tuple[int, str]:
        """Exit code, and what was written for people to read."""
        done = joust(*arguments, folder=self.folder)
        return done.returncode, done.stderr

    def read(self, *arguments: str) -> tuple[int, str]:
        """Exit code, and what was printed as a result."""
        done = joust(*arguments, folder=self.folder)
        return done.returncode, done.stdout

    def run(self, text: str) -> tuple[int, str]:
        """`joust run` of a tournament file with this text."""
        self.write("cup.yaml", text)
        return self.joust("run", "cup.yaml")

    def write(self, name: str, text: str) -> None:
        """A file in the folder; lone surrogates are bytes that are no UTF-8."""
        (self.folder / name).write_text(text, encoding="utf-8", errors="surrogateescape")
