"""Hooks of the site's builder: they change pages while the site is built, never on disk.

The pages' fences carry words that `tests/e2e/test_docs.py` obeys (`run`, `file=NAME`, `in=FOLDER`, `exit=CODE`).
To the site's Markdown a fence with unknown words is no fence at all, and `--strict` says nothing.

The pages of `study/docs` lie outside of `docs`. If they are there, they become the folder `study` of the site; links to
them and from them are changed to match. The folder `example` has the report of the quickstart and a match of it, which
are played while the site is built.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from properdocs.config.defaults import ProperDocsConfig
from properdocs.structure.files import File, Files

from gridjoust.runner.results.records.file import read_record
from gridjoust.tournament import run
from gridjoust.viewer.files import match_view_of
from gridjoust.viewer.page import match_page

_ROOT = Path(__file__).parents[1]
_STUDY = _ROOT / "study" / "docs"
_QUICKSTART = _ROOT / "configs" / "quickstart.yaml"
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
    """Add to the site's files the pages of the study with their pictures, and the pages of an example."""
    for path in sorted(_STUDY.rglob("*.*")):
        address = f"study/{path.relative_to(_STUDY).as_posix()}"
        files.append(File.generated(config, address, abs_src_path=str(path)))
    for name, html in _example_pages().items():
        files.append(File.generated(config, f"example/{name}.html", content=html))
    return files


def _example_pages() -> dict[str, str]:
    """Play the quickstart; return the HTML of its report and of the first match between its two strongest bots."""
    with tempfile.TemporaryDirectory() as folder:
        results = run(_QUICKSTART, out=folder).results
        duels = results[results["bot"].eq("gambit") & results["opponents"].eq("faithful")]
        place = duels["record"].iloc[0]
        record = read_record(Path(folder, "quickstart", place))
        report = Path(folder, "quickstart", "report.html").read_text(encoding="utf-8").replace(folder, "results")
    return {"report": report, "match": match_page(match_view_of(Path("results", "quickstart", place), record))}


def on_post_template(output_content: str, *, template_name: str, **_: object) -> str:
    """Return the page of a template; "" leaves it out of the site.

    The page for a wrong address has the addresses of a site at the root of a server, so it is bare anywhere else:

    >>> on_post_template("<html>", template_name="404.html")
    ''
    >>> on_post_template("<xml>", template_name="sitemap.xml")
    '<xml>'
    """
    return "" if template_name == "404.html" else output_content


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
