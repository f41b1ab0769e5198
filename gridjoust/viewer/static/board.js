// Shapes as SVG: what stays from one turn to the next keeps its element. Knows no match.
// @ts-check

/** @typedef {import("./deltas.js").Shape} Shape */
/** @typedef {import("./deltas.js").LayerShapes} LayerShapes */

const SVG = "http://www.w3.org/2000/svg";
const MOST_KEPT = 6000; // elements that are out of sight
export const BACKGROUND = new Set(["floor", "fog", "grid"]);
// what a board is made of: a search lies over these layers, and below whatever stands there
const GROUND = new Set(["ground", "grid", "floor", "built", "tiles", "unseen", "rock", "blocked"]);
const OVER = ["ghost", "fuller", "wrong"]; // classes of what a seat did not know, knew in part, took for true

/** @param {string} name @param {Record<string, string | number>} attributes @returns {SVGElement} */
export function make(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** @param {Shape} shape @param {Record<string, string>} signs @returns {SVGElement} */
export function makeShape(shape, signs) {
  switch (shape[0]) {
    case "r": {
      const [, x, y, width, height, ink, rounded] = shape;
      return make("rect", { x, y, width, height, rx: rounded, class: `f-${ink}` });
    }
    case "l": {
      const [, points, width, ink, isDashed] = shape;
      const dashes = isDashed ? { "stroke-dasharray": ".18 .18" } : {};
      return make("polyline", { points: points.join(" "), "stroke-width": width, class: `s-${ink}`, ...dashes });
    }
    case "c": {
      const [, cx, cy, r, ink, isHollow] = shape;
      return make("circle", { cx, cy, r, class: `${isHollow ? "s" : "f"}-${ink}`, "stroke-width": isHollow ? 0.1 : 0 });
    }
    case "t": {
      const [, x, y, size, ink, text] = shape;
      const element = make("text", { x, y, "font-size": size, class: `f-${ink}` });
      element.textContent = text;
      return element;
    }
    default: {
      const [, x, y, size, ink, sign] = shape;
      const transform = `translate(${x} ${y}) scale(${size / 2})`;
      return make("path", { d: signs[sign] ?? "", transform, class: `f-${ink}` });
    }
  }
}

/** A shape alone, for panels and legends. @param {Shape} shape @param {Record<string, string>} signs
 * @returns {SVGElement} */
export function makeKey(shape, signs) {
  const key = make("svg", { viewBox: "-0.05 -0.05 1.1 1.1", class: "key", "aria-hidden": "true" });
  key.append(makeShape(shape, signs));
  return key;
}

/** The cell of a shape's middle, as text. @param {Shape} shape @returns {string} */
export function cellOf(shape) {
  const [kind, x, y, width, height] = shape;
  if (kind === "r") return `${Math.floor(x + width / 2)},${Math.floor(y + height / 2)}`;
  if (kind === "l") return `line ${x}`;
  return `${Math.floor(x)},${Math.floor(y)}`;
}

/** @param {Shape} shape @returns {string} */
export const inkOf = (shape) => (shape[0] === "r" ? shape[5] : shape[0] === "l" ? shape[3] : shape[4]);

/** What is to be laid over what a seat saw: things it did not know, things of which it knew less, things not so.
 * @param {Shape[]} shapes @param {LayerShapes[]} truth @param {LayerShapes[]} belief @returns {LayerShapes[]} */
export function compare(shapes, truth, belief) {
  const [real, believed] = [new Set(truth.flat()), new Set(belief.flat())];
  const isThing = (/** @type {number} */ one) => !BACKGROUND.has(inkOf(shapes[one]));
  const missed = [...real].filter((one) => !believed.has(one) && isThing(one));
  const extra = [...believed].filter((one) => !real.has(one) && isThing(one));
  const cells = (/** @type {number[]} */ ones) => new Set(ones.map((one) => cellOf(shapes[one])));
  const [missedCells, extraCells] = [cells(missed), cells(extra)];
  return [
    missed.filter((one) => !extraCells.has(cellOf(shapes[one]))),
    missed.filter((one) => extraCells.has(cellOf(shapes[one]))),
    extra.filter((one) => !missedCells.has(cellOf(shapes[one]))),
  ];
}

/** One layer, drawn in place. */
class LayerOfElements {
  /** @param {SVGElement} group @param {(shape: number) => SVGElement} makeOne */
  constructor(group, makeOne) {
    this.group = group;
    this.makeOne = makeOne;
    /** @type {LayerShapes} */
    this.shown = [];
    /** @type {Map<number, SVGElement>} */
    this.elements = new Map();
  }

  /** @param {LayerShapes} shapes */
  show(shapes) {
    if (shapes === this.shown) return;
    const wanted = new Set(shapes);
    for (const old of this.shown) if (!wanted.has(old)) this.elements.get(old)?.remove();
    if (this.elements.size > MOST_KEPT + shapes.length) this.forget(wanted);
    /** @type {ChildNode | null} */
    let here = this.group.firstChild;
    for (const shape of shapes) {
      let element = this.elements.get(shape);
      if (!element) this.elements.set(shape, (element = this.makeOne(shape)));
      if (element === here) here = here.nextSibling;
      else this.group.insertBefore(element, here);
    }
    this.shown = shapes;
  }

  /** @param {Set<number>} wanted */
  forget(wanted) {
    for (const shape of this.elements.keys()) if (!wanted.has(shape)) this.elements.delete(shape);
  }
}

/** The board of one match. */
export class Board {
  /** @param {SVGSVGElement} svg @param {Shape[]} shapes @param {Record<string, string>} signs */
  constructor(svg, shapes, signs) {
    this.svg = svg;
    this.shapes = shapes;
    this.makeOne = (/** @type {number} */ shape) => makeShape(shapes[shape], signs);
    this.ground = make("g", {});
    this.over = make("g", { class: "over" });
    this.search = make("g", { class: "search" });
    this.below = make("g", { class: "search" });
    this.axes = make("g", { class: "axes" });
    this.picked = make("g", {});
    svg.replaceChildren(this.ground, this.over, this.search, this.axes, this.picked);
    /** @type {LayerOfElements[]} */
    this.layers = [];
    /** @type {LayerOfElements[]} */
    this.compared = [];
  }

  /** Shows the layers of another view. @param {import("./deltas.js").Track} track @param {boolean} withCoords */
  open(track, withCoords) {
    const edge = withCoords ? 1 : 0;
    const [width, height] = [track.width + edge, track.height + edge];
    this.svg.setAttribute("viewBox", `${-edge - 0.06} ${-edge - 0.06} ${width + 0.12} ${height + 0.12}`);
    this.svg.style.setProperty("--ratio", String(width / height));
    const groups = track.layers.map((name) => make("g", { "data-layer": name }));
    const first = track.layers.findIndex((name) => !GROUND.has(name));
    const at = first < 0 ? groups.length : first;
    this.ground.replaceChildren(...groups.slice(0, at), this.below, ...groups.slice(at));
    this.layers = groups.map((group) => new LayerOfElements(group, this.makeOne));
    const over = OVER.map((name) => make("g", { class: name }));
    this.over.replaceChildren(...over);
    this.compared = over.map((group) => new LayerOfElements(group, this.makeOne));
    this.axes.replaceChildren(...(withCoords ? axesOf(track.width, track.height) : []));
  }

  /** A bot's search: below what stands there, its figures above. @param {SVGElement[]} drawn */
  showSearch(drawn) {
    this.below.replaceChildren(...drawn.filter((one) => one.tagName !== "text"));
    this.search.replaceChildren(...drawn.filter((one) => one.tagName === "text"));
  }

  /** A ring around what is picked. @param {SVGElement[]} ring */
  showRing(ring) {
    this.picked.replaceChildren(...ring);
  }

  /** @param {LayerShapes[]} frame @param {LayerShapes[] | null} truth with what it is to be compared */
  show(frame, truth) {
    this.layers.forEach((layer, at) => layer.show(frame[at]));
    const found = truth ? compare(this.shapes, truth, frame) : [];
    this.compared.forEach((layer, at) => layer.show(found[at] ?? []));
  }
}

/** @param {number} width @param {number} height @returns {SVGElement[]} */
function axesOf(width, height) {
  const step = Math.max(width, height) > 40 ? 5 : 1;
  const labels = [];
  for (let x = 0; x < width; x += step) labels.push(axisLabel(x + 0.5, -0.4, x));
  for (let y = 0; y < height; y += step) labels.push(axisLabel(-0.45, y + 0.5, y));
  return labels;
}

/** @param {number} x @param {number} y @param {number} number @returns {SVGElement} */
function axisLabel(x, y, number) {
  const label = make("text", { x, y, "font-size": 0.42, class: "f-soft" });
  label.textContent = String(number);
  return label;
}
