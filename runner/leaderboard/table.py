"""The leaderboard as a rich table. Decides no content: the columns are those of `format_standings`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from runner.leaderboard.standings import Standing, format_standings

_LEFT = frozenset({"bot", "planner"})


def standings_table(standings: Sequence[Standing], *, title: str | None = None) -> Table:
    """A table ready to print; a line below each group of bots that cannot be separated."""
    heading, *lines = format_standings(standings) or [()]
    table = Table(title=title)
    for name in heading:
        table.add_column(Text(name), justify="left" if name in _LEFT else "right", no_wrap=True)
    for index, (standing, line) in enumerate(zip(standings, lines, strict=True)):
        following = standings[index + 1] if index + 1 < len(standings) else standing
        table.add_row(*map(Text, line), end_section=following.group != standing.group)  # Text: a name is no markup
    return table
