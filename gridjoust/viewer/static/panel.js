// The panel beside the board: standings, answers and their cost, the legend, the events.
// @ts-check
import { makeKey } from "./board.js";
import { answerAt } from "./deltas.js";
import { element } from "./page.js";

/** @typedef {import("./deltas.js").Match} Match */

const COSTS = /** @type {Record<string, (value: number) => string>} */ ({
  planning_ms: (value) => `planning ${value} ms`,
  latency_ms: (value) => `answered after ${value} ms`,
  cpu_ms: (value) => `CPU ${value} ms`,
  expanded: (value) => `${value} nodes expanded`,
  generated: (value) => `${value} generated`,
  tactics: (value) => `${value} by tactics`,
  frontier: (value) => `${value} left waiting`,
  repaired: (value) => `${value} of them mending`,
  reused: (value) => `${value} kept results used`,
  plan_cost: (value) => `plan cost ${value}`,
});
const KINDS = new Set(["death", "hit", "score", "returns", "decisive", "end"]);
const MOST_EVENTS = 2000;

/** @param {HTMLElement} one @param {string} text */
function setText(one, text) {
  if (one.textContent !== text) one.textContent = text;
  one.hidden = !text;
}

/** What a seat did wrong, by turn: put together once, as it is looked up with every frame.
 * @param {Match} match @param {number} seat @returns {Map<number, string>} */
function faultsOf(match, seat) {
  const found = new Map();
  for (const [turn, kind, who, detail] of match.events) {
    if (who !== seat || KINDS.has(kind)) continue;
    const before = found.get(turn);
    found.set(turn, `${before ? `${before}; ` : ""}${kind.replace("_", " ")}: ${detail}`);
  }
  return found;
}

/** The card of one seat. */
class Card {
  /** @param {Match} match @param {number} seat @param {(command: string, button: HTMLElement) => void} copy */
  constructor(match, seat, copy) {
    this.match = match;
    this.seat = seat;
    this.faults = faultsOf(match, seat);
    this.command = "";
    this.shape = -1;
    this.item = element("li", "seat");
    this.key = element("span", "seat-key");
    this.name = element("strong", "", match.seats[seat]?.bot ?? `seat ${seat}`);
    this.role = element("span", "role");
    this.score = element("span", "score");
    this.rest = element("p", "rest");
    this.answer = element("p", "answer");
    this.action = element("code", "");
    this.costs = element("span", "costs");
    this.fault = element("p", "fault");
    this.button = element("button", "copy", "Copy the command that asks this again");
    this.button.setAttribute("type", "button");
    this.button.addEventListener("click", () => copy(this.command, this.button));
    const head = element("p", "head");
    head.append(this.key, this.name, this.role, this.score);
    this.answer.append(this.action, " ", this.costs);
    this.item.append(head, this.rest, this.answer, this.fault, this.button);
  }

  /** @param {any[] | undefined} standing @param {number} turn @param {boolean} isLookedAt */
  show(standing, turn, isLookedAt) {
    const [, shape, role, score, lives, resources, note, isOut] = standing ?? [0, -1, "", "", "", [], "", false];
    if (shape !== this.shape && shape >= 0) {
      this.key.replaceChildren(makeKey(this.match.shapes[shape], this.match.signs));
      this.shape = shape;
    }
    setText(this.role, [`seat ${this.seat}`, role].filter(Boolean).join(", "));
    setText(this.score, score);
    setText(this.rest, [lives, ...resources, note].filter(Boolean).join(" · "));
    this.item.classList.toggle("out", Boolean(isOut));
    this.item.classList.toggle("looked-at", isLookedAt);
    this.showAnswer(turn);
  }

  /** @param {number} turn */
  showAnswer(turn) {
    const { action, costs } = answerAt(this.match, turn, this.seat);
    setText(this.action, action ?? "");
    const told = Object.entries(COSTS).flatMap(([name, say]) => (name in costs ? [say(costs[name])] : []));
    setText(this.costs, told.join(" · "));
    this.answer.hidden = action === null;
    setText(this.fault, this.faults.get(turn) ?? "");
    const isAsked = this.match.named !== "" && turn > 0 && action !== null;
    this.button.hidden = !isAsked;
    this.command = `joust ask --record ${this.match.named} --turn ${turn} --seat ${this.seat}`;
  }
}

export class Panel {
  /** @param {Match} match @param {{seats: HTMLElement, legend: HTMLElement, events: HTMLElement, logs: HTMLElement,
   *   facts: HTMLElement}} places
   * @param {{goTo: (turn: number) => void, copy: (command: string, button: HTMLElement) => void}} acts */
  constructor(match, places, { goTo, copy }) {
    this.match = match;
    this.places = places;
    this.cards = match.seats.map((_, seat) => new Card(match, seat, copy));
    places.seats.replaceChildren(...this.cards.map((card) => card.item));
    places.events.replaceChildren(...match.events.slice(0, MOST_EVENTS).map((event) => eventItem(match, event, goTo)));
    places.logs.replaceChildren(...Object.entries(match.logs).flatMap(([seat, text]) => logOf(match, seat, text)));
    places.facts.replaceChildren(...factsOf(match));
  }

  /** Shows the legend of another view. @param {import("./deltas.js").Track} track */
  open(track) {
    const { shapes, signs } = this.match;
    const items = track.legend.map(([shape, text]) => {
      const item = element("li", "");
      item.append(makeKey(shapes[shape], signs), element("span", "", text));
      return item;
    });
    this.places.legend.replaceChildren(...items);
  }

  /** @param {any[][] | undefined} standings @param {number} turn @param {number | null} seat that is looked at */
  show(standings, turn, seat) {
    for (const card of this.cards) {
      const standing = standings?.find((one) => one[0] === card.seat);
      card.show(standing, turn, card.seat === seat);
    }
  }
}

/** @param {Match} match @param {Match["events"][number]} event @param {(turn: number) => void} goTo */
function eventItem(match, [turn, kind, seat, text], goTo) {
  const item = element("li", "");
  const who = seat === null ? "" : ` ${match.seats[seat]?.bot ?? ""} (seat ${seat})`;
  const button = element("button", `event ${kind}`, `turn ${turn}: ${kind.replace("_", " ")}${who}: ${text}`);
  button.setAttribute("type", "button");
  button.addEventListener("click", () => goTo(turn));
  item.append(button);
  return item;
}

/** @param {Match} match @param {string} seat @param {string} text @returns {HTMLElement[]} */
function logOf(match, seat, text) {
  const written = element("pre", "", text);
  written.tabIndex = 0;
  written.setAttribute("aria-label", `what seat ${seat} wrote`);
  return [element("h3", "", `${match.seats[Number(seat)]?.bot ?? ""} (seat ${seat})`), written];
}

/** @param {Match} match @returns {HTMLElement[]} */
function factsOf(match) {
  const facts = {
    match: match.match,
    tournament: match.tournament,
    rules: `${match.game} ${match.rules}`,
    round: match.round,
    seed: match.seed,
    ...match.params,
  };
  return Object.entries(facts).flatMap(([name, value]) => [
    element("dt", "", name.replaceAll("_", " ")),
    element("dd", "", String(value) || "–"),
  ]);
}
