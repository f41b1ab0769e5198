"""The admission of a version: unpack, build, environment, doctor, matches against itself and the weakest staff bot.

All code of strangers runs in the sandbox, and so does the unpacking. A version passes only if no step failed and it
committed no fault in any match. The first failing step ends the admission, with its reason in plain words.
"""

from __future__ import annotations

import ast
import asyncio
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from gridjoust.recorded.findings import Case, Finding, Verdict, find_all
from gridjoust.recorded.run import Subject, examine, make_doctor_plan
from gridjoust.recorded.session import bot_entry, bot_output
from gridjoust.runner.config.bot_files import only_class
from gridjoust.runner.config.check_entries import check_starts
from gridjoust.runner.config.document import DocumentError, format_path, parse_document
from gridjoust.runner.config.mistakes import find_mistakes
from gridjoust.runner.config.programs import programs_of, split_path, with_absolute_paths
from gridjoust.runner.config.values import BotEntry, ResourceLimits, RoleProgram, with_override
from gridjoust.runner.config.variants import LoadedTournament
from gridjoust.runner.plan import make_plan
from gridjoust.runner.play.breakdown import LOGS
from gridjoust.runner.play.build import build_bots, is_build_confined
from gridjoust.runner.processes.process import start_process
from gridjoust.runner.processes.sandbox import Sandbox, package_paths
from gridjoust.runner.processes.start import Launch
from gridjoust.runner.results.records.file import RECORDS, record_path, write_record
from gridjoust.runner.results.records.lines import FaultLine, MatchRecord, cause_of
from gridjoust.runner.results.records.reasons import forfeit_of
from gridjoust.runner.schedule import Pairing, Schedule
from gridjoust.runner.tournament import open_resources, play_match
from gridjoust.runner.wire.errors import BugError, ConfigError
from gridjoust.runner.wire.text import plain_text
from gridjoust.serve.config import FAILED, Arena, ContestFile, Entry, record_name, tournament_of
from gridjoust.serve.values import Outcome
from gridjoust.tournament import open_for

BOT_FILE = "bot.yaml"  # in an upload: how its program is started, if it is no single Python class
_MOST_TEXT = 100_000  # bytes of that file
_LOG_LINES, _LOG_LETTERS = 40, 200
_UNPACK = ResourceLimits(memory_mb=512, processes=8, threads=16)
_TWIN = "-twin"


class RefusedError(Exception):
    """A step that failed: why, in plain words, with the end of the log and the `joust ask` command."""

    def __init__(self, sentence: str, *, log: str = "", ask: str = "", record: MatchRecord | None = None) -> None:
        super().__init__(sentence)
        self.log, self.ask, self.record = log, ask, record


class MachineError(Exception):
    """The machine was too busy to judge the version; it is tested again."""


@dataclass(frozen=True, slots=True)
class Task:
    """One admission: the uploaded file, and the folders for its parts."""

    file: ContestFile
    label: str
    upload: Path
    filename: str
    home: Path  # becomes the version's folder
    work: Path  # for records and logs of the admission
    seed: str | int


OnStep = Callable[[int, Outcome, str, RefusedError | None], object]


@dataclass(slots=True)
class Admission:
    """Takes one version through all steps; `on_step` is called when each begins and ends."""

    task: Task
    on_step: OnStep
    at: int = 0  # the step that runs
    _program: RoleProgram = field(default_factory=RoleProgram)
    _loaded: LoadedTournament | None = None

    async def run(self) -> RoleProgram | None:
        """Return the version's program, relative to its folder; None if it was refused. MachineError: test it again."""
        steps = (self._unpack, self._build, self._environment, self._doctor, self._self_match, self._staff_match)
        limit_s = self.task.file.section.admission_s
        shutil.rmtree(self.task.work, ignore_errors=True)
        (self.task.work / LOGS).mkdir(parents=True)
        try:
            async with asyncio.timeout(limit_s):
                for self.at, step in enumerate(steps):
                    self.on_step(self.at, Outcome.RUNNING, "", None)
                    self.on_step(self.at, Outcome.PASSED, await step(), None)
        except TimeoutError:
            refused = RefusedError(f"the admission took longer than {limit_s} s and ended here", log=self._log())
        except (ConfigError, BugError) as error:
            refused = RefusedError(str(error), log=self._log())
        except RefusedError as error:
            refused = error
        else:
            return self._program
        if refused.record is not None:
            write_record(self.task.work / FAILED, refused.record)
        self.on_step(self.at, Outcome.FAILED, plain_text(str(refused), limit=500), refused)
        return None

    async def _unpack(self) -> str:
        task = self.task
        part = task.home.with_name(f"{task.home.name}.part")
        for left in (part, task.home):
            shutil.rmtree(left, ignore_errors=True)
        part.mkdir(parents=True)
        said = await _unpacked(task, part)
        for path in _inside(part):
            path.chmod(0o755)  # a bot may have a user of its own, and the sandbox changes no modes
        part.replace(task.home)
        self._program = program_in(task.home)
        self._loaded = tournament_of(task.file, [self._entry()], seed=task.seed, start=task.home.parent)
        if problem := next(check_starts(self._bot(), ("bot",), folder=task.home), None):
            raise RefusedError(problem.recorded)
        return said

    async def _build(self) -> str:
        assert self._loaded is not None
        name = record_name(self.task.label)
        built = await build_bots(self._loaded, self.task.work / LOGS, trust=self.task.file.trust)
        if reason := built.broken.get(name):
            raise RefusedError(reason, log=self._log())
        if link := next((path for path in _inside(self.task.home) if path.is_symlink()), None):
            raise RefusedError(f"the build made a link: {link.name}")  # the sandbox would open its target
        self._loaded = built
        return f"built by {' '.join(self._program.build)}" if self._program.build else "nothing to build"

    async def _environment(self) -> str:
        return environment_of(self._program, self.task.home)

    async def _doctor(self) -> str:
        file, task = self.task.file, self.task
        variant = file.loaded.variants[0]
        bot, opponent = self._bot(), file.loaded.config.bots[0]
        [program], rival = programs_of(bot).values(), next(iter(programs_of(opponent).values()))
        subject = Subject(
            name=f"my-{bot.name}",  # unlike any opponent's
            program=with_absolute_paths(program, folder=task.home),
            game=variant.game,
            places=variant.sides,
            opponent=with_absolute_paths(rival, folder=file.loaded.folder),
            matches=1,
            seed=1,
            time=with_override(file.loaded.config.time, variant.entry.time),
            limits=bot.limits,
            folder=task.home.parent,
            is_confined=not file.trust,
        )
        evidence = await examine(subject, make_doctor_plan(subject, task.work / "doctor"))
        findings = find_all(evidence)
        for check, finding in findings.items():
            if finding.verdict is Verdict.FAIL:
                log = "\n".join(evidence.log.last_lines)
                raise self._diagnosed(check, finding, evidence.records, log=log)
        warned = [f"{check}: {found.sentence}" for check, found in findings.items() if found.verdict is Verdict.WARN]
        return "passed" if not warned else f"passed; {'; '.join(warned)}"

    def _diagnosed(self, check: str, finding: Finding, records: Sequence[MatchRecord], *, log: str) -> RefusedError:
        case: Case | None = next(iter(finding.cases), None)
        sentence = f"{check}: {finding.sentence}"
        if case is None:
            return RefusedError(sentence, log=log)
        record = next((one for one in records if one.header.match_id == case.match_id), None)
        return RefusedError(sentence, log=log, ask=self._ask(case.turn, case.seat), record=record)

    async def _self_match(self) -> str:
        label = self.task.label
        return await self._play(label, f"{label}{_TWIN}", "against itself")

    async def _staff_match(self) -> str:
        weakest = self.task.file.staff[0]
        return await self._play(self.task.label, weakest, f"against {weakest}")

    async def _play(self, first: str, second: str, against: str) -> str:
        """Play a pair in each variant; RefusedError if the version committed a fault in one."""
        assert self._loaded is not None
        twin = self._entry(f"{self.task.label}{_TWIN}")
        bots = (*self._loaded.config.bots, bot_entry(record_name(twin.label), twin.program, self._bot().limits))
        config = msgspec.structs.replace(self._loaded.config, bots=bots)
        loaded = msgspec.structs.replace(self._loaded, config=config)
        arena = Arena(loaded)
        variants = range(len(loaded.variants))
        pairings = [one for at in variants for one in arena.pair(first, second, purpose="admission", number=at)]
        points = 0.0

        def judge(record: MatchRecord) -> None:
            nonlocal points
            own = [seat for seat, entry in enumerate(record.header.seats) if self._is_own(entry.bot)]
            if not record.end.counted:
                raise MachineError(record.end.reason)
            if any(record.end.faults[seat] for seat in own):
                raise self._faulted(record, own, against)
            points += record.end.points[own[0]] or 0.0

        await _play_all(loaded, pairings, self.task.work, trust=self.task.file.trust, judge=judge)
        won = "" if second.endswith(_TWIN) else f", {points:g} points"
        return f"{len(pairings)} matches {against} without a fault{won}"

    def _faulted(self, record: MatchRecord, own: Sequence[int], against: str) -> RefusedError:
        faults = [line for line in record.lines if isinstance(line, FaultLine) and line.seat in own]
        of_seat = [line for line in faults if line.seat == faults[0].seat]
        cause, _ = cause_of(of_seat)
        forfeit = forfeit_of(of_seat)
        sentence = f"a fault in a match {against}, turn {cause.turn}: {forfeit.how}"
        return RefusedError(sentence, log=self._log(), ask=self._ask(cause.turn, cause.seat), record=record)

    def _is_own(self, bot: str) -> bool:
        return bot in (record_name(self.task.label), record_name(f"{self.task.label}{_TWIN}"))

    def _entry(self, label: str = "") -> Entry:
        return Entry(label or self.task.label, with_absolute_paths(self._program, folder=self.task.home))

    def _bot(self) -> BotEntry:
        return bot_entry(record_name(self.task.label), self._entry().program, self.task.file.section.limits)

    def _ask(self, turn: int, seat: int) -> str:
        """Return the command that repeats a question at home, beside the downloaded record."""
        program = self._program
        bot = program.path or f"--command '{' '.join(program.command or ())}'"
        return f"joust ask {bot} --record {record_name(self.task.label)}-{FAILED} --turn {turn} --seat {seat}"

    def _log(self) -> str:
        """Return the end of what the version has printed."""
        logs = self.task.work / LOGS
        names = (record_name(self.task.label), record_name(f"{self.task.label}{_TWIN}"))
        lines = [line for name in names for part in bot_output(logs, name) for line in part]
        return "\n".join(plain_text(line, limit=_LOG_LETTERS) for line in lines[-_LOG_LINES:])


async def _unpacked(task: Task, out: Path) -> str:
    """Unpack the upload in a process of its own, in the sandbox if it works; return what was unpacked, as a text."""
    log = task.work / LOGS / "unpack.log"
    words = (str(task.upload), str(out), task.filename)
    command = (sys.executable, "-P", "-m", "gridjoust.serve.play.unpacking", *words)
    with tempfile.TemporaryDirectory(prefix="joust-unpack-") as scratch:
        confined: dict[str, Any] = {}
        if not task.file.trust and is_build_confined("sandbox"):
            confined = {
                "sandbox": Sandbox.BUILT_IN,
                "readable": (*package_paths(), task.upload),
                "writable": (out,),
                "scratch": Path(scratch),
            }
        process = await start_process(Launch("unpack", command, {}, log, _UNPACK, out, **confined))
        try:
            ended = await process.wait()
        finally:
            process.kill()
            await process.wait()
    said = await asyncio.to_thread(log.read_text, encoding="utf-8", errors="replace")
    last = (said.strip().splitlines() or [ended.reason])[-1]
    if ended.code != 0:
        raise RefusedError(plain_text(last))
    return plain_text(last)


def _inside(folder: Path) -> Iterator[Path]:
    """Yield a folder and everything in it; links are not followed."""
    yield folder
    for root, folders, names in os.walk(folder):
        yield from (Path(root, name) for name in (*folders, *names))


def program_in(folder: Path) -> RoleProgram:
    """Return the program of an unpacked upload, with paths relative to the folder; RefusedError says what it lacks."""
    file = folder / BOT_FILE
    if file.is_file():
        return _described(file)
    sources = sorted(path.name for path in folder.iterdir() if path.suffix == ".py" and path.is_file())
    named = [name for name in ("bot.py", "main.py") if name in sources] or sources
    if len(named) != 1 and not (named and named[0] in ("bot.py", "main.py")):
        expected = f"bot.py, a single Python file, or {BOT_FILE}"
        raise RefusedError(f"expected {expected}, got {', '.join(sources) or 'no Python file'}")
    try:
        name = only_class(folder / named[0])
    except ValueError as error:
        raise RefusedError(str(error)) from None
    is_alone = sum(1 for _ in folder.iterdir()) == 1
    return RoleProgram(path=f"{named[0]}:{name}", files=() if is_alone else ("*",))


def _described(file: Path) -> RoleProgram:
    """Return the program that `bot.yaml` describes, as an entry of a tournament file; it stays within the upload."""
    try:
        if file.stat().st_size > _MOST_TEXT:
            raise RefusedError(f"{BOT_FILE}: expected at most {_MOST_TEXT} bytes")
        data = parse_document(file.read_text(encoding="utf-8")).data
    except (DocumentError, UnicodeDecodeError) as error:
        raise RefusedError(f"{BOT_FILE}: {error}") from None
    if found := next(find_mistakes(data, RoleProgram), None):
        raise RefusedError(f"{BOT_FILE}:{' ' if found.path else ''}{format_path(found.path)}: {found.sentence}")
    given = msgspec.convert(data, RoleProgram)
    if (given.path is None) == (given.command is None) or given.bot is not None or given.remote or given.files:
        raise RefusedError(f"{BOT_FILE}: expected path or command, one of them, and no bot, remote or files")
    for word in (given.path or "", *(given.command or ()), *given.build):
        if word.startswith(("/", "~")) or ".." in PurePosixPath(word).parts:
            raise RefusedError(f"{BOT_FILE}: expected names of files in the upload, got {word!r}")
    return msgspec.structs.replace(given, files=("*",))


def environment_of(program: RoleProgram, folder: Path) -> str:
    """Say which environment the program runs in: Python and the packages that it imports, or compiler and command."""
    words = [word for word in (*program.build[:1], *(program.command or ())[:1]) if "/" not in word]
    tools = [f"{word} ({shutil.which(word) or 'not found here'})" for word in dict.fromkeys(words)]
    python = f"Python {sys.version.split()[0]}"
    if program.path is None:
        return ", ".join(tools) or python
    file = folder / split_path(program.path)[0]
    own = {path.stem for path in folder.iterdir()}
    packages = sorted({name for name in _imports(file) if name not in own})
    return ", ".join([python, *map(_installed, packages)])


def _imports(file: Path) -> Iterator[str]:
    """Yield the top-level packages that a Python file imports, beyond the standard library and Joust."""
    with suppress(SyntaxError, ValueError, RecursionError, MemoryError, OSError):
        for node in ast.walk(ast.parse(file.read_bytes())):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level and node.module:
                names = [node.module]
            for name in names:
                if (top := name.partition(".")[0]) not in sys.stdlib_module_names and top != "gridjoust":
                    yield top


def _installed(package: str) -> str:
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package if find_spec(package) is not None else f"{package} (not installed here)"


async def _play_all(
    loaded: LoadedTournament,
    pairings: Sequence[Pairing],
    out: Path,
    *,
    trust: bool,
    judge: Callable[[MatchRecord], None],
) -> None:
    """Play matches one after another; `judge` gets each record, and may raise an error to stop."""
    (out / RECORDS).mkdir(parents=True, exist_ok=True)
    plan = make_plan(loaded, lambda _: Schedule(iter(())), out, trust=trust)
    async with open_for(plan) as backend, open_resources(plan, backend) as resources:
        for pairing in pairings:
            record = await play_match(pairing, resources, banned=lambda _: {})
            write_record(record_path(out, pairing.match_id), record)
            judge(record)
