"""The attacks as tables of the page on fairness. `python -m tests.attacks.page` writes them."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tests.attacks.rights import COLUMNS, RIGHTS
from tests.attacks.table import ATTACKS, BIDS, TRESPASSES

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "fairness.md"
BEGIN = "<!-- Made by `python -m tests.attacks.page` from the {what} that the tests play. -->\n"
END = "<!-- The end of what is made. -->\n"


def table() -> str:
    """A row for every attack: what a bot tries, and how that ends in each isolation."""
    rows = [("What the bot does", "plain processes", "user ids", "either sandbox")]
    rows += [("---",) * 4]
    for attack in (*ATTACKS, *BIDS):
        plain = attack.unconfined or attack.outcome
        rows.append((attack.tries, plain, attack.with_user or attack.outcome, attack.outcome))
    return _format(rows)


def trespass_table() -> str:
    """Return a row for everything that somebody outside of a match tries."""
    rows = [("Who", "tries what", "and what comes of it"), ("---",) * 3]
    return _format([*rows, *((one.who, one.tries, one.outcome) for one in TRESPASSES)])


def rights_table() -> str:
    """A row for every right: whether a bot has it in each isolation."""
    return _format(
        [("What a bot can do", *COLUMNS), ("---",) * 6, *((right.name, *right.outcomes) for right in RIGHTS)]
    )


def _format(rows: Sequence[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def with_table(page: str) -> str:
    """The page with the tables between their marks as they should be."""
    for what, made in (("rights", rights_table()), ("attacks", table()), ("trespasses", trespass_table())):
        begin = BEGIN.format(what=what)
        before, rest = page.split(begin)
        _, after = rest.split(END, maxsplit=1)
        page = f"{before}{begin}\n{made}\n{END}{after}"
    return page


def main() -> int:
    """Write the page."""
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
