// The box that chooses which layer of a bot's search lies over the board.
// @ts-check
import { drawShown, keyOf, namesOf, shownAt, wordsOf } from "./lens.js";
import { fill, find } from "./page.js";

/** @typedef {import("./lens.js").Looked} Looked */

export class Thoughts {
  /** @param {Looked | undefined} looked @param {import("./board.js").Board} board @param {() => void} onChange */
  constructor(looked, board, onChange) {
    this.looked = looked;
    this.board = board;
    find("lens-box").hidden = !looked;
    if (!looked) return;
    const names = namesOf(looked);
    fill(find("lens-seat"), Object.keys(looked.layers).map((seat) => [seat, `seat ${seat}`]));
    fill(find("lens-layer"), [["", "nothing"], ...names.map((name) => [name, name])]);
    find("lens-layer").value = names[0] ?? "";
    for (const id of ["lens-seat", "lens-layer"]) find(id).addEventListener("change", onChange);
    const others = looked.differences.length;
    const changed = others ? `; it answers ${others} of ${looked.answered} differently now` : "";
    find("lens-told").textContent = `${looked.bot}, asked again afterwards${changed}`;
  }

  /** @param {number} turn */
  show(turn) {
    if (!this.looked) return;
    const [layers, name] = [shownAt(this.looked, find("lens-seat").value, turn), find("lens-layer").value];
    this.board.showLens(drawShown(layers, name));
    find("lens-key").textContent = keyOf(layers, name);
    const missing = layers.length ? `no layer “${name}” in this turn` : "nothing shown for this turn";
    const isThere = !name || layers.some((layer) => layer.name === name);
    find("lens-words").textContent = isThere ? wordsOf(layers, name) : missing;
  }

  /** The layer after this one. */
  next() {
    const layers = find("lens-layer");
    layers.selectedIndex = (layers.selectedIndex + 1) % Math.max(1, layers.options.length);
  }
}
