"""The page of one match as a single file that fetches nothing. Its modules are the served ones, one after another."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

from gridjoust.games.drawing import Ink, Sign
from gridjoust.games.svg import COLOURS, PATHS

MODULES = (  # each after what it imports
    "settings",
    "deltas",
    "board",
    "keys",
    "help",
    "player",
    "timeline",
    "panel",
    "lens",
    "thoughts",
    "compare",
    "main",
)
_OTHERS = {  # of the page itself, on light and on dark ground
    "page": ("#f3f5f8", "#11161c"),
    "lane": ("#edf1f5", "#242d37"),
    "edge": ("#cdd6df", "#3a4653"),
    "quiet": ("#51606e", "#a3b1bf"),
}
_IMPORT = re.compile(r"^import [^;]+;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def static(name: str) -> str:
    """A file of the page."""
    return (files(__package__) / "static" / name).read_text(encoding="utf-8")


@cache
def palette() -> str:
    """The colours of drawings as style sheet: by the reader's theme, or by the one chosen on the page."""
    named = {ink.value: pair for ink, pair in COLOURS.items()} | _OTHERS
    light, dark = ("".join(f"--{name}:{pair[at]};" for name, pair in named.items()) for at in (0, 1))
    inks = "".join(
        f".f-{ink.value}{{fill:var(--{ink.value})}}.s-{ink.value}{{stroke:var(--{ink.value});fill:none}}"
        for ink in COLOURS
    )
    return (
        f":root{{{light}}}\n@media(prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
        f':root[data-theme="light"]{{{light}}}\n:root[data-theme="dark"]{{{dark}}}\n{inks}\n'
    )


def icon() -> str:
    """Of a browser's tab."""
    path = f'<path d="{PATHS[Sign.BOMB]}" fill="{COLOURS[Ink.SEAT_0][0]}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 2 2">{path}</svg>'


@cache
def script(modules: tuple[str, ...] = MODULES) -> str:
    """These modules as one; each stands after what it imports."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", static(f"{name}.js"))) for name in modules)


def match_page(view: dict[str, Any]) -> str:
    """The page of one match."""
    return file_page(f"{view['variant']}, match {view['match']}", view, body="watch.html", modules=MODULES)


def file_page(title: str, data: dict[str, Any], *, body: str, modules: tuple[str, ...]) -> str:
    """The file; only its own style and script may take effect."""
    style, code = palette() + static("viewer.css"), script(modules)
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(code)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n<style>{style}</style>\n'
        f'<script type="application/json" id="match-data">{_data(data)}</script>'
    )
    return page_text(title, head=head, body=static(body), end=f'<script type="module">{code}</script>')


def page_text(title: str, *, head: str, body: str, end: str = "") -> str:
    """A page around its parts; only the title is text."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n{head}\n</head>\n<body>\n{body}{end}\n</body>\n</html>\n"
    )


def _data(view: dict[str, Any]) -> str:
    """JSON in which no text can end the script element around it."""
    return json.dumps(view, separators=(",", ":"), ensure_ascii=False).replace("<", "\\u003c")


def _hash(text: str) -> str:
    """For the content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
