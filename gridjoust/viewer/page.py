"""Builds the page of a match as a self-contained file; its script is the served modules, one after another."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any

import msgspec

from gridjoust.games.drawing import Ink, Sign
from gridjoust.games.svg import COLOURS, PATHS

MODULES = (  # each after the modules that it imports
    "settings",
    "page",
    "deltas",
    "board",
    "keys",
    "player",
    "timeline",
    "score",
    "words",
    "panel",
    "layers",
    "thoughts",
    "others",
    "watch",
)
_OTHERS = {  # colours of the page itself, for light and dark themes
    "page": ("#f3f5f8", "#11161c"),
    "lane": ("#edf1f5", "#242d37"),
    "edge": ("#cdd6df", "#3a4653"),
    "quiet": ("#51606e", "#a3b1bf"),
}
_IMPORT = re.compile(r"^import [^;]+;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)


def static(name: str) -> str:
    """Return the text of a file in `static/`."""
    return (files(__package__) / "static" / name).read_text(encoding="utf-8")


@cache
def palette() -> str:
    """Return the colours of drawings as CSS, for the system's theme or the one chosen on the page."""
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
    """Return the icon of the browser's tab as SVG."""
    path = f'<path d="{PATHS[Sign.BOMB]}" fill="{COLOURS[Ink.SEAT_0][0]}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -1 2 2">{path}</svg>'


@cache
def script(modules: tuple[str, ...] = MODULES) -> str:
    """Return these modules as one script; each must come after the modules that it imports."""
    return "\n".join(_EXPORT.sub("", _IMPORT.sub("", static(f"{name}.js"))) for name in modules)


def match_page(view: dict[str, Any]) -> str:
    """Return the page of one match as a single file."""
    return file_page(f"{view['variant']}, match {view['match']}", view, body="watch.html", modules=MODULES)


def classic_script(modules: tuple[str, ...]) -> str:
    """Return these modules as one classic script, since browsers load no modules from disk."""
    return f"(() => {{\n{script(modules)}\n}})();\n"


def folder_page(title: str, data: dict[str, Any], *, body: str, code: str, up: str = "") -> str:
    """Return one page of a folder whose pages share style and scripts in `static`; `up`: path from it to the folder."""
    policy = (
        "default-src 'none'; style-src 'self' file:; script-src 'self' file:; img-src 'self' file:; base-uri 'none'"
    )
    styles = "".join(f'<link rel="stylesheet" href="{up}static/{name}">\n' for name in ("palette.css", "viewer.css"))
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n{styles}'
        f'<script type="application/json" id="match-data">{_data(data)}</script>\n'
        f'<script defer src="{up}static/{code}"></script>'
    )
    text = static(body).replace('id="back" href="." hidden', f'id="back" href="{up}index.html"')
    return page_text(title, head=head, body=text)


def file_page(title: str, data: dict[str, Any], *, body: str, modules: tuple[str, ...]) -> str:
    """Return a self-contained page; its content security policy allows only its own style and script."""
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
    """Return a page made of its parts; only the title is escaped, the rest is markup."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n{head}\n</head>\n<body>\n{body}{end}\n</body>\n</html>\n"
    )


def _data(view: dict[str, Any]) -> str:
    """Return the data as JSON in which no text can close the script element around it."""
    return msgspec.json.encode(view).decode().replace("<", "\\u003c")


def _hash(text: str) -> str:
    """Return the hash of a style or script for the content security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
