// Two matches side by side, turn by turn, and where they part. Takes them from the page itself or from the server.
// @ts-check
import { Board, makeKey } from "./board.js";
import { decodeFrames, valueAt } from "./deltas.js";
import { actOf } from "./keys.js";
import { element, find, giveUp, onButtons, showTheme } from "./page.js";
import { Player } from "./player.js";
import { readPlace, readSettings } from "./settings.js";

/** @typedef {import("./deltas.js").Match} Match */
/** @typedef {import("./deltas.js").Track} Track */
/** @typedef {{matches: [Match, Match], first: number | null, told: string, others: number[]}} Comparison others: turns in
 *   which somebody did something else */

/** One of the two boards and what stands below it. */
class Half {
  /** @param {Match} match @param {string} name */
  constructor(match, name) {
    this.match = match;
    this.track = /** @type {Track} */ (match.tracks[0]);
    this.frames = decodeFrames(this.track);
    this.place = element("section", "half");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `the board of ${name}`);
    svg.classList.add("board");
    this.caption = element("ul", "played");
    this.seats = element("ul", "standings");
    const title = element("h2", "", `${name}: ${match.seats.map((seat) => seat.bot).join(" – ")}`);
    this.place.append(title, svg, this.caption, this.seats);
    this.board = new Board(svg, match.shapes, match.signs);
    this.board.open(this.track, false);
  }

  /** @param {number} turn @param {(seat: string) => boolean} isOther whether the other match's seat did something else */
  show(turn, isOther) {
    const { match, track } = this;
    const here = Math.min(turn, match.turns);
    this.board.show(this.frames[here], null);
    const played = Object.entries(match.played[here] ?? {});
    const items = played.map(([seat, text]) =>
      element("li", isOther(seat) ? "other" : "", `${match.seats[Number(seat)].bot} (seat ${seat}) ${match.texts[text]}`),
    );
    if (here === match.turns) items.push(element("li", "", match.end.text));
    this.caption.replaceChildren(...(items.length ? items : [element("li", "", here ? "the clock" : "start position")]));
    const standings = valueAt(track.panels, here) ?? [];
    const lines = standings.map(([seat, shape, , score, lives, resources, note]) => {
      const line = element("li", "");
      const told = [score, lives, ...resources, note].filter(Boolean).join(" · ");
      line.append(makeKey(match.shapes[shape], match.signs), element("span", "", `${match.seats[seat].bot}: ${told}`));
      return line;
    });
    this.seats.replaceChildren(...lines);
  }

  /** @param {number} turn @param {string} seat @returns {string | undefined} */
  action(turn, seat) {
    return this.match.texts[this.match.played[turn]?.[seat]];
  }
}

class ComparePage {
  /** @param {Comparison} comparison @param {import("./settings.js").Settings} settings */
  constructor(comparison, settings) {
    this.comparison = comparison;
    this.halves = comparison.matches.map((match, at) => new Half(match, `${"AB"[at]}, match ${match.match.slice(0, 8)}`));
    find("pair").replaceChildren(...this.halves.map((half) => half.place));
    const last = Math.max(...comparison.matches.map((match) => match.turns));
    this.player = new Player(last, { ...settings, onShow: () => this.show() });
    find("title").textContent = `${comparison.matches[0].variant}: two matches`;
    document.title = `${find("title").textContent} · joust`;
    const [one, other] = comparison.matches;
    const seeds = one.seed === other.seed ? `seed ${one.seed}` : `seeds ${one.seed} and ${other.seed}`;
    find("subtitle").textContent = `${one.tournament} and ${other.tournament}, ${seeds}`;
    find("told").textContent = comparison.told;
    find("jump").hidden = comparison.first === null;
    find("jump").addEventListener("click", () => this.goTo(comparison.first ?? 0));
    find("turn").max = String(last);
    find("turn").addEventListener("input", () => this.goTo(Number(find("turn").value)));
    this.changeTheme = showTheme();
    onButtons((act) => this.act(act));
    document.addEventListener("keydown", (event) => {
      const act = actOf(event);
      if (typeof act === "string" && this.act(act)) event.preventDefault();
    });
    const { turn } = readPlace(location.hash);
    this.goTo(turn || (comparison.first ?? 0));
  }

  /** @param {number} turn */
  goTo(turn) {
    this.player.isPlaying = false;
    this.player.goTo(turn);
  }

  /** Whether the page can do that. @param {import("./keys.js").Act} act @returns {boolean} */
  act(act) {
    const { player } = this;
    /** @type {Partial<Record<import("./keys.js").Act, () => void>>} */
    const acts = {
      play: () => player.toggle(),
      back: () => player.step(-1),
      on: () => player.step(1),
      first: () => player.step(-player.last),
      last: () => player.step(player.last),
      previousEvent: () => this.goTo(this.comparison.others.findLast((turn) => turn < player.turn) ?? 0),
      nextEvent: () => this.goTo(this.comparison.others.find((turn) => turn > player.turn) ?? player.last),
      slower: () => player.changeSpeed(-1),
      faster: () => player.changeSpeed(1),
      theme: () => this.changeTheme(),
    };
    acts[act]?.();
    return act in acts;
  }

  show() {
    const { turn, isPlaying, last } = this.player;
    const [one, other] = this.halves;
    const isOther = (/** @type {string} */ seat) => one.action(turn, seat) !== other.action(turn, seat);
    for (const half of this.halves) half.show(turn, isOther);
    find("where").textContent = `turn ${turn} of ${last}`;
    find("turn").value = String(turn);
    find("play").textContent = isPlaying ? "Pause" : "Play";
  }
}

async function start() {
  const given = new URLSearchParams(location.search);
  const inside = document.getElementById("match-data");
  const [one, other] = ["one", "other"].map((name) => encodeURIComponent(given.get(name) ?? ""));
  const answer = inside ? new Response(inside.textContent) : await fetch(`compare/${one}/${other}.json`);
  if (!answer.ok) return giveUp(await answer.text());
  new ComparePage(await answer.json(), readSettings(location.search));
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => giveUp(`these matches cannot be shown: ${error}`));
