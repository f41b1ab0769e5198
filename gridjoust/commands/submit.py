"""`joust submit`: hand in a bot to a contest, and follow its admission."""

from __future__ import annotations

import http.client
import io
import json
import time
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO
from urllib.parse import quote, urlsplit

import typer

from gridjoust.commands.shared.output import say
from gridjoust.runner.wire.errors import BrokerError, ConfigError, naming
from gridjoust.runner.wire.text import plain_text

KEY_FILE = "joust.key"
ANSWER_S = 330.0  # limit for an answer, also to a large file on a slow line
LOOK_EVERY_S = 1.0
_MOST_SAID = 2000  # letters of an answer
_LEFT_OUT = ("__pycache__", "node_modules", "venv")  # of folders, and names with a dot in front
_OPEN = ("waiting", "testing")  # states of a version before its admission is decided


def submit(
    bot: Annotated[Path, typer.Argument(help="The bot: a file, a folder, or an archive of one.")],
    at: Annotated[
        str | None,
        typer.Option(help="Address of the contest, https://HOST/; default: the second line of the key file."),
    ] = None,
    key: Annotated[Path, typer.Option(help="The file with your key, as the contest's page saves it.")] = Path(KEY_FILE),
) -> int:
    """Hand in a bot to a contest, and follow its admission; exit code 1 if it is not admitted."""
    site = _site(key, at)
    name, body = _body_of(bot)
    with body:
        told = site.ask("PUT", f"hand-in/{quote(name, safe='')}", body)
    version = told["version"]
    late = ", after the deadline: it meets the staff bots alone" if version["is_late"] else ""
    say(f"received as {plain_text(version['label'])}{late}: {site.address}{told['page'].lstrip('/')}")
    return _follow(site, version)


def _follow(site: Site, version: dict[str, Any]) -> int:
    """Print the steps of an admission as they end; return 1 if the version is refused."""
    printed, place = 0, None
    while True:
        admission = site.ask("GET", f"api/versions/{quote(version['name'])}/{version['number']}")
        now = admission["version"]
        if now["position"] not in (None, place):
            place = now["position"]
            say(f"waiting for its test, at place {place}")
        decided = [step for step in admission["steps"] if step["outcome"] in ("passed", "failed")]
        for step in decided[printed:]:
            ask = [f"ask it again: {step['ask']}"] if step["ask"] else []
            say(plain_text(f"  {step['name']}: {': '.join(filter(None, (step['outcome'], step['sentence'])))}"))
            for line in (*step["log"].splitlines(), *ask):
                say(plain_text(f"    {line}"))
        printed = len(decided)
        if now["state"] not in _OPEN:
            say(plain_text(f"{now['label']}: {now['state']}{': ' if now['reason'] else ''}{now['reason']}"))
            return int(now["state"] == "refused")
        time.sleep(LOOK_EVERY_S)


@dataclass(frozen=True, slots=True)
class Site:
    """Sends requests to a contest with a personal key."""

    address: str  # with a slash at its end
    key: str

    def ask(self, method: str, path: str, body: BinaryIO | None = None) -> Any:
        """Return the JSON of an answer; ConfigError with the contest's sentence if it refuses."""
        place = urlsplit(self.address)
        kind = http.client.HTTPSConnection if place.scheme == "https" else http.client.HTTPConnection
        headers = {"Authorization": f"Bearer {self.key}"}
        if body is not None:
            headers["Content-Length"] = str(body.seek(0, io.SEEK_END))
            body.seek(0)
        connection = kind(place.hostname or "", place.port, timeout=ANSWER_S)
        try:
            connection.request(method, place.path + path, body, headers)
            answer = connection.getresponse()
            status, content = answer.status, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise BrokerError(f"{self.address}: cannot reach the contest: {error}") from None
        finally:
            connection.close()
        if status >= http.client.BAD_REQUEST:
            said = plain_text(content.decode("utf-8", "replace").strip(), limit=_MOST_SAID)
            raise ConfigError(f"the contest refused: {said or status}")
        try:
            return json.loads(content)
        except ValueError:
            raise ConfigError(f"{self.address} is not the address of a contest") from None


def _site(file: Path, at: str | None) -> Site:
    """Return the contest that a key file, or `at`, names."""
    if not file.is_file():
        raise ConfigError(f"--key: file not found: {file}; the page on which you join saves it")
    with naming(file):
        key, *rest = file.read_text(encoding="utf-8").split() or [""]
    if not (key.isascii() and key.isprintable() and key):
        raise ConfigError(f"{file}: expected a key on the first line")
    address = at or next(iter(rest), None)
    if address is None:
        raise ConfigError(f"--at is missing: {file} names no address on its second line")
    place = urlsplit(address)
    if place.scheme not in ("http", "https") or not place.hostname:
        raise ConfigError(f"--at: expected an address such as https://contest.example.org/, got {address!r}")
    return Site(address if address.endswith("/") else f"{address}/", key)


def _body_of(bot: Path) -> tuple[str, BinaryIO]:
    """Return the name and the bytes of what is sent: a file as it is, a folder as a zip; ConfigError without either."""
    if bot.is_dir():
        return f"{bot.resolve().name}.zip", _zip_of(bot)
    if not bot.is_file():
        raise ConfigError(f"BOT: file not found: {bot}")
    return bot.name, bot.open("rb")


def _zip_of(folder: Path) -> BinaryIO:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files_of(folder):
            archive.write(path, path.relative_to(folder))
    return packed


def _files_of(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder in order, without hidden ones and caches."""
    for path in sorted(folder.rglob("*")):
        names = path.relative_to(folder).parts
        if path.is_file() and not any(name.startswith(".") or name in _LEFT_OUT for name in names):
            yield path
