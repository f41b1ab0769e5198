// A match as the runner wrote it -> what is to be seen at any turn. Knows no page.
// @ts-check

/** A shape: see `gridjoust/viewer/frames.py`. @typedef {any[]} Shape */
/** The numbers of a layer's shapes, lowest first. @typedef {number[]} LayerShapes */

/**
 * @typedef {object} Track what one reader sees
 * @property {number} width in cells
 * @property {number} height
 * @property {string[]} layers
 * @property {any[][]} frames
 * @property {[number, string][]} titles
 * @property {[number, any[][]][]} panels
 * @property {[number, string][]} legend
 */

/**
 * @typedef {object} Answers columns of one seat
 * @property {number[]} turn
 * @property {number[]} action
 */

/**
 * @typedef {object} Match
 * @property {string} match
 * @property {string} tournament
 * @property {string} game
 * @property {string} variant
 * @property {string} rules
 * @property {number} round
 * @property {number} seed
 * @property {Record<string, unknown>} params
 * @property {{bot: string, planner: string, role: string, ink: string}[]} seats
 * @property {(number | null)[]} limits
 * @property {string} named
 * @property {Record<string, string>} logs
 * @property {string[]} inks
 * @property {Record<string, string>} signs
 * @property {Shape[]} shapes
 * @property {(Track | number)[]} tracks
 * @property {number} turns
 * @property {number[]} stamps
 * @property {Record<string, number>[]} played
 * @property {Record<string, Answers & Record<string, (number | null)[]>>} answers
 * @property {string[]} texts
 * @property {[number, number[]][]} returns
 * @property {[number, string, number | null, string][]} events
 * @property {import("./layers.js").SearchTrace} [search]
 * @property {import("./timeline.js").Analysis} [analysis]
 * @property {{text: string, ranks: number[], counted: boolean}} end
 */

/** The value at a turn of a list of `[turn, value]`. @template T @param {[number, T][]} changes @param {number} turn
 * @returns {T | undefined} */
export function valueAt(changes, turn) {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (changes[middle][0] <= turn) low = middle + 1;
    else high = middle;
  }
  return low ? changes[low - 1][1] : undefined;
}

/** Every frame of a track as the shapes of each layer; what did not change is shared.
 * @param {Track} track @returns {LayerShapes[][]} */
export function decodeFrames(track) {
  let shown = track.layers.map(() => /** @type {number[]} */ ([]));
  return track.frames.map((changes) => {
    if (changes.length) shown = shown.slice();
    for (const [layer, gone, put] of changes) shown[layer] = changeLayer(shown[layer], gone, put);
    return shown;
  });
}

/** @param {LayerShapes} layer @param {number[]} gone @param {number[]} put @returns {LayerShapes} */
export function changeLayer(layer, gone, put) {
  const lost = new Set(gone);
  const kept = lost.size ? layer.filter((shape) => !lost.has(shape)) : layer;
  if (!put.length) return kept;
  const made = [];
  let next = 0;
  for (let at = 0; at < put.length; at += 2) {
    while (made.length < put[at]) made.push(kept[next++]);
    made.push(put[at + 1]);
  }
  while (next < kept.length) made.push(kept[next++]);
  return made;
}

/** The track that a reader has. @param {Match} match @param {number | null} seat @returns {number} */
export function trackOf(match, seat) {
  const at = seat === null || seat + 1 >= match.tracks.length ? 0 : seat + 1;
  const track = match.tracks[at];
  return typeof track === "number" ? track : at;
}

/** Seats that see another match than those who see everything. @param {Match} match @returns {number[]} */
export function seatsWithSecrets(match) {
  return match.seats.map((_, seat) => seat).filter((seat) => trackOf(match, seat) !== 0);
}

/** What each seat did in a turn: its action and what it cost.
 * @param {Match} match @param {number} turn @param {number} seat
 * @returns {{action: string | null, costs: Record<string, number>}} */
export function answerAt(match, turn, seat) {
  const played = match.played[turn]?.[String(seat)];
  const columns = match.answers[String(seat)];
  const row = columns ? rowOf(columns.turn, turn) : -1;
  /** @type {Record<string, number>} */
  const costs = {};
  if (row >= 0) {
    for (const [name, column] of Object.entries(columns)) {
      const value = column[row];
      if (name !== "turn" && name !== "action" && value !== null) costs[name] = value;
    }
  }
  const text = played ?? (row >= 0 ? columns.action[row] : undefined);
  return { action: text === undefined ? null : match.texts[text], costs };
}

/** Where a turn is in a rising list, or -1. @param {number[]} turns @param {number} turn @returns {number} */
function rowOf(turns, turn) {
  let low = 0;
  let high = turns.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (turns[middle] === turn) return middle;
    if (turns[middle] < turn) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
