"""The guide of a game, for people and coding agents: made from the code, so that it cannot be out of date."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module

from gridjoust.games import load_game
from gridjoust.serve.values import About

Starter = Callable[[str], str]  # game -> the text of a first bot for it

ANSWERS = (  # of the API, as the guide lists them
    ("GET /api/me", "who the key belongs to"),
    ("GET /api/quotas", "uploads, versions and matches that are left, and when more are"),
    ("PUT /hand-in/FILE", "hand in a file or an archive as the raw body; the answer names the version"),
    ("GET /api/versions/NAME", "all versions of an entrant, newest first, with state and reason"),
    ("GET /api/versions/NAME/NUMBER", "the steps of an admission; logs of your own only"),
    ("GET /api/queue", "matches that run or wait, versions that wait, and your next match"),
    ("GET /api/matches?name=NAME&opponent=NAME&lost=1", "played matches, newest first; pass `older` as `before`"),
    ("POST /api/matches", 'ask for an unrated match: {"opponent": "NAME", "seed": "7"}'),
    ("POST /api/retest", 'test a suspended bot again: {"name": "NAME"}'),
    ("GET /api/ladder", "the ladder"),
    ("GET /api/grades", "the grades"),
    ("GET /match/ID.json", "a played match with all its turns"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A heading (`level` 2 or 3), a paragraph (0), or a block of code."""

    text: str
    level: int = 0
    is_code: bool = False

    def as_markdown(self) -> str:
        """Return the part as Markdown."""
        if self.is_code:
            return f"````\n{self.text}\n````"
        return f"{'#' * self.level} {self.text}" if self.level else self.text


def guide(about: About, game: str, *, address: str, starter: Starter) -> tuple[Part, ...]:
    """Return the guide of a game as parts; ValueError if it is not installed."""
    return tuple(_parts(about, game, address=address, starter=starter))


def _parts(about: About, name: str, *, address: str, starter: Starter) -> Iterator[Part]:
    made, spec = load_game(name)(), load_game(name).spec
    yield Part(
        f"{spec.name}: {spec.summary}. Rules version {spec.version}, {spec.seats_text} seats, {spec.dynamics.value}."
    )
    yield Part("Rules", level=2)
    yield Part(_described(type(made).__module__), is_code=True)
    for variant, game, params in about.variants:
        if game == name:
            chosen = ", ".join(f"{key} = {value!r}" for key, value in params.items())
            yield Part(f"In this contest, {variant}: {chosen or 'the defaults'}.")
    yield Part("Parameters and their defaults; a bot gets the values of its match before the first turn.")
    yield Part("\n".join(f"{key} = {one.default!r}: {one.help}" for key, one in spec.params.items()), is_code=True)
    yield Part("Observation", level=2)
    yield Part(_described(f"{type(made).__module__.rpartition('.')[0]}.view"), is_code=True)
    yield Part("Starter, with examples of observations and actions", level=2)
    yield Part("A whole bot. The comments at its end show messages of real matches.")
    yield Part(starter(name), is_code=True)
    yield Part("How to submit", level=2)
    yield from _submitting(about, address)


def _submitting(about: About, address: str) -> Iterator[Part]:
    yield Part(f"Join at {address}join with the join code. It gives you a key, once; keep it in the file joust.key.")
    header = '-H "Authorization: Bearer $(head -n1 joust.key)"'
    lines = (
        f"joust submit bot.py --at {address}",
        f"curl -T bot.py {header} {address}hand-in/",
        f"curl {header} {address}api/quotas",
    )
    yield Part("\n".join(lines), is_code=True)
    yield Part(f"Each version is tested first: {', '.join(about.admission_steps)}. It plays only if every step passes.")
    yield Part("API", level=2)
    yield Part("All answers are JSON; a refusal is one line of text with a status of 400 or above.")
    yield Part("\n".join(f"{call}: {meaning}" for call, meaning in ANSWERS), is_code=True)


def _described(module: str) -> str:
    """Return what a module says of itself, "" if there is no such module."""
    try:
        return inspect.getdoc(import_module(module)) or ""
    except ImportError:
        return ""


def as_markdown(parts: tuple[Part, ...], *, title: str) -> str:
    """Return a guide as one Markdown text."""
    return "\n\n".join([f"# {title}", *(part.as_markdown() for part in parts if part.text)]) + "\n"


def llms_text(about: About, *, address: str) -> str:
    """Return `llms.txt`: what this site is, and where its guides are. Format: llmstxt.org."""
    said = "A contest of programs that play grid games. Entrants hand in bots; they are tested, play, and are ranked."
    guides = (
        f"- [{name}]({address}guide/{name}.md): rules, observation, actions, a starter, how to submit\n"
        for name in games_of(about)
    )
    return f"# {about.title}\n\n> {said}\n\n## Guides\n\n{''.join(guides)}"


def games_of(about: About) -> tuple[str, ...]:
    """Return the games of a contest by name."""
    return tuple(dict.fromkeys(game for _, game, _ in about.variants))
