// Keys to what they do. Knows no page.
// @ts-check

/** What a page can do. @typedef {"play" | "back" | "on" | "seatBack" | "seatOn" | "first" | "last" | "previousEvent" |
 *   "nextEvent" | "slower" | "faster" | "belief" | "coords" | "theme" | "loop" | "help" | "full" | "lens"} Act */

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
  m: "lens",
  "?": "help",
};

export const HELP = [
  ["space", "play or pause"],
  ["← →", "a turn back or on"],
  ["↑ ↓ or , .", "the answer of the seat before or after, within a turn"],
  ["Home End", "the deal, the end"],
  ["q e", "the event before or after"],
  ["- +", "slower, faster"],
  ["1 … 9", "whose eyes: 1 everything, 2 the first seat, and so on"],
  ["b", "what a seat knew against how things are"],
  ["m", "the next layer of what the bot was thinking (pages of joust look)"],
  ["c t l f", "coordinates, theme, loop, full screen"],
  ["?", "this list"],
];

/** What a key does; null where it is the browser's. A number: whose eyes.
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
