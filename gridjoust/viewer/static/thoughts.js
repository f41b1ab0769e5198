// The box that chooses which layer of a bot's search lies over the board.
// @ts-check
import { drawShown, keyOf, namesOf, shownAt, wordsOf } from "./layers.js";
import { fill, find } from "./page.js";

/** @typedef {import("./layers.js").SearchTrace} SearchTrace */

export class Thoughts {
  /** @param {SearchTrace | undefined} trace @param {import("./board.js").Board} board @param {() => void} onChange */
  constructor(trace, board, onChange) {
    this.trace = trace;
    this.board = board;
    find("search-box").hidden = !trace;
    if (!trace) return;
    const names = namesOf(trace);
    fill(find("search-seat"), Object.keys(trace.layers).map((seat) => [seat, `seat ${seat}`]));
    fill(find("search-layer"), [["", "nothing"], ...names.map((name) => [name, name])]);
    find("search-layer").value = names[0] ?? "";
    for (const id of ["search-seat", "search-layer"]) find(id).addEventListener("change", onChange);
    const others = trace.differences.length;
    const changed = others ? `; it answers ${others} of ${trace.answered} differently now` : "";
    find("search-told").textContent = `${trace.bot}, asked again afterwards${changed}`;
  }

  /** @param {number} turn */
  show(turn) {
    if (!this.trace) return;
    const [layers, name] = [shownAt(this.trace, find("search-seat").value, turn), find("search-layer").value];
    this.board.showSearch(drawShown(layers, name));
    find("search-key").textContent = keyOf(layers, name);
    const missing = layers.length ? `no layer “${name}” in this turn` : "nothing shown for this turn";
    const isThere = !name || layers.some((layer) => layer.name === name);
    find("search-words").textContent = isThere ? wordsOf(layers, name) : missing;
  }

  /** The layer after this one. */
  next() {
    const layers = find("search-layer");
    layers.selectedIndex = (layers.selectedIndex + 1) % Math.max(1, layers.options.length);
  }
}
