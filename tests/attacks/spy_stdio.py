"""`python spy_stdio.py URL`: plays at random, and before each match looks in the pages of its own run for the seed.

It logs `TOLD match numbers`: every seed that a page names while the match begins.
"""

from __future__ import annotations

import json
import re
import sys
import urllib.error
import urllib.request

PLACES = ("", "live", "watch", "matches.json", "report", "signs.json", "lens/{}.json", "match/{}.json", "match/{}")


def fetch(url: str) -> str:
    """A page's text; also what the server says when it refuses."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return str(answer.read().decode())
    except urllib.error.HTTPError as error:
        return error.read().decode()


def numbers_told(base: str) -> list[int]:
    """Every seed that the pages name now."""
    ids = [match["id"] for match in json.loads(fetch(base + "matches.json")).get("matches", [])]
    places = [place.format(match_id) for place in PLACES for match_id in ids or [""]]
    places += [f"compare/{ids[0]}/{match_id}.json" for match_id in ids]
    found = (re.findall(r'"seed":\s*(\d+)', fetch(base + place)) for place in dict.fromkeys(places))
    return sorted({int(number) for some in found for number in some})


def main() -> None:
    """Play until told to leave."""
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "start":
            print("TOLD", message["match"], *numbers_told(sys.argv[1]), file=sys.stderr, flush=True)
        if message["type"] in ("hello", "start"):
            print('{"type": "ready", "version": "1"}', flush=True)
        elif message["type"] == "turn":
            print(json.dumps({"action": message["legal"][0]}), flush=True)


if __name__ == "__main__":
    main()
