"""The attacks and what each must come to. The tests hold it true; the page on fairness shows it."""

from __future__ import annotations

from dataclasses import dataclass

PLAYED_OUT = "completed"


@dataclass(frozen=True, slots=True)
class Attack:
    """One hostile bot of `hostile.py`. `ends`: terminations that are right; a match that is played out it loses too."""

    name: str
    tries: str  # for the page
    ends: tuple[str, ...] = (PLAYED_OUT,)
    says: str = ""  # a part of the reason
    is_flood: bool = False  # played apart from the others, which it makes late
    unconfined: str = ""  # the outcome in plain processes, where a bot may do what it tries
    with_user: str = ""  # and where each bot has a user id of its own

    @property
    def outcome(self) -> str:
        """For the page."""
        faults = [name.replace("_", " ") for name in self.ends if name != PLAYED_OUT]
        loses = f"loses: {' or '.join(faults)}" if faults else ""
        return ", or ".join(filter(None, [loses, "gains nothing" if PLAYED_OUT in self.ends else ""]))


# mosquitto says nothing of packets that it drops: what they cost is the time to answer
_CHOKED = ("flooding", "late", PLAYED_OUT)
# the embedded broker ends the connection: on a busy machine the process may be seen to leave before the reason is heard
_CUT_OFF = ("flooding", "crashed")
_CAN_READ, _READS_OPEN = "can read what you can", "can read what every user may"
_CAN_WRITE = "can write; the records are set aside: gains nothing"
_UNREADABLE = "expected a ready, action or error message"


@dataclass(frozen=True, slots=True)
class Trespass:
    """What somebody outside of a match tries, by a page, a file or a message. `test`: the test that tries it."""

    who: str
    tries: str
    outcome: str
    test: str  # file::function, below this folder


ATTACKS = (
    Attack("control", "plays on, and waits"),
    Attack("silent", "does not answer", ("late",), "no answer within"),
    Attack("chatters_then_silent", "sends 150 messages, then nothing, to have others blamed", ("late",), "no answer"),
    Attack("late", "answers after the deadline", ("late",), "no answer within"),
    Attack("mute", "never answers the greeting", ("failed_to_start",), "no ready after hello within"),
    Attack("never_ready", "is never ready for the match", ("failed_to_start",), "no ready within"),
    Attack(
        "old_protocol", "speaks another version of the protocol", ("failed_to_start",), "expected protocol 1, got 99"
    ),
    Attack("dies_at_start", "dies of a signal at the start", ("failed_to_start",), "SIGSEGV"),
    Attack("nested_hello", "answers the greeting with JSON nested 5,000 deep", ("failed_to_start",), _UNREADABLE),
    Attack("nested_ready", "says ready in JSON nested 5,000 deep", ("failed_to_start",), _UNREADABLE),
    Attack("nested_answer", "answers in JSON nested 5,000 deep", ("malformed",), _UNREADABLE),
    Attack("nested_status", "sends a status of JSON nested 5,000 deep"),
    Attack("garbage", "answers with bytes that are no text", ("malformed",), _UNREADABLE),
    Attack("surrogates", "sends half of a surrogate pair", ("malformed", "crashed"), ""),
    Attack("wrong_types", "sends values of other types", ("malformed",), _UNREADABLE),
    Attack("endless_number", "sends a number of 60,000 digits", ("malformed",), _UNREADABLE),
    Attack("numbers", "claims counts and costs that no table holds", ("malformed",), _UNREADABLE),
    Attack("no_such_action", "answers an unknown action with terminal escapes in it", ("malformed",), "fly"),
    Attack("long_answer", "sends an answer of 130 kB", ("malformed",), "expected at most 65536 bytes"),
    Attack("giant_message", "sends a message of 10 MB", ("crashed", "flooding"), ""),
    Attack("confesses_at_length", "reports an error of 60 kB with terminal escapes in it", ("crashed",), "xxx"),
    Attack("escapes_in_version", "puts terminal escapes into its version"),
    Attack(
        "giant_log", "blows its log up to 3 GB, writes a line of 1 MB and leaves", ("crashed",), "exited with code 1"
    ),
    Attack("dies", "kills itself when it is losing", ("crashed",), "SIGKILL"),
    Attack("leaves", "leaves without a word", ("crashed",), "exited with code 0"),
    Attack("never_leaves", "ignores every request to leave"),
    Attack("answers_for_rival", "answers in the rival's place", ("malformed",), "expected an answer for a seat in"),
    Attack("answers_ahead", "answers questions to come", ("malformed",), "expected the number of a question"),
    Attack("repeats_and_digs", "answers twice, late, and for other matches"),
    Attack("keeps_open", "never says which answer is its last"),
    Attack("writes_elsewhere", "writes to the rival's topics and the referee's"),
    Attack("reads_elsewhere", "subscribes to everything"),
    Attack("guesses_passwords", "logs in as the rival and the referee with guessed passwords"),
    Attack("takes_rivals_name", "logs in again under the rival's client id", ("crashed",), "connection was lost"),
    Attack("loiters", "holds 30 connections that never finish logging in"),
    Attack("hoards_connections", "opens 1,100 connections", ("failed_to_start",), "Too many open files"),
    Attack("stops_reading", "reads nothing more", ("late",), "no answer within"),
    Attack("stdio_half_line", "on standard output: half a line, and nothing more", ("late",), "no answer within"),
    Attack("stdio_long_line", "on standard output: a line of 100 MB", ("late", "malformed"), ""),
    Attack("stdio_binary", "on standard output: bytes that are no text"),
    Attack("stdio_closes_output", "closes its standard output and stays", ("crashed", "late"), ""),
    Attack("stdio_reads_nothing", "on standard input: reads nothing more", ("late",), "no answer within"),
    Attack("stdio_floods", "on standard output: answers without end, asked or not", ("late", PLAYED_OUT)),
    Attack("flickers", "says 400 times that it has died and come back", ("flooding", "disconnected"), "at most"),
    Attack(
        "reads_files",
        "reads the tournament's files and what other processes were told",
        unconfined=_CAN_READ,
        with_user=_READS_OPEN,
    ),
    Attack("writes_files", "writes records of matches into the results folder", unconfined=_CAN_WRITE),
    Attack("hides_memory", "keeps 300 MB where no process maps them", ("crashed",), "of 150 MB"),
    Attack("leaves_memory", "keeps 300 MB in a process whose parent has ended", ("crashed",), "of 150 MB"),
    Attack("hides_processes", "starts a process that does not show whose it is"),
    Attack("guesses_seed", "looks for the number that its own seed comes from"),
    Attack(
        "reads_around",
        "is a class of a file that reads its neighbours (`path:`)",
        unconfined=_CAN_READ,
        with_user=_READS_OPEN,
    ),
    Attack("endless_message", "sends a message of 200 MB", ("crashed", "flooding", "disconnected")),
    Attack("breeds_threads", "starts 2,000 threads", ("crashed", "late"), "thread", is_flood=True),
    Attack("breeds_processes", "starts 200 processes in sessions of their own", ("crashed", "late"), "", is_flood=True),
    Attack("floods_answers", "sends 20,000 messages", _CUT_OFF, is_flood=True),
    Attack("floods_status", "says 5,000 times that it is there", _CUT_OFF, is_flood=True),
    Attack("floods_large_status", "sends 500 status messages of 60 kB", _CUT_OFF, is_flood=True),
    Attack("floods_elsewhere", "sends 20,000 messages to topics without rights", _CHOKED, is_flood=True),
    Attack("floods_pings", "pings the broker 20,000 times", (*_CHOKED, "crashed"), is_flood=True),
    Attack("floods_subscriptions", "subscribes 10,000 times", (*_CHOKED, "crashed"), is_flood=True),
    Attack("floods_unreleased", "begins 10,000 messages of QoS 2", ("flooding", "crashed", "late"), is_flood=True),
)

BIDS = (
    Attack("bursts_bids", "in real time: bids from 99 to 21 in one breath, without a proof"),
    Attack("drips_bids", "in real time: bids every 10 ms, without a proof"),
    Attack("undercuts", "in real time: bids one less than its rival, at once, without a proof"),
    Attack("floods_after_bid", "in real time: sends 20,000 messages after its own bid", ("flooding",)),
)
"""Of `hostile_bids.py`."""

_SPECTATOR, _BOT = "spectator", "bot"
_ENTRANT, _SENDER, _STRANGER = "entrant", "sender of a folder", "stranger at a port"
_WORKER, _ON_WORKER = "worker with the token", "bot on a worker's machine"

TRESPASSES = (
    Trespass(
        _BOT,
        "reads the pages of its own run for the seed of its match",
        "finds seeds of which no match is left",
        "test_open_seeds.py::test_a_bot_that_reads_the_live_page_never_learns_the_seed_of_the_match_that_it_begins",
    ),
    Trespass(
        _SPECTATOR,
        "opens a finished match whose seed is still to be played",
        "gets the result alone",
        "test_open_seeds.py::test_a_stopped_run_shows_matches_of_those_seeds_alone_of_which_none_is_left",
    ),
    Trespass(
        _ON_WORKER,
        "reads the tournament file that came with the job for the seed",
        "finds `secret`",
        "test_open_seeds.py::test_a_workers_files_do_not_name_the_tournaments_seed",
    ),
    Trespass(
        _SENDER,
        "names a match in a pack by a path (`../../other/records/x`)",
        "the pack is refused, and nothing is written",
        "test_hostile_packs.py::test_a_pack_that_names_a_match_by_a_path_is_refused_before_anything_is_written",
    ),
    Trespass(
        _SENDER,
        "has such a pack taken over by `--resume`",
        "it is set aside; its other records stay",
        "test_hostile_packs.py::test_a_run_that_goes_on_sets_such_a_pack_aside_and_keeps_its_other_records",
    ),
    Trespass(
        _SENDER,
        "packs a frame that unpacks to 1 GB in 131 kB: a record, or a dictionary",
        "refused before memory is taken; all of it takes less than 300 MB",
        "test_hostile_packs.py::test_a_pack_of_kilobytes_takes_no_gigabytes",
    ),
    Trespass(
        _SENDER,
        "puts an endless view in place of a pack's table",
        "refused before it is asked",
        "test_hostile_packs.py::test_a_view_in_place_of_a_table_is_refused_before_it_is_asked",
    ),
    Trespass(
        _SENDER,
        "claims a record of 1 TB in a file of holes",
        "refused",
        "test_hostile_packs.py::test_a_file_of_holes_is_no_record",
    ),
    Trespass(
        _SENDER,
        "compresses a table to a thousandth",
        "refused after 64 MB, or 200 times its size",
        "test_hostile_packs.py::test_a_compressed_table_is_bounded_by_what_tables_come_to",
    ),
    Trespass(
        _WORKER,
        "hands in records of matches that others were given",
        "they are not taken",
        "test_lying_workers.py::test_a_worker_hands_in_matches_of_its_own_batches_alone",
    ),
    Trespass(
        _WORKER,
        "hands in a record with another winner",
        "it is dropped: its first two records are applied again, then one in 16",
        "test_lying_workers.py::test_a_worker_whose_record_is_not_true_by_the_rules_is_dropped_and_its_matches_are_played_again",
    ),
    Trespass(
        _WORKER,
        "claims 1e308 ms, another round, escapes, a reason of 1 MB",
        "the record is not believed; its match is played again",
        "test_lying_workers.py::test_a_record_beyond_what_was_asked_is_not_believed",
    ),
    Trespass(
        _SENDER,
        "claims matches of 1e308 ms in a table",
        "the report is made all the same",
        "test_lying_workers.py::test_a_folder_that_claims_endless_matches_still_has_a_report",
    ),
    Trespass(
        _SENDER,
        "has `report.html`, `logs/` or a record be a link to a file elsewhere",
        "the folder is refused, with the link's name",
        "test_hostile_folders.py::test_a_folder_with_a_link_is_refused_before_anything_in_it_is_read",
    ),
    Trespass(
        _SENDER,
        "puts a pipe, for which `verify` would wait for ever, in place of a file",
        "refused at once",
        "test_hostile_folders.py::test_a_folder_with_a_pipe_is_refused_at_once",
    ),
    Trespass(
        _SENDER,
        "writes a script into `report.html` that asks the viewer for more",
        "it has an origin of its own, and may fetch nothing",
        "test_hostile_folders.py::test_a_strangers_report_runs_in_an_origin_of_its_own_and_fetches_nothing",
    ),
    Trespass(
        _SPECTATOR,
        "shows the viewer in a frame of another site",
        "no browser does, unless `--embed` names the site",
        "test_hostile_folders.py::test_pages_are_framed_by_their_own_origin_unless_another_is_named",
    ),
    Trespass(
        _BOT,
        "declares the version `=HYPERLINK(…)`, for the organiser's spreadsheet",
        "the sign is dropped; any text of a table that begins so gets an apostrophe",
        "test_hostile_folders.py::test_no_cell_of_a_table_begins_as_a_formula_does",
    ),
    Trespass(
        _STRANGER,
        "sends half-finished requests without end to `run --listen`",
        "the run plays on: workers connect to a process of its own",
        "test_request_floods.py::test_a_run_for_workers_plays_on_whatever_strangers_do_to_its_port",
    ),
    Trespass(
        _STRANGER,
        "the same to the pages",
        "whoever sends a whole request is answered; 64 wait at most",
        "test_request_floods.py::test_half_finished_requests_keep_nobody_out_who_sends_a_whole_one",
    ),
    Trespass(
        _STRANGER,
        "never finishes a request, or its body",
        "is ended after 5 s",
        "test_request_floods.py::test_who_does_not_finish_a_request_is_ended_after_a_while",
    ),
    Trespass(
        _STRANGER,
        "sends a head of 1 MB",
        "is refused",
        "test_request_floods.py::test_the_head_of_a_request_is_bounded",
    ),
    Trespass(
        _STRANGER,
        "opens connections without end",
        "has 64 of one address; 512 in all",
        "test_request_floods.py::test_connections_are_bounded_until_one_of_them_ends",
    ),
    Trespass(
        _STRANGER,
        "reads nothing of an answer",
        "is ended after 30 s",
        "test_request_floods.py::test_who_reads_nothing_of_an_answer_is_ended_after_a_while",
    ),
    Trespass(
        _ENTRANT,
        "has a `build:` that reads, writes or connects elsewhere, on the owner's or a worker's machine",
        "in the built-in sandbox it reaches the folder that holds its own files, without network",
        "test_builds.py::test_a_build_of_somebody_elses_bot_reaches_its_own_folder_alone",
    ),
    Trespass(
        _BOT,
        "asks the live page what its rival thinks (`--lens`)",
        "`--lens` is refused where it could",
        "test_open_seeds.py::test_what_bots_think_is_shown_only_where_no_rival_can_ask_the_page",
    ),
    Trespass(
        _SENDER,
        "claims a small file of 1 TB in a file of holes",
        "refused at once",
        "test_hostile_folders.py::test_a_small_file_of_1_tb_of_holes_is_refused_at_once",
    ),
)
"""Of the other tests in this folder."""
