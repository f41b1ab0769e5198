"""Sections of a tournament file that come in several kinds: formats and stop rules, one struct for each kind.

In such a section one key, the tag, decides which other keys there are. Each kind is a struct with its own keys; the
first of a union is the default. A file may set keys of another kind if they keep their defaults. So a file is first
checked against `all_keys`, which turns each union into one struct with the keys of all kinds. The message about a wrong
key then does not depend on the tag. After that, `choose_kinds` takes out the keys that the chosen kind does not have.

A new format is one struct here, listed in `AnyFormat`; `gridjoust.runner.schedule` makes its pairings, in `groups`, or
by a generator listed in `DECIDED` if they depend on results.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import comb
from typing import Annotated, Any, ClassVar, Literal, get_args, get_type_hints

import msgspec
from msgspec import UNSET, Meta

Kind = type[msgspec.Struct]
Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of all sections of a tournament file: immutable, keyword-only, refuses unknown keys."""


def means(description: str, **bounds: Any) -> Meta:
    """Return metadata with a key's description, which the schema and the reference show."""
    return Meta(description=description, **bounds)


def unions_of(kind: Kind) -> dict[str, tuple[Kind, ...]]:
    """Return, by key, the structs that each section of a tournament file may be; the first is the default."""
    kinds_by_key = {key: _kinds_in(hint) for key, hint in get_type_hints(kind, include_extras=True).items()}
    return {key: kinds for key, kinds in kinds_by_key.items() if kinds}


def tag_of(kind: Kind) -> tuple[str, str]:
    """Return the (key, value) by which a tournament file chooses this struct, such as ("type", "swiss")."""
    config = kind.__struct_config__
    return str(config.tag_field), str(config.tag)


def all_keys(kind: Kind) -> Kind:
    """Return the struct with each union of structs in it replaced by one struct that has the keys of all."""
    hints, unions = get_type_hints(kind, include_extras=True), unions_of(kind)
    fields = []
    for field in msgspec.structs.fields(kind):
        hint = hints[field.name]
        if field.name in unions:
            merged: Any = _merged(unions[field.name])
            hint = merged | None if type(None) in _options(hint) else merged
        fields.append((field.name, hint) if field.required else (field.name, hint, UNSET))
    return _make(kind.__name__, fields)


def choose_kinds(data: Mapping[str, Any], kind: Kind) -> tuple[dict[str, Any], dict[str, list[str]]]:
    """Turn data that fits `all_keys(kind)` into data that fits `kind`: keep the keys of the chosen alternatives.

    Return the data and, by section, the keys of other alternatives, which the file sets but nothing uses.
    """
    chosen, unused = dict(data), {}
    for part, kinds in unions_of(kind).items():
        if isinstance(data.get(part), dict):
            chosen[part], unused[part] = _choose(data[part], kinds)
    return chosen, unused


def _choose(section: Mapping[str, Any], kinds: tuple[Kind, ...]) -> tuple[dict[str, Any], list[str]]:
    tag_field, default = tag_of(kinds[0])
    tag = section.get(tag_field, default)
    own = next(kind for kind in kinds if tag_of(kind) == (tag_field, tag)).__struct_fields__
    given = msgspec.convert(section, _merged(kinds))
    foreign = {key: default for key, (_, default) in _fields(kinds).items() if key in section and key not in own}
    unused = [key for key, default in foreign.items() if getattr(given, key) != default]
    return {tag_field: tag} | {key: value for key, value in section.items() if key not in foreign}, unused


def _merged(kinds: tuple[Kind, ...]) -> Kind:
    tags = [tag_of(kind) for kind in kinds]
    choice: Any = Literal
    tag_field = (tags[0][0], choice[tuple(tag for _, tag in tags)], tags[0][1])
    return _make("Section", [tag_field, *((key, *kept) for key, kept in _fields(kinds).items())])


def _fields(kinds: tuple[Kind, ...]) -> dict[str, tuple[Any, Any]]:
    """Return (type, default) of the keys of all these structs; a key that several have is the same in each."""
    fields: dict[str, tuple[Any, Any]] = {}
    for kind in kinds:
        hints = get_type_hints(kind, include_extras=True)
        fields |= {field.name: (hints[field.name], field.default) for field in msgspec.structs.fields(kind)}
    return fields


def _make(name: str, fields: list[Any]) -> Kind:
    return msgspec.defstruct(name, fields, frozen=True, kw_only=True, forbid_unknown_fields=True)


def _kinds_in(hint: Any) -> tuple[Kind, ...]:
    kinds = (kind for kind in _options(hint) if isinstance(kind, type) and issubclass(kind, msgspec.Struct))
    return tuple(kind for kind in kinds if kind.__struct_config__.tag is not None)


def _options(hint: Any) -> tuple[Any, ...]:
    """Return the members of a union, with or without `Annotated` around it."""
    return get_args(get_args(hint)[0] if hasattr(hint, "__metadata__") else hint)


MOST_MATCHES = 10**9  # the most matches, and the most rounds, of a tournament
MOST_PAIRS = 10**4  # the most seeds of one pairing of two bots: its matches are planned at once
MOST_AT_ONCE = 10**5  # the most matches that are planned before a stop rule decides

Rounds = Annotated[
    int,
    means(
        "one round plays every pairing once, on new seeds; with `stop`: the rounds before its first decision",
        ge=1,
        le=MOST_MATCHES,
    ),
]
SwapSeats = Annotated[bool, means("play each pairing in every rotation of the seats, on one seed")]
Seeding = Annotated[
    Literal["file", "hash"], means("file: the bots are listed best first; hash: drawn by a hash of their names")
]
Pairs = Annotated[int, means("number of seeds that two bots play when they meet", ge=1, le=MOST_PAIRS)]
StopDecided = Annotated[bool, means("with several `pairs`: play no more seeds once one bot can no longer be overtaken")]
ThirdPlace = Annotated[bool, means("in a knockout: the losers of the semi-finals play for third place")]
Replays = Annotated[
    int, means("replays of a draw, on new seeds; then the better-seeded bot advances", ge=0, le=MOST_PAIRS)
]
SecondFinal = Annotated[
    bool, means("in a double elimination: if the bot from the lower bracket wins the final, both play once more")
]


class Format(Section, frozen=True, kw_only=True, tag_field="type"):
    """Decides which bots play each other. `least_sides`, `most_sides`: how many teams the games may have."""

    least_sides: ClassVar[int] = 2
    most_sides: ClassVar[int | None] = None

    @property
    def type(self) -> str:
        """The format's name in a tournament file."""
        return str(self.__struct_config__.tag)


class Duels(Format, frozen=True, kw_only=True, tag_field="type"):
    """Pairs two bots at a time; results decide the next pairings."""

    most_sides: ClassVar[int | None] = 2

    @property
    def is_length_known(self) -> bool:
        """True if the number of matches does not depend on results."""
        return True


class Groups(Format, frozen=True, kw_only=True, tag_field="type"):
    """Pairs groups of bots that are known before the first match."""

    rounds: Rounds = 1
    swap_seats: SwapSeats = True

    def count_groups(self, bots: int, sides: int) -> int:
        """Count the groups of bots that play each other in a round; `sides`: number of bots in a match."""
        return comb(bots, sides)


class RoundRobin(Groups, frozen=True, kw_only=True, tag="round_robin"):
    """Every bot plays every other bot."""

    least_sides: ClassVar[int] = 1


class Gauntlet(Groups, frozen=True, kw_only=True, tag="gauntlet"):
    """The challengers play all other bots."""

    challengers: Annotated[tuple[str, ...], means("names of the bots that play all others but not each other")] = ()

    def count_groups(self, bots: int, sides: int) -> int:
        """Count the groups in a round: each challenger with every group of the other bots."""
        return len(self.challengers) * comb(bots - len(self.challengers), sides - 1)


class Solo(Groups, frozen=True, kw_only=True, tag="solo"):
    """Every bot plays alone."""

    least_sides: ClassVar[int] = 1
    most_sides: ClassVar[int | None] = 1


class Swiss(Duels, frozen=True, kw_only=True, tag="swiss"):
    """Bots with equal points play each other."""

    rounds: Rounds = 1
    swap_seats: SwapSeats = True
    seeding: Seeding = "file"
    pairs: Pairs = 1

    def most_matches(self, bots: int, matches_each: int) -> int:
        """Count the matches of all rounds; two bots play `matches_each` matches on each seed."""
        return self.rounds * self.pairs * (bots // 2) * matches_each


class Knockout(Duels, frozen=True, kw_only=True, tag="knockout"):
    """A bot that loses is eliminated."""

    swap_seats: SwapSeats = True
    seeding: Seeding = "file"
    pairs: Pairs = 1
    stop_decided: StopDecided = False
    third_place: ThirdPlace = True
    replays: Replays = 2

    @property
    def is_length_known(self) -> bool:
        """True if draws are not replayed, and every duel is played to its end."""
        return self.replays == 0 and _is_played_out(self)

    def most_matches(self, bots: int, matches_each: int) -> int:
        """Count the matches if every duel needs all its replays; two bots play `matches_each` on each seed."""
        beaten = bots - 1 + (self.third_place and bots >= 4)
        return beaten * (self.pairs + self.replays) * matches_each


class DoubleElimination(Duels, frozen=True, kw_only=True, tag="double_elimination"):
    """A bot that loses twice is eliminated."""

    swap_seats: SwapSeats = True
    seeding: Seeding = "file"
    pairs: Pairs = 1
    stop_decided: StopDecided = False
    replays: Replays = 2
    second_final: SecondFinal = True

    @property
    def is_length_known(self) -> bool:
        """True if neither draws nor the final can lead to further duels, and every duel is played to its end."""
        return self.replays == 0 and not self.second_final and _is_played_out(self)

    def most_matches(self, bots: int, matches_each: int) -> int:
        """Count the matches if every duel needs all its replays; two bots play `matches_each` on each seed."""
        return (2 * (bots - 1) + self.second_final) * (self.pairs + self.replays) * matches_each


class Stages(Duels, frozen=True, kw_only=True, tag="stages"):
    """Groups play round robin; the best of each group play a final."""

    groups: Annotated[int, means("number of groups; bots are dealt to them by seed, in snake order", ge=1)] = 2
    advance: Annotated[int, means("how many bots of each group play the final", ge=1)] = 2
    final: Annotated[
        Literal["knockout", "double_elimination"], means("format of the final; group winners are its best seeds")
    ] = "knockout"
    rounds: Rounds = 1
    swap_seats: SwapSeats = True
    seeding: Seeding = "file"
    pairs: Pairs = 1
    stop_decided: StopDecided = False
    third_place: ThirdPlace = True
    replays: Replays = 2
    second_final: SecondFinal = True

    @property
    def final_format(self) -> Knockout | DoubleElimination:
        """The format of the final, with the keys that it shares with this one."""
        kind = Knockout if self.final == "knockout" else DoubleElimination
        return kind(**{key: getattr(self, key) for key in kind.__struct_fields__})

    @property
    def is_length_known(self) -> bool:
        """True if the number of matches in the final does not depend on results."""
        return self.final_format.is_length_known

    def most_matches(self, bots: int, matches_each: int) -> int:
        """Count the matches of all groups, and those of the final if every duel needs all its replays."""
        sizes = [len(range(start, bots, self.groups)) for start in range(self.groups)]
        in_groups = self.rounds * self.pairs * sum(comb(size, 2) for size in sizes) * matches_each
        return in_groups + self.final_format.most_matches(self.groups * self.advance, matches_each)


class Ladder(Duels, frozen=True, kw_only=True, tag="ladder"):
    """Each bot challenges the one above it."""

    rounds: Rounds = 1
    swap_seats: SwapSeats = True
    seeding: Seeding = "file"
    pairs: Pairs = 1
    stop_decided: StopDecided = False
    max_matches: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_MATCHES)] | None,
        means("instead of `rounds`: play as many rounds as fit into this number of matches"),
    ] = None

    @property
    def is_length_known(self) -> bool:
        """True if every challenge is played to its end."""
        return _is_played_out(self)

    def most_matches(self, bots: int, matches_each: int) -> int:
        """Count the matches of whole challenges: those of all `rounds`, or those that fit into `max_matches`."""
        challenge = self.pairs * matches_each
        if self.max_matches is None:
            return self.rounds * (bots - 1) * challenge
        return self.max_matches // challenge * challenge


def _is_played_out(form: Knockout | DoubleElimination | Ladder) -> bool:
    """Return True if two bots play all their seeds, also when one can no longer be overtaken."""
    return not (form.stop_decided and form.pairs > 1)


AnyFormat = RoundRobin | Gauntlet | Swiss | Knockout | DoubleElimination | Stages | Ladder | Solo

MaxMatches = Annotated[int, means("the tournament ends after at most this many matches", ge=1, le=MOST_MATCHES)]


class Resolved(Section, frozen=True, kw_only=True, tag_field="when", tag="resolved"):
    """Stop once the goal is known with `confidence`; the games must have two sides.

    Bots that differ by less than `indifference` count as equal: the answer is a tie, or names either of them.
    """

    max_matches: MaxMatches = 2000
    goal: Annotated[
        Literal["top", "winner", "order"], means("find the best bot (winner), the best `top`, or the order of the bots")
    ] = "winner"
    top: Annotated[Positive | None, means("goal top: how many bots; goal order: order this many, null = all")] = None
    confidence: Annotated[float, means("chance that the answer is right")] = 0.95
    indifference: Annotated[
        float,
        means("bots that differ by less, in points per match (0 to 1), count as equal; 0.03 is about 20 Elo points"),
    ] = 0.03
    adaptive: Annotated[
        Literal["none", "safe", "race"],
        means(
            "which pairings get more matches. none: all equally; safe: those that tell most; race: those of undecided "
            "bots, while one rating per bot fits"
        ),
    ] = "none"


class Sprt(Section, frozen=True, kw_only=True, tag_field="when", tag="sprt"):
    """Stop once a sequential test has decided between `elo0` and `elo1`, the first bot's lead over the second.

    `joust run` exits with code 1 unless it decides for `elo1`.
    """

    max_matches: MaxMatches = 2000
    elo0: Annotated[float, means("hypothesis 0: the first bot leads by at most this, in normalized Elo")] = 0.0
    elo1: Annotated[float, means("hypothesis 1: the first bot leads by at least this")] = 10.0
    alpha: Annotated[float, means("chance of deciding for `elo1` if `elo0` is true")] = 0.05
    beta: Annotated[float, means("chance of deciding for `elo0` if `elo1` is true")] = 0.05


class Better(Section, frozen=True, kw_only=True, tag_field="when", tag="better"):
    """Test versions, oldest first: each plays the newest accepted one until it is shown to be better.

    A version plays the format's `rounds` before its first decision. `joust run` exits with code 1 unless the last
    version is accepted.
    """

    max_matches: MaxMatches = 2000
    error: Annotated[float, means("upper bound of the chance that any version is accepted without being better")] = 0.05
    version_matches: Annotated[int, means("a version not shown to be better in so many matches is rejected", ge=1)] = (
        400
    )


StopRule = Resolved | Sprt | Better
