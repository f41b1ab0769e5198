// The box that chooses which layer of a bot's search lies over the board.
// @ts-check
import { drawShown, keyOf, namesOf, shownAt, wordsOf } from "./lens.js";
import { element } from "./panel.js";

/** @typedef {import("./lens.js").Looked} Looked */

/** @param {string} id @returns {any} */
const box = (id) => document.getElementById(id);

/** @param {HTMLElement} select @param {string[][]} options pairs of value and text */
function fill(select, options) {
  select.replaceChildren(
    ...options.map(([value, text]) => Object.assign(element("option", "", text), { value })),
  );
}

export class Thoughts {
  /** @param {Looked | undefined} looked @param {import("./board.js").Board} board @param {() => void} onChange */
  constructor(looked, board, onChange) {
    this.looked = looked;
    this.board = board;
    box("lens-box").hidden = !looked;
    if (!looked) return;
    const names = namesOf(looked);
    fill(box("lens-seat"), Object.keys(looked.layers).map((seat) => [seat, `seat ${seat}`]));
    fill(box("lens-layer"), [["", "nothing"], ...names.map((name) => [name, name])]);
    box("lens-layer").value = names[0] ?? "";
    for (const id of ["lens-seat", "lens-layer"]) box(id).addEventListener("change", onChange);
    const others = looked.differences.length;
    const changed = others ? `; it answers ${others} of ${looked.answered} differently now` : "";
    box("lens-told").textContent = `${looked.bot}, asked again afterwards${changed}`;
  }

  /** @param {number} turn */
  show(turn) {
    if (!this.looked) return;
    const [layers, name] = [shownAt(this.looked, box("lens-seat").value, turn), box("lens-layer").value];
    this.board.showLens(drawShown(layers, name));
    box("lens-key").textContent = keyOf(layers, name);
    const missing = layers.length ? `no layer “${name}” in this turn` : "nothing shown for this turn";
    const isThere = !name || layers.some((layer) => layer.name === name);
    box("lens-words").textContent = isThere ? wordsOf(layers, name) : missing;
  }

  /** The layer after this one. */
  next() {
    const layers = box("lens-layer");
    layers.selectedIndex = (layers.selectedIndex + 1) % Math.max(1, layers.options.length);
  }
}
