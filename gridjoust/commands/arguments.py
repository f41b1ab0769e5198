"""Arguments that several commands share. Light: `joust --help` loads it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ResultsArgument = Annotated[Path, typer.Argument(help="A results folder, for example results/quickstart.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for machines.")]
