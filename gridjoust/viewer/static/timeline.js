// Strips under the board: events, planning and expansions of each seat, how the match stood. One canvas, drawn rarely.
// @ts-check

/** @typedef {import("./deltas.js").Match} Match */

const EVENTS_PX = 20;
const LANE_PX = 20;
const SCORES_PX = 40;
const SHARES_PX = 64;
const GAP_PX = 4;
const LABELS_PX = 190; // on the left of the strips
const LABEL_PX = 15; // above a strip, on a narrow page
const NARROW_PX = 520;
const SLOW = 0.8; // of the limit
const EVENT_INKS = /** @type {Record<string, string>} */ ({
  death: "text",
  hit: "red",
  score: "gold",
  returns: "gold",
  decisive: "violet",
  end: "soft",
});

/** See `gridjoust/recorded/analysis.py`.
 * @typedef {object} Analysis
 * @property {string} goal
 * @property {string[]} bots
 * @property {{name: string, seats: number[]}[]} sides
 * @property {{turn: number, shares: number[], lows: number[], highs: number[]}[]} points
 */

/**
 * @typedef {object} Lane
 * @property {string} label
 * @property {number} height
 * @property {(context: CanvasRenderingContext2D, width: number, height: number) => void} draw
 */

/** @param {Match} match @param {(ink: string) => string} colour @returns {Lane[]} */
export function lanesOf(match, colour) {
  /** @type {Lane[]} */
  const lanes = [{ label: "events", height: EVENTS_PX, draw: (...place) => drawEvents(match, colour, ...place) }];
  const analysis = match.analysis;
  if (analysis) {
    const what = analysis.goal ? `share of playouts that reach the goal (${analysis.goal})` : "share of wins in playouts";
    lanes.push({
      label: `${what} by ${[...new Set(analysis.bots)].join(", ")}`,
      height: SHARES_PX,
      draw: (...place) => drawShares(match, analysis, colour, ...place),
    });
  }
  match.seats.forEach(({ ink }, seat) => {
    const answers = match.answers[String(seat)];
    for (const [column, name] of [["planning_ms", "planning ms"], ["expanded", "nodes expanded"]]) {
      if (!answers || !(column in answers)) continue;
      const values = valuesByTurn(match, answers.turn, answers[column]);
      const most = values.reduce((one, other) => Math.max(one, other), 0);
      const limit = column === "planning_ms" ? match.limits[seat] : null;
      const inks = { usual: colour(ink), slow: colour("red") };
      lanes.push({
        label: `seat ${seat} ${name}, most ${most >= 100 ? Math.round(most) : most.toFixed(1)}`,
        height: LANE_PX,
        draw: (context, width, height) => drawBars(context, values, { width, height, most, limit, inks }),
      });
    }
  });
  if (match.returns.length > 1) {
    lanes.push({ label: "result if it ended now", height: SCORES_PX, draw: (...place) => drawReturns(match, colour, ...place) });
  }
  return lanes;
}

/** The width of the labels on the left of the strips; 0: they stand above them. @param {number} width @returns {number} */
export const labelsOf = (width) => (width < NARROW_PX ? 0 : LABELS_PX);

/** @param {Lane[]} lanes @param {number} width @returns {number} */
export function heightOf(lanes, width) {
  const above = labelsOf(width) ? 0 : LABEL_PX;
  return lanes.reduce((sum, lane) => sum + above + lane.height + GAP_PX, 0);
}

/** @param {HTMLCanvasElement} canvas @param {Lane[]} lanes @param {string} ink of the labels @param {string} behind */
export function drawLanes(canvas, lanes, ink, behind) {
  const width = canvas.clientWidth;
  const sharp = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(width * sharp));
  canvas.height = Math.round(heightOf(lanes, width) * sharp);
  const context = canvas.getContext("2d");
  if (!context) return;
  context.scale(sharp, sharp);
  context.font = "11px system-ui, sans-serif";
  const left = labelsOf(width);
  for (const lane of lanes) {
    context.fillStyle = ink;
    context.textBaseline = left ? "middle" : "top";
    context.fillText(lane.label, 0, left ? lane.height / 2 : 2, left ? left - 8 : width);
    if (!left) context.translate(0, LABEL_PX);
    context.save();
    context.translate(left, 0);
    context.fillStyle = behind;
    context.fillRect(0, 0, width - left, lane.height);
    lane.draw(context, width - left, lane.height);
    context.restore();
    context.translate(0, lane.height + GAP_PX);
  }
}

/** @param {Match} match @param {number[]} turns @param {(number | null)[]} column @returns {number[]} */
function valuesByTurn(match, turns, column) {
  const values = new Array(match.turns + 1).fill(0);
  turns.forEach((turn, at) => {
    if (turn <= match.turns) values[turn] = column[at] ?? 0;
  });
  return values;
}

/** Bars as wide as a pixel at least, each as high as the highest of its turns.
 * @param {CanvasRenderingContext2D} context @param {number[]} values
 * @param {{width: number, height: number, most: number, limit: number | null, inks: {usual: string, slow: string}}} how */
function drawBars(context, values, { width, height, most, limit, inks }) {
  if (!most) return;
  const columns = Math.min(Math.ceil(width), values.length);
  for (let column = 0; column < columns; column++) {
    const from = Math.floor((column * values.length) / columns);
    const until = Math.max(from + 1, Math.floor(((column + 1) * values.length) / columns));
    let highest = 0;
    for (let turn = from; turn < until; turn++) highest = Math.max(highest, values[turn]);
    if (!highest) continue;
    context.fillStyle = limit !== null && highest > SLOW * limit ? inks.slow : inks.usual;
    const bar = Math.max(1, (highest / most) * (height - 2));
    context.fillRect((column * width) / columns, height - bar, Math.max(1, width / columns - 0.5), bar);
  }
}

/** @param {Match} match @param {(ink: string) => string} colour @param {CanvasRenderingContext2D} context
 * @param {number} width @param {number} height */
function drawEvents(match, colour, context, width, height) {
  const order = (/** @type {string} */ kind) => (kind === "score" || kind === "returns" ? 0 : 1);
  const events = [...match.events].sort((one, other) => order(one[1]) - order(other[1]));
  for (const [turn, kind, seat] of events) {
    const x = (turn / Math.max(1, match.turns)) * (width - 2);
    const isFault = !(kind in EVENT_INKS);
    context.fillStyle = kind === "score" && seat !== null ? colour(match.seats[seat].ink) : colour(EVENT_INKS[kind] ?? "fire");
    const tall = order(kind) ? height : height / 2;
    context.fillRect(x, height - tall, isFault || kind === "death" ? 3 : 1.5, tall);
  }
}

/** Of each side a line in the colour of its first seat; with few sides also the intervals around them.
 * @param {Match} match @param {Analysis} analysis @param {(ink: string) => string} colour
 * @param {CanvasRenderingContext2D} context @param {number} width @param {number} height */
function drawShares(match, analysis, colour, context, width, height) {
  const { points } = analysis;
  const across = (/** @type {number} */ turn) => (turn / Math.max(1, match.turns)) * width;
  const level = (/** @type {number} */ share) => height - 3 - share * (height - 6);
  analysis.sides.forEach((side, at) => {
    context.fillStyle = context.strokeStyle = colour(match.seats[side.seats[0]].ink);
    if (analysis.sides.length <= 2) {
      context.globalAlpha = 0.18;
      context.beginPath();
      for (const point of points) context.lineTo(across(point.turn), level(point.highs[at]));
      for (const point of points.toReversed()) context.lineTo(across(point.turn), level(point.lows[at]));
      context.fill();
      context.globalAlpha = 1;
    }
    context.lineWidth = 2;
    context.beginPath();
    for (const point of points) context.lineTo(across(point.turn), level(point.shares[at]));
    context.stroke();
    for (const point of points) context.fillRect(across(point.turn) - 1.5, level(point.shares[at]) - 1.5, 3, 3);
  });
}

/** @param {Match} match @param {(ink: string) => string} colour @param {CanvasRenderingContext2D} context
 * @param {number} width @param {number} height */
function drawReturns(match, colour, context, width, height) {
  const all = match.returns.flatMap(([, values]) => values);
  const [low, high] = [all.reduce((a, b) => Math.min(a, b), 0), all.reduce((a, b) => Math.max(a, b), 0)];
  const level = (/** @type {number} */ value) => height - 3 - ((value - low) / (high - low || 1)) * (height - 6);
  match.seats.forEach(({ ink }, seat) => {
    context.beginPath();
    context.strokeStyle = colour(ink);
    context.lineWidth = 1.5;
    let y = level(match.returns[0][1][seat]);
    context.moveTo(0, y);
    for (const [turn, values] of match.returns) {
      const x = (turn / Math.max(1, match.turns)) * width;
      context.lineTo(x, y);
      context.lineTo(x, (y = level(values[seat])));
    }
    context.lineTo(width, y);
    context.stroke();
  });
}
