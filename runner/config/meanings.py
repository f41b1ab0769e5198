"""What every key of a tournament file means, for people who write one: `joust schema config` and the reference show it.

A test holds this table and the structs of `runner.config.values` together.
"""

from __future__ import annotations

from collections.abc import Mapping

_LIMITS: Mapping[str, str] = {
    "turn_ms": "time for an answer in ms; null = no limit, for people",
    "bank_ms": "time in ms that a seat has in reserve for the whole match: what exceeds `turn_ms` is taken from it",
    "increment_ms": "what each answer puts back into the reserve",
    "start_ms": "time for a bot to start, and to get ready for a match",
    "grace_ms": "when the referee's own loop or the broker was later than this, a late answer makes the match void",
}

_PROGRAM: Mapping[str, str] = {
    "bot": "a built-in or installed bot; `*/astar` is that planner's bot in whichever game is played",
    "path": "a Python file and the bot's class in it: `file.py:Class`, relative to this file",
    "command": "a program and its arguments, in any language",
    "remote": "true: connects by itself, with credentials that `joust run` prints",
    "options": "passed on to the bot",
}

MEANINGS: Mapping[str, Mapping[str, str]] = {
    "Tournament": {
        "tournament": "its name, and that of its folder below results/",
        "games": "what is played; each entry is a variant",
        "bots": "who takes part",
        "seed": "the only source of chance: the same seed plays the same matches",
        "format": "who meets whom",
        "stop": "end it when a question is answered; null = when all rounds are played",
        "time": "the clock",
        "faults": "what mistakes cost",
        "execution": "how matches are run",
        "broker": "what carries the messages",
    },
    "Format": {
        "type": "everyone against everyone, challengers against the rest, by equal points, out when you lose, "
        "challenge the one above, or everyone alone (solo)",
        "rounds": "one round = every meeting once more, on a new seed; with `stop`, what is played before it is asked",
        "swap_seats": "play each meeting in every rotation of the seats, on one seed",
        "challengers": "gauntlet: names of bots that meet all others but not each other",
        "seeding": "swiss, knockout, ladder: best seed first as the bots are listed, or drawn by a hash of their names",
        "pairs": "swiss, knockout, ladder: on how many seeds two bots meet",
        "third_place": "knockout: the losers of the semi-finals meet",
        "replays": "knockout: how often a draw is played again on new seeds; then the better seed advances",
        "max_matches": "ladder: as many rounds as fit into so many matches, instead of `rounds`",
    },
    "StopRule": {
        "when": "`resolved`: the goal is known; `sprt`: a sequential test of two bots has decided",
        "max_matches": "the end in any case",
        "goal": "resolved: who is best, which are the best `top`, or their order",
        "top": "goal top: how many; goal order: of the best so many, null = of all",
        "confidence": "resolved: chance that the answer is right",
        "indifference": "resolved: bots that differ by less, in points a match, may come out either way",
        "adaptive": "where matches go: evenly; to the meetings that tell most (safe); or among undecided bots, while "
        "one rating per bot fits (race)",
        "elo0": "sprt: the first bot is better by this much at most, in normalized Elo",
        "elo1": "sprt: or by this much at least",
        "alpha": "sprt: chance of deciding for `elo1` where `elo0` holds",
        "beta": "sprt: chance of deciding for `elo0` where `elo1` holds",
    },
    "GameEntry": {
        "game": "which game; `joust games` lists them",
        "name": "of this variant; default: the game",
        "params": "the game's parameters that differ from their defaults",
        "maps": "map files, and `random` for a generated one; every round plays each",
        "seats": "how many; default: the fewest that the game takes",
        "seating": "one bot holds a whole team, or every seat has a bot of its own",
        "time": "what differs from the tournament's `time`",
    },
    "RoleProgram": _PROGRAM,
    "BotEntry": {
        **_PROGRAM,
        "name": "its name in tables",
        "roles": "games with roles: a program for each, instead of one for all",
        "time": "what differs from the tournament's and the game's `time`",
        "limits": "what one process may use",
    },
    "ResourceLimits": {
        "memory_mb": "memory of the process and its children; more stops it; null = no limit",
        "cpu_s": "CPU time of the process and its children; null = no limit",
    },
    "TimeLimits": _LIMITS,
    "TimeOverride": _LIMITS,
    "FaultPolicy": {
        "limit": "the fault that forfeits the match",
        "on_limit": "forfeit: this match; disqualify: the remaining ones too",
    },
    "Execution": {
        "where": "on this machine",
        "parallel": "matches at once; auto: one for every two cores",
        "isolation": "a process for each bot, a process in a sandbox (bubblewrap), or all in this process",
        "views": "publish every turn's public view, for people who watch live",
    },
    "BrokerConfig": {
        "use": "auto: mosquitto if it is on the PATH, else the embedded one",
        "url": "external: `mqtt(s)://user:password@host:port`",
        "listen": "`host:port` for remote bots; default: this machine alone, on a free port",
    },
}
