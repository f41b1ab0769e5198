// What an address says: how the page behaves (`?autoplay&theme=dark`) and where the reader is (`#turn=12&seat=0`).
// @ts-check

/**
 * @typedef {object} Settings
 * @property {boolean} autoplay
 * @property {number} fps turns a second at speed 1
 * @property {"auto" | "light" | "dark"} theme
 * @property {boolean} controls
 * @property {boolean} coords
 * @property {boolean} loop
 */

/**
 * @typedef {object} Place
 * @property {string} match
 * @property {number} turn
 * @property {number | null} seat whose view is shown; null: everything
 */

export const THEMES = ["auto", "light", "dark"];
const MOST_FPS = 60;

/** @param {string | null} text @param {boolean} without @returns {boolean} */
const isOn = (text, without) => (text === null ? without : !["0", "false", "no", "off"].includes(text));

/** @param {string} search @returns {Settings} */
export function readSettings(search) {
  const given = new URLSearchParams(search);
  const fps = Number(given.get("fps"));
  const theme = given.get("theme") ?? "";
  return {
    autoplay: isOn(given.get("autoplay"), false),
    fps: fps > 0 ? Math.min(fps, MOST_FPS) : 4,
    theme: /** @type {Settings["theme"]} */ (THEMES.includes(theme) ? theme : "auto"),
    controls: isOn(given.get("controls"), true),
    coords: isOn(given.get("coords"), false),
    loop: isOn(given.get("loop"), false),
  };
}

/** @param {string} hash @returns {Place} */
export function readPlace(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const turn = Number(given.get("turn") ?? 0);
  const seat = given.get("seat");
  return {
    match: given.get("match") ?? "",
    turn: Number.isSafeInteger(turn) && turn > 0 ? turn : 0,
    seat: seat !== null && /^\d{1,2}$/.test(seat) ? Number(seat) : null,
  };
}

/** @param {Place} place @returns {string} */
export function writePlace(place) {
  const seat = place.seat === null ? "" : `&seat=${place.seat}`;
  return `#match=${encodeURIComponent(place.match)}&turn=${place.turn}${seat}`;
}
