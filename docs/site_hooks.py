"""What the site's builder does to a page before it is rendered. Changes no page on disk.

The pages' fences carry words that `tests/e2e/test_docs.py` obeys (`run`, `file=NAME`, `in=FOLDER`, `exit=CODE`).
To the site's Markdown a fence with unknown words is no fence at all, and `--strict` says nothing.
"""

from __future__ import annotations

import re

_OPENING = re.compile(r"^(?P<mark> *```)(?P<language>\w+) +(?P<words>[^\n]+)$", re.MULTILINE)


def on_page_markdown(markdown: str, **_: object) -> str:
    """The page with fences that the site knows; the name of a file to be saved becomes the block's title.

    >>> on_page_markdown("```python file=my_bots/first.py\\n```")
    '```python title="my_bots/first.py"\\n```'
    >>> on_page_markdown("```sh run exit=1\\n```")
    '```sh\\n```'
    """
    return _OPENING.sub(_known_fence, markdown)


def _known_fence(found: re.Match[str]) -> str:
    named = [word.removeprefix("file=") for word in found["words"].split() if word.startswith("file=")]
    title = f' title="{named[0]}"' if named else ""
    return f"{found['mark']}{found['language']}{title}"
