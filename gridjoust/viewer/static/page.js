// What every page shares: finding and making elements, notices, the theme, buttons, and the list of keys.
// @ts-check
import { THEMES, readSettings } from "./settings.js";

/** @typedef {import("./settings.js").Settings["theme"]} Theme */

const THEME_KEY = "joust-theme";

/** @param {string} id @returns {any} */
export const find = (id) => document.getElementById(id);

/** @param {string} tag @param {string} [name] class @param {string} [text] @returns {HTMLElement} */
export function element(tag, name = "", text = "") {
  const made = document.createElement(tag);
  if (name) made.className = name;
  if (text) made.textContent = text;
  return made;
}

/** `1 fault`, `2 faults`. @param {number} count @param {string} one @param {string} [many] @returns {string} */
export const counted = (count, one, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** Replaces the options of a list; the chosen one stays if it is still there.
 * @param {HTMLSelectElement} select @param {string[][]} options pairs of value and text */
export function fill(select, options) {
  const before = select.value;
  select.replaceChildren(...options.map(([value, text]) => Object.assign(element("option", "", text), { value })));
  if (options.some(([value]) => value === before)) select.value = before;
}

/** Shows a notice above the page; an empty text removes it. @param {string} text */
export function tell(text) {
  find("notice").textContent = text;
  find("notice").hidden = !text;
}

/** Shows a notice in place of the page. @param {string} text */
export function giveUp(text) {
  tell(text);
  document.querySelector("main")?.setAttribute("hidden", "");
}

/** Calls `act` with the name of a button that is pressed. @param {(act: any) => void} act */
export function onButtons(act) {
  for (const button of document.querySelectorAll("[data-act]")) {
    button.addEventListener("click", () => act(/** @type {HTMLElement} */ (button).dataset.act));
  }
}

/** True if a key belongs to the browser or to the field that has the focus. @param {KeyboardEvent} event */
export function isTaken(event) {
  const target = event.target instanceof Element ? event.target : null;
  return event.ctrlKey || event.metaKey || event.altKey || Boolean(target?.closest("dialog[open], input, select, textarea"));
}

/** Shows the theme of the address, else the one that was chosen last; the result changes to the next one.
 * @param {() => void} [onShow] @returns {() => void} */
export function showTheme(onShow = () => {}) {
  const { theme } = readSettings(location.search);
  let shown = theme === "auto" ? savedTheme() : theme;
  const show = () => {
    document.documentElement.dataset.theme = shown;
    find("theme").textContent = `Theme: ${shown}`;
    onShow();
  };
  show();
  return () => {
    shown = /** @type {Theme} */ (THEMES[(THEMES.indexOf(shown) + 1) % THEMES.length]);
    saveTheme(shown);
    show();
  };
}

/** @returns {Theme} */
function savedTheme() {
  try {
    const saved = localStorage.getItem(THEME_KEY);
    return saved === "light" || saved === "dark" ? saved : "auto";
  } catch {
    return "auto"; // the browser stores nothing for this page
  }
}

/** @param {string} theme */
function saveTheme(theme) {
  try {
    localStorage.setItem(THEME_KEY, theme);
  } catch {
    // the browser stores nothing for this page: the theme holds until it is closed
  }
}

export function toggleFullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

/** Adds a dialog with the keys of the page. @param {string[][]} keys pairs of key and what it does @returns {HTMLDialogElement} */
export function addHelp(keys) {
  const dialog = document.createElement("dialog");
  dialog.id = "help";
  dialog.setAttribute("aria-labelledby", "help-title");
  const title = Object.assign(element("h2", "", "Keys"), { id: "help-title" });
  const list = Object.assign(element("dl"), { id: "keys" });
  list.append(...keys.flatMap(([key, text]) => [element("dt", "", key), element("dd", "", text)]));
  const form = Object.assign(document.createElement("form"), { method: "dialog" });
  form.append(element("button", "", "Close"));
  dialog.append(title, list, form);
  document.body.append(dialog);
  return dialog;
}
