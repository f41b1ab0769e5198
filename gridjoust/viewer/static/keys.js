// What the keys of a match page do.
// @ts-check

/** What a page can do. @typedef {"play" | "back" | "on" | "seatBack" | "seatOn" | "first" | "last" | "previousEvent" |
 *   "nextEvent" | "slower" | "faster" | "belief" | "coords" | "theme" | "loop" | "help" | "full" | "search" | "share"} Act */

/** @type {Record<string, Act>} */
const KEYS = {
  " ": "play",
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "seatBack",
  ArrowDown: "seatOn",
  ",": "seatBack",
  ".": "seatOn",
  Home: "first",
  End: "last",
  q: "previousEvent",
  e: "nextEvent",
  "-": "slower",
  "+": "faster",
  "=": "faster",
  b: "belief",
  c: "coords",
  t: "theme",
  l: "loop",
  f: "full",
  m: "search",
  "?": "help",
};

export const HELP = [
  ["space", "play or pause"],
  ["← →", "one turn back or forward"],
  ["↑ ↓ or , .", "previous or next answer within a turn"],
  ["Home End", "start, end"],
  ["q e", "previous or next event"],
  ["- +", "slower, faster"],
  ["1 … 9", "view as: 1 everything, 2 the first seat, and so on"],
  ["b", "compare what a seat knew with the truth"],
  ["m", "next layer of the bot's search (pages of joust look)"],
  ["c t l f", "coordinates, theme, loop, full screen"],
  ["?", "this list"],
];

/** Returns what a key does, null if the key is the browser's; a number is the view to show.
 * @param {KeyboardEvent} event @returns {Act | number | null} */
export function actOf(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  const target = event.target instanceof Element ? event.target : null;
  const isRange = target instanceof HTMLInputElement && ["range", "radio", "checkbox"].includes(target.type);
  if (target?.closest("select, textarea, pre, dialog[open]") || (target?.closest("input") && !isRange)) return null;
  if (event.key === " " && target?.closest("button, summary, a, input[type=checkbox]")) return null;
  const isRadio = target instanceof HTMLInputElement && target.type === "radio";
  if (isRadio && event.key.startsWith("Arrow")) return null;
  if (/^[1-9]$/.test(event.key)) return Number(event.key) - 1;
  return KEYS[event.key] ?? null;
}
