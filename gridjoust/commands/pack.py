"""`joust pack` and `joust unpack`: move the records of a results folder into a few small packs, and back."""

from __future__ import annotations

import json

from gridjoust.commands.shared.arguments import JsonOption, ResultsArgument, find_results
from gridjoust.commands.shared.output import say
from gridjoust.leaderboard.wording import plural
from gridjoust.runner.results.maker import hold_folder
from gridjoust.runner.results.packs.folder import pack_paths
from gridjoust.runner.results.records.file import RECORDS
from gridjoust.runner.results.secrets import load_secrets
from gridjoust.runner.wire.text import plain_text


def pack(results: ResultsArgument, as_json: JsonOption = False) -> int:
    """Move match records into packs of a tenth of the size; all commands read packs too."""
    from gridjoust.runner.results.packs.packing import pack_records

    folder = find_results(results)
    with hold_folder(folder):
        secrets = load_secrets(folder)
        packed = pack_records(folder, () if secrets is None else secrets.keys)
    held = pack_paths(folder / RECORDS)
    size_mb = sum(path.stat().st_size for path in held) / 1e6
    if as_json:
        told = {"results": str(folder), "packed": packed.matches, "packs": len(held), "megabytes": round(size_mb, 3)}
        print(json.dumps(told | {"refused": [str(error) for error in packed.refused]}))
        return 1 if packed.refused else 0
    records, packs = plural(packed.matches, "record"), plural(len(held), "pack")
    print(f"{folder}: {records} packed; {packs}, {size_mb:.1f} MB")
    for error in packed.refused:
        say(plain_text(f"not packed: {error}"), to_errors=True)
    return 1 if packed.refused else 0


def unpack(results: ResultsArgument, as_json: JsonOption = False) -> None:
    """Move match records from packs back into single files."""
    from gridjoust.runner.results.packs.packing import unpack_records

    folder = find_results(results)
    with hold_folder(folder):
        secrets = load_secrets(folder)
        count = unpack_records(folder, () if secrets is None else secrets.keys)
    if as_json:
        print(json.dumps({"results": str(folder), "unpacked": count}))
    else:
        print(f"{folder}: {plural(count, 'record')} unpacked")
