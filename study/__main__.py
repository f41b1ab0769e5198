"""List the commands of the study: `python -m study`. Run one of them: `python -m study NAME [OPTIONS]`."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).parent
USAGE = "usage: python -m study [-h] [NAME [OPTIONS]]"


def commands() -> dict[str, str]:
    """Return the first line of every command's docstring, by the name of the command."""
    texts = {path.stem: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.py")) if path.stem != "__main__"}
    return {
        name: (ast.get_docstring(ast.parse(text)) or "").partition("\n")[0]
        for name, text in texts.items()
        if "\ndef main(" in text
    }


def main(arguments: Sequence[str]) -> int:
    """List the commands, or run one in a process of its own and return its exit code; 2 if there is no such command."""
    known = commands()
    name, *options = arguments or ["--help"]
    if name in ("-h", "--help"):
        width = max(map(len, known))
        lines = [f"  {each:<{width}}  {about}" for each, about in known.items()]
        print(f"{USAGE}\n\n{__doc__}\n\ncommands, each with --help:\n" + "\n".join(lines))
        return 0
    if name not in known:
        print(f"study: expected one of {', '.join(known)}, got {name}", file=sys.stderr)
        return 2
    return subprocess.run([sys.executable, "-m", f"study.{name}", *options], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
