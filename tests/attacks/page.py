"""The attacks as a table of the page on fairness: `python -m tests.attacks.page` writes it, a test holds it current."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.attacks.table import ATTACKS, BIDS

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "fairness.md"
BEGIN = "<!-- Made by `python -m tests.attacks.page` from the attacks that the tests play. -->\n"
END = "<!-- The end of what is made. -->\n"


def table() -> str:
    """A row for every attack: what a bot tries, and how that ends under either isolation."""
    rows = [("What the bot does", "`isolation: process`", "`isolation: sandbox`")]
    rows += [("---", "---", "---")]
    rows += [(attack.tries, attack.unconfined or attack.outcome, attack.outcome) for attack in (*ATTACKS, *BIDS)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def with_table(page: str) -> str:
    """The page with the table between its two marks as it should be."""
    before, rest = page.split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    """Write the page."""
    PAGE.write_text(with_table(PAGE.read_text("utf-8")), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
