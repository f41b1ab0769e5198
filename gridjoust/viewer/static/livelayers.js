// What a bot of a running match thinks, over its board: fetched while somebody looks, and only then.
// @ts-check
import { drawShown, keyOf, wordsOf } from "./layers.js";
import { element, fill } from "./page.js";

/** @typedef {import("./layers.js").Shown} Shown */

const EVERY_MS = 250;
const wish = { bot: "", layer: "" }; // what was chosen last holds for boards to come: matches may be short

/** @param {string} label @returns {HTMLSelectElement} */
function makeSelect(label) {
  const made = document.createElement("select");
  made.setAttribute("aria-label", label);
  return made;
}

export class LiveLayers {
  /** @param {string} match @param {{bot: string}[]} seats @param {import("./board.js").Board} board */
  constructor(match, seats, board) {
    this.match = match;
    this.board = board;
    this.timer = 0;
    this.names = "";
    this.whose = makeSelect("whose search lies over the board");
    fill(this.whose, [["", "no search shown"], ...seats.map(({ bot }, seat) => [String(seat), `search of ${bot} (seat ${seat})`])]);
    this.layer = makeSelect("layer");
    this.words = element("span", "quiet");
    this.box = Object.assign(element("p", "live-search"), { hidden: true });
    this.box.append(this.whose, " ", this.layer, " ", this.words);
    this.layer.hidden = true;
    const wished = seats.findIndex(({ bot }) => bot === wish.bot);
    if (wished >= 0) this.whose.value = String(wished);
    this.whose.addEventListener("change", () => {
      wish.bot = seats[Number(this.whose.value || -1)]?.bot ?? "";
      this.look();
    });
    this.layer.addEventListener("change", () => {
      wish.layer = this.layer.value;
      this.look();
    });
  }

  /** Whether the run has its bots show anything. @param {boolean} isThere */
  offer(isThere) {
    this.box.hidden = !isThere;
    if (isThere) this.look();
  }

  /** The match is over, or its board is gone. */
  end() {
    clearTimeout(this.timer);
    this.box.hidden = true;
    this.board.showSearch([]);
    this.whose.value = "";
  }

  async look() {
    clearTimeout(this.timer);
    const seat = this.whose.value;
    this.layer.hidden = seat === "";
    if (seat === "") {
      this.words.textContent = "";
      this.board.showSearch([]);
      return;
    }
    if (!document.hidden) {
      const answer = await fetch(`search/${encodeURIComponent(this.match)}.json`).catch(() => null);
      if (answer?.ok && this.whose.value === seat) this.show((await answer.json())[seat]);
    }
    clearTimeout(this.timer); // of a choice made meanwhile
    if (this.whose.value !== "") this.timer = window.setTimeout(() => this.look(), EVERY_MS);
  }

  /** @param {{turn: number, layers: Shown[]} | undefined} shown */
  show(shown) {
    if (!shown) {
      this.words.textContent = "nothing shown yet";
      return;
    }
    const names = [...new Set(shown.layers.map((layer) => layer.name))];
    if (names.join() !== this.names) {
      fill(this.layer, names.map((name) => [name, name]));
      if (names.includes(wish.layer)) this.layer.value = wish.layer;
    }
    this.names = names.join();
    const told = [keyOf(shown.layers, this.layer.value), wordsOf(shown.layers, this.layer.value)];
    this.words.textContent = [`turn ${shown.turn}`, ...told].filter(Boolean).join(" · ");
    this.board.showSearch(drawShown(shown.layers, this.layer.value));
  }
}
