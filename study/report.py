"""Tables on standard output, the same for every command of the study."""

from __future__ import annotations

from collections.abc import Sequence


def print_table(title: str, heading: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a Markdown table under a title, ready for a README."""
    widths = [max(len(row[column]) for row in [heading, *rows]) for column in range(len(heading))]
    print(f"\n{title}\n")
    for row in [heading, ["-" * width for width in widths], *rows]:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |")
