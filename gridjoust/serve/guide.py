"""The guide of a game, for people and coding agents: made from the code, so that it cannot be out of date."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module

from gridjoust.games import load_game
from gridjoust.serve.values import About

Starter = Callable[[str], str]  # game -> the text of a first bot for it

ANSWERS = """\
GET /api/me: who the key belongs to
GET /api/quotas: uploads, versions and matches that are left, and when more are
PUT /hand-in/FILE: hand in a file or an archive as the raw body; the answer names the version
GET /api/versions/NAME: all versions of an entrant, newest first, with state and reason
GET /api/versions/NAME/NUMBER: the steps of an admission; logs of your own only
GET /api/queue: matches that run or wait, versions that wait, and your next match
GET /api/matches?name=NAME&opponent=NAME&lost=1: played matches, newest first; pass `older` as `before`
POST /api/matches: ask for an unrated match: {"opponent": "NAME", "seed": "7"}
POST /api/retest: test a suspended bot again: {"name": "NAME"}
GET /api/ladder, GET /api/grades: the tables; with ?track=NAME, of its entrants alone
GET /match/ID.json: a played match with all its turns"""


def guide(about: About, game: str, *, address: str, starter: Starter) -> str:
    """Return the guide of a game as Markdown; ValueError if it is not installed."""
    return "\n\n".join(part for part in _parts(about, game, address=address, starter=starter) if part) + "\n"


def _parts(about: About, name: str, *, address: str, starter: Starter) -> Iterator[str]:
    rules = load_game(name)
    spec, module = rules.spec, rules.__module__
    yield f"# {name}: {spec.summary}"
    yield f"Rules version {spec.version}, {spec.seats_text} seats, {spec.dynamics.value}."
    yield f"## Rules\n\n{_described(module)}"
    for variant, game, params in about.variants:
        if game == name:
            chosen = ", ".join(f"{key} = {value!r}" for key, value in params.items())
            yield f"In this contest, {variant}: {chosen or 'the defaults'}."
    yield "Parameters and their defaults; a bot gets the values of its match before the first turn."
    yield _code("\n".join(f"{key} = {one.default!r}: {one.help}" for key, one in spec.params.items()))
    yield "## Observation"
    yield _described(f"{module.rpartition('.')[0]}.view")
    yield "## A whole bot to start from\n\nThe comments at its end show observations and actions of real matches."
    yield _code(starter(name))
    yield f"## How to submit\n\nJoin at {address}join with the join code. It gives you a key: save it as joust.key."
    yield _code(submit_lines(address))
    yield f"Each version is tested first: {', '.join(about.admission_steps)}. It plays only if every step passes."
    yield "## API\n\nAnswers are JSON; a refusal is one line of text with a status of 400 or above."
    yield _code(ANSWERS)


def submit_lines(address: str) -> str:
    """Return the commands that hand in a bot."""
    header = '-H "Authorization: Bearer $(head -n1 joust.key)"'
    return f"joust submit bot.py --at {address}\ncurl -T bot.py {header} {address}hand-in/"


def _code(text: str) -> str:
    return f"````\n{text}\n````"


def _described(module: str) -> str:
    """Return the docstring of a module, "" if there is no such module."""
    try:
        return inspect.getdoc(import_module(module)) or ""
    except ImportError:
        return ""


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
