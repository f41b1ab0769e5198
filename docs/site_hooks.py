"""What the site's builder does to a page before it is rendered. Changes no page on disk.

The pages' fences carry words that `tests/e2e/test_docs.py` obeys (`run`, `file=NAME`, `in=FOLDER`, `exit=CODE`).
To the site's Markdown a fence with unknown words is no fence at all, and `--strict` says nothing.

The pages of `study/docs` lie outside of `docs`. If they are there, they become the folder `study` of the site; links to
them and from them are changed to match.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from properdocs.config.defaults import ProperDocsConfig
from properdocs.structure.files import File, Files

_STUDY = Path(__file__).parents[1] / "study" / "docs"
_BLOCK = re.compile(r"(<pre\b.*?</pre>|<[^>]*>)", re.DOTALL)  # code blocks, and tags with their attributes
_TABLE = re.compile(r"<table>.*?</table>", re.DOTALL)
_CODE = re.compile(r"<code>[^<]*</code>")
_OPTION = re.compile(r"(?<![\w-])--[a-z][\w-]*")
_OPENING = re.compile(r"^(?P<mark> *```)(?P<language>\w+) +(?P<words>[^\n]+)$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: object) -> str:
    """Return the page with fences that the site knows; the name of a file to save becomes the block's title.

    >>> on_page_markdown("```python file=my_bots/first.py\\n```")
    '```python title="my_bots/first.py"\\n```'
    >>> on_page_markdown("```sh run exit=1\\n```")
    '```sh\\n```'

    The links are those of a checkout; a page of `study/docs` and one of `docs/explanation` change each other's:

    >>> on_page_markdown("[games](../../docs/explanation/games.md), [cup](../../study/docs/planners-cup.md)")
    '[games](../explanation/games.md), [cup](../study/planners-cup.md)'
    """
    markdown = _OPENING.sub(_known_fence, markdown)
    return markdown.replace("](../../docs/", "](../").replace("../study/docs/", "study/")


def on_files(files: Files, *, config: ProperDocsConfig) -> Files:
    """Add the pages of the study and their pictures to the site's files."""
    for path in sorted(_STUDY.rglob("*.*")):
        address = f"study/{path.relative_to(_STUDY).as_posix()}"
        files.append(File.generated(config, address, abs_src_path=str(path)))
    return files


def on_page_content(html: str, *, page: Any, **_: object) -> str:
    r"""Keep line ends out of options, show bars in code as bars, and mark tables that list keys for the style sheet.

    A bar in a table's code is escaped, which GitHub undoes and the site's Markdown does not.

    >>> from types import SimpleNamespace
    >>> on_page_content("<p>or <code>run --only</code></p>", page=SimpleNamespace(url="how-to/resume.html"))
    '<p>or <code>run <span class="unbroken">--only</span></code></p>'
    >>> on_page_content("<pre>--only</pre><table></table>", page=SimpleNamespace(url="reference/commands.html"))
    '<pre>--only</pre><div class="reference"><table></table></div>'
    >>> on_page_content(r"<td><code>list[int \| None]</code></td>", page=SimpleNamespace(url="how-to/resume.html"))
    '<td><code>list[int | None]</code></td>'
    """
    html = _CODE.sub(lambda found: found[0].replace(r"\|", "|"), html)
    parts = _BLOCK.split(html)  # text and what is between, by turns
    parts[::2] = [_OPTION.sub(r'<span class="unbroken">\g<0></span>', text) for text in parts[::2]]
    content = "".join(parts)
    return _TABLE.sub(r'<div class="reference">\g<0></div>', content) if page.url.startswith("reference/") else content


def _known_fence(found: re.Match[str]) -> str:
    named = [word.removeprefix("file=") for word in found["words"].split() if word.startswith("file=")]
    title = f' title="{named[0]}"' if named else ""
    return f"{found['mark']}{found['language']}{title}"
