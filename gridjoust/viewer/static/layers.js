// What a bot showed of its search, over the board: heat maps, ways, cells in order, arrows, words. Knows no page.
// @ts-check
import { make } from "./board.js";

/** @typedef {{name: string, kind: "heat" | "path" | "nodes" | "frontier" | "arrows" | "text", data: number[] | string}} Shown */
/** @typedef {{bot: string, layers: Record<string, Record<string, Shown[]>>, answered: number, left_out: number,
 *   differences: {turn: number, seat: number, recorded: string, now: string}[]}} SearchTrace */

const MOST_NUMBERS = 400; // cells with their value in figures
/** @type {Record<string, string>} */
const MEANINGS = {
  heat: "blue: low, red: high",
  nodes: "violet: in this order, from pale to full",
  frontier: "framed: not expanded",
  path: "dashed: up to the dot",
  still: "no step",
};
const [COLD, HOT] = [225, 5]; // hues of the lowest and the highest value

/** What a seat was thinking when it was asked for the turn after this one. @param {SearchTrace} trace @param {string} seat
 * @param {number} turn @returns {Shown[]} */
export const shownAt = (trace, seat, turn) => trace.layers[seat]?.[String(turn + 1)] ?? [];

/** Every name of a layer, in the order in which they came. @param {SearchTrace} trace @returns {string[]} */
export function namesOf(trace) {
  const turns = Object.values(trace.layers).flatMap((one) => Object.values(one));
  return [...new Set(turns.flatMap((layers) => layers.map((layer) => layer.name)))];
}

/** The layers of a name, drawn. @param {Shown[]} layers @param {string} name @returns {SVGElement[]} */
export function drawShown(layers, name) {
  return layers.filter((layer) => layer.name === name && layer.kind !== "text").flatMap((layer) => {
    const data = /** @type {number[]} */ (layer.data);
    if (layer.kind === "heat") return drawHeat(data);
    if (layer.kind === "arrows") return chunks(data, 4).flatMap(drawArrow);
    if (layer.kind === "path") return drawPath(chunks(data, 2));
    return drawCells(chunks(data, 2), layer.kind === "nodes");
  });
}

/** @param {Shown[]} layers @param {string} name @returns {string} */
export function wordsOf(layers, name) {
  return layers.filter((one) => one.name === name && one.kind === "text").map((one) => one.data).join("\n");
}

/** How the layers of a name are to be read. @param {Shown[]} layers @param {string} name @returns {string} */
export function keyOf(layers, name) {
  const kinds = layers.filter((one) => one.name === name).map((one) => (isStill(one) ? "still" : one.kind));
  return Object.keys(MEANINGS).filter((kind) => kinds.includes(kind)).map((kind) => MEANINGS[kind]).join(" · ");
}

/** @param {Shown} layer @returns {boolean} */
const isStill = ({ kind, data }) => kind === "path" && data.length <= 2;

/** @param {number[]} data @param {number} size @returns {number[][]} */
function chunks(data, size) {
  const found = [];
  for (let at = 0; at + size <= data.length; at += size) found.push(data.slice(at, at + size));
  return found;
}

/** @param {number[]} data @returns {SVGElement[]} */
function drawHeat(data) {
  const cells = chunks(data, 3);
  const ranks = [...new Set(cells.map(([, , value]) => value))].sort((one, other) => one - other);
  const rankOf = new Map(ranks.map((value, at) => [value, at])); // by rank: cells out of reach are far off the others
  return cells.flatMap(([x, y, value]) => {
    const share = (rankOf.get(value) ?? 0) / Math.max(1, ranks.length - 1);
    const fill = `hsl(${COLD + share * (HOT - COLD)} 75% 50%)`;
    const cell = make("rect", { x, y, width: 1, height: 1, fill, "fill-opacity": 0.5 });
    if (cells.length > MOST_NUMBERS) return [cell];
    const number = make("text", { x: x + 0.06, y: y + 0.87, "font-size": 0.22, class: "f-text" });
    number.textContent = String(Math.round(value * 10) / 10);
    return [cell, number];
  });
}

/** @param {number[][]} cells @returns {SVGElement[]} */
function drawPath(cells) {
  if (cells.length < 2) return []; // it would hide who stands there
  const points = cells.map(([x, y]) => `${x + 0.5},${y + 0.5}`).join(" ");
  const last = cells[cells.length - 1];
  return [
    make("polyline", { points, class: "s-violet", "stroke-width": 0.16, "stroke-dasharray": ".3 .2" }),
    make("circle", { cx: last[0] + 0.5, cy: last[1] + 0.5, r: 0.22, class: "f-violet" }),
  ];
}

/** Cells, from pale to full in their order where it matters, else framed. @param {number[][]} cells @param {boolean} isOrdered
 * @returns {SVGElement[]} */
function drawCells(cells, isOrdered) {
  return cells.map(([x, y], at) => {
    const opacity = 0.2 + (0.6 * at) / cells.length;
    const place = { x: x + 0.15, y: y + 0.15, width: 0.7, height: 0.7, rx: 0.15 };
    const look = isOrdered ? { class: "f-violet", "fill-opacity": opacity } : { class: "s-gold", "stroke-width": 0.12 };
    return make("rect", { ...place, ...look });
  });
}

/** @param {number[]} arrow @returns {SVGElement[]} */
function drawArrow([x, y, toX, toY]) {
  const [dx, dy] = [toX - x, toY - y];
  const length = Math.hypot(dx, dy);
  if (!length) return [];
  const [ux, uy] = [dx / length, dy / length];
  const [tipX, tipY] = [toX + 0.5 - 0.2 * ux, toY + 0.5 - 0.2 * uy];
  const wing = (/** @type {number} */ side) =>
    `${tipX - 0.25 * ux + side * 0.16 * uy},${tipY - 0.25 * uy - side * 0.16 * ux}`;
  return [
    make("polyline", { points: `${x + 0.5},${y + 0.5} ${tipX},${tipY}`, class: "s-violet", "stroke-width": 0.09 }),
    make("polyline", { points: `${wing(1)} ${tipX},${tipY} ${wing(-1)}`, class: "s-violet", "stroke-width": 0.09 }),
  ];
}
