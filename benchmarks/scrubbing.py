"""Measure a long match in a browser: size and start of its page, and frames a second while the slider moves.

`python -m benchmarks.scrubbing` plays 1,800 ticks of bomber between four bots, writes the page, and moves the slider to
another turn in every frame of headless Chromium, back and forth across the whole match. A browser shows at most 60
frames a second. The time for script and style work per frame says how much of that is left, regardless of the load of
the machine.
"""

from __future__ import annotations

import argparse
import gzip
import tempfile
from pathlib import Path
from shutil import which

from playwright.sync_api import Page, sync_playwright

from benchmarks.report import print_table
from gridjoust.simulation import play
from gridjoust.viewer.match import match_view
from gridjoust.viewer.page import match_page

TICKS = 1800
FRAMES = 600
STRIDE = 37  # turns from one frame to the next, so that most of the board changes
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SCRUB = """async ([frames, stride, last]) => {
  const slider = document.getElementById("turn");
  const frame = () => new Promise(requestAnimationFrame);
  const began = await frame();
  let now = began;
  for (let at = 1; at <= frames; at++) {
    slider.value = String((at * stride) % last);
    slider.dispatchEvent(new Event("input"));
    now = await frame();
  }
  return (1000 * frames) / (now - began);
}"""
WORK = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")


def measure(page: Page, turns: int) -> tuple[float, float, float]:
    """Return milliseconds until the page is ready, frames a second, milliseconds of work a frame."""
    page.wait_for_selector("html[data-ready]")
    ready_ms = page.evaluate("performance.getEntriesByName('viewer-ready')[0].startTime")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def worked_s() -> float:
        found: dict[str, float] = {
            one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]
        }
        return sum(found[name] for name in WORK)

    before_s = worked_s()
    rate = page.evaluate(SCRUB, [FRAMES, STRIDE, turns])
    return ready_ms, rate, 1000 * (worked_s() - before_s) / FRAMES


def main() -> None:
    """Print the table of frame rates."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3, help="number of pages to open, one after another")
    repeats = parser.parse_args().repeats
    params = {"max_ticks": TICKS, "player_hp": 63, "close_from": 0}
    view = match_view(play("bomber", ["random"] * 4, seed=7, params=params).record)
    text = match_page(view)
    size = f"{len(gzip.compress(text.encode())) / 1000:.0f}"
    rows = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(folder) / "match.html"
        file.write_text(text, encoding="utf-8")
        program = next(filter(None, map(which, BROWSERS)), None)
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for _ in range(repeats):
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.goto(file.as_uri())
            ready_ms, rate, work_ms = measure(page, view["turns"])
            rows.append([str(view["turns"]), size, f"{ready_ms:.0f}", f"{rate:.1f}", f"{work_ms:.1f}"])
            page.close()
        browser.close()
    heading = ["turns", "kB gzipped", "ready after ms", "frames a second", "ms of work a frame"]
    print_table(f"Scrubbing through bomber, {FRAMES} frames", heading, rows)


if __name__ == "__main__":
    main()
