// One running match: events in, a card with its board out. Drawn at most once a frame of the screen.
// @ts-check
import { Board, make, makeKey } from "./board.js";
import { changeLayer } from "./deltas.js";
import { LiveLayers } from "./livelayers.js";
import { element } from "./page.js";

/** @typedef {{bot: string, role: string}} Seat */
/** @typedef {{game: string, variant: string, round: number, map: string, seats: Seat[], hides_scores: boolean}} Begin */
/** @typedef {{text: string, ranks: number[]}} End */

export class LiveBoard {
  /** @param {string} match @param {Begin} begin @param {Record<string, string>} signs @param {() => void} onChoose */
  constructor(match, begin, signs, onChoose) {
    this.match = match;
    this.begin = begin;
    this.signs = signs;
    /** @type {any[][]} */
    this.shapes = [];
    /** @type {number[][]} */
    this.frame = [];
    /** @type {string[]} */
    this.layers = [];
    /** How it stands: title, panel and so on, as told. @type {Record<string, any>} */
    this.now = { turn: 0 };
    this.turns = 0; // drawings that have come
    /** @type {End | null} */
    this.end = null;
    this.endedMs = 0;
    this.dueMs = 0; // when the rules' next timer fires; 0: none runs
    this.isOpened = false;
    this.isDue = false;
    this.tick = 0;
    this.card = element("article", "board-card");
    this.card.dataset.match = match;
    const names = begin.seats.map((seat) => seat.bot).join(" – ");
    const head = element("button", "board-head");
    head.setAttribute("type", "button");
    head.append(element("strong", "", names), element("span", "quiet", [begin.variant, begin.map].filter(Boolean).join(", ")));
    head.addEventListener("click", onChoose);
    this.where = element("span", "where");
    this.title = element("span", "board-title");
    const above = element("p", "above");
    above.append(this.title, this.where);
    const svg = /** @type {SVGSVGElement} */ (make("svg", { role: "img", class: "board", "aria-label": names }));
    this.seats = element("ol", "live-seats");
    this.ending = element("p", "ending");
    this.ending.hidden = true;
    this.board = new Board(svg, this.shapes, signs);
    this.search = new LiveLayers(match, begin.seats, this.board);
    this.card.append(head, above, svg, this.search.box, this.seats, this.ending);
  }

  /** What has changed. @param {any} event */
  take(event) {
    this.turns += 1;
    this.shapes.push(...event.shapes);
    if (event.layers) {
      this.layers = event.layers;
      while (this.frame.length < this.layers.length) this.frame.push([]);
      this.isOpened = false;
    }
    if (event.width || event.height) this.isOpened = false;
    this.frame = this.frame.slice();
    for (const [layer, gone, put] of event.frame) this.frame[layer] = changeLayer(this.frame[layer], gone, put);
    this.now = { ...this.now, ...event };
    this.dueMs = event.left_s === undefined ? 0 : Date.now() + 1000 * event.left_s;
    if (event.end) {
      this.end = event.end;
      this.search.end();
    }
    this.showSoon();
  }

  showSoon() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.show();
    });
  }

  show() {
    const { turn, stamp, title, panel, faults, width, height, is_broken: isBroken } = this.now;
    if (!this.isOpened) {
      this.isOpened = true;
      const track = { width, height, layers: this.layers, frames: [], titles: [], panels: [], legend: [] };
      this.board.open(track, false);
    }
    this.board.show(this.frame, null);
    this.card.dataset.turn = String(turn);
    this.title.textContent = title ?? "";
    const clock = stamp >= 1000 ? `${(stamp / 1000).toFixed(0)} s` : "";
    this.where.textContent = isBroken ? "the rest comes with the record" : clock;
    this.showClock();
    this.seats.replaceChildren(...(panel ?? []).map((/** @type {any[]} */ one) => this.seatOf(one, faults?.[one[0]] ?? 0)));
    this.ending.hidden = !this.end;
    if (this.end) this.ending.textContent = this.end.text;
  }

  /** The seconds until the rules' timer, such as the sand, once a second. */
  showClock() {
    clearTimeout(this.tick);
    if (!this.dueMs || this.end) return;
    const left = Math.max(0, (this.dueMs - Date.now()) / 1000);
    this.where.textContent = `${Math.ceil(left)} s left`;
    if (left) this.tick = window.setTimeout(() => this.showClock(), 1000 * (left % 1) || 1000);
  }

  /** The cell of the first text in a layer, or the text in a cell: `[text, x, y]`. @param {string} layer
   * @param {(text: string, x: number, y: number) => boolean} isIt @returns {[string, number, number] | null} */
  labelIn(layer, isIt) {
    const texts = (this.frame[this.layers.indexOf(layer)] ?? []).map((number) => this.shapes[number]);
    const [found] = texts.filter((one) => one[0] === "t" && isIt(one[5], Math.floor(one[1]), Math.floor(one[2])));
    return found ? [found[5], Math.floor(found[1]), Math.floor(found[2])] : null;
  }

  /** @param {any[]} standing @param {number} faults @returns {HTMLElement} */
  seatOf([seat, shape, role, score, lives, resources, note, isOut], faults) {
    const item = element("li", isOut ? "out" : "");
    const key = element("span", "seat-key");
    if (this.shapes[shape]) key.append(makeKey(this.shapes[shape], this.signs));
    const name = element("strong", "", this.begin.seats[seat]?.bot ?? `seat ${seat}`);
    const rest = [role, lives, ...resources, note].filter(Boolean).join(" · ");
    const isHidden = this.begin.hides_scores && !score && !this.end;
    item.append(key, name, element("span", "quiet", rest), isHidden ? element("span", "score quiet", "score hidden until the end") : element("span", "score", score));
    if (faults) item.append(element("span", "fault", `${faults} ${faults === 1 ? "fault" : "faults"}`));
    return item;
  }
}
