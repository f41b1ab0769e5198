// The board in words, for readers who do not see it: what the legend names, and in which cells it stands.
// @ts-check
import { BACKGROUND, cellOf, inkOf } from "./board.js";
import { element } from "./page.js";

/** @typedef {import("./deltas.js").Shape} Shape */
/** @typedef {import("./deltas.js").LayerShapes} LayerShapes */

/** What a shape is, wherever it stands; null for surfaces and lines. @param {Shape} shape @returns {string | null} */
function kindOf(shape) {
  const ink = inkOf(shape);
  if (shape[0] === "l" || BACKGROUND.has(ink)) return null;
  if (shape[0] === "i") return `icon ${shape[5]}`;
  if (shape[0] === "c") return `disc ${ink} ${Boolean(shape[5])}`;
  return shape[0] === "r" ? `field ${ink}` : null;
}

/** Each name of the legend and of the seats with the cells where it is seen, column and row from 0; a text in a cell
 * follows it. @param {Shape[]} shapes @param {LayerShapes[]} frame @param {[number, string][]} names of shapes
 * @returns {[string, string[]][]} */
export function boardInWords(shapes, frame, names) {
  /** @type {Map<string, string>} */
  const called = new Map();
  for (const [shape, name] of names) {
    const kind = shapes[shape] && kindOf(shapes[shape]);
    if (kind && !called.has(kind)) called.set(kind, name);
  }
  const seen = frame.flat().map((number) => shapes[number]);
  /** @type {Map<string, string[]>} */
  const texts = new Map();
  for (const shape of seen) {
    if (shape[0] === "t") texts.set(cellOf(shape), [...(texts.get(cellOf(shape)) ?? []), shape[5]]);
  }
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const shape of seen) {
    const name = called.get(kindOf(shape) ?? "");
    if (!name) continue;
    const inside = texts.get(cellOf(shape));
    const cell = cellOf(shape) + (inside ? ` (${inside.join(" ")})` : "");
    found.set(name, [...(found.get(name) ?? []), cell]);
  }
  return [...found].map(([name, cells]) => [name, [...new Set(cells)]]);
}

/** Fills a list of terms with the board in words. @param {HTMLElement} list @param {Shape[]} shapes
 * @param {LayerShapes[]} frame @param {[number, string][]} names */
export function showWords(list, shapes, frame, names) {
  const words = boardInWords(shapes, frame, names);
  list.replaceChildren(...words.flatMap(([name, cells]) => [element("dt", "", name), element("dd", "", cells.join("; "))]));
}
