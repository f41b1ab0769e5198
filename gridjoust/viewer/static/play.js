// The page of a person who plays: the board as the seat sees it, what may be answered as buttons and keys, help.
// @ts-check
import { LiveBoard } from "./liveboard.js";
import { addHelp, element, find, isTaken, onButtons, showTheme, tell } from "./page.js";

const RETRY_MS = 1000;
/** A key that many games have for it, and how actions of that direction end. @type {Record<string, [string, RegExp]>} */
const WAYS = {
  ArrowUp: ["w", /(^| )(N|U|up)$/],
  ArrowLeft: ["a", /(^| )(W|L|left)$/],
  ArrowDown: ["s", /(^| )(S|D|down)$/],
  ArrowRight: ["d", /(^| )(E|R|right)$/],
};
const HELP = [
  ["the keys on the buttons", "answer"],
  ["arrows", "move, where the game has moves"],
  ["space", "wait, where the game lets you"],
  ["/", "type an answer; Enter sends it, Esc leaves the field"],
  ["h", "hint, where the game has no other use for h"],
  ["?", "this list"],
];

/** @typedef {{turn: number, legal: string[], more: number, is_complete: boolean, keys: Record<string, string>,
 *   reserved: Record<string, string>, help: string, drawn: string}} Asked */

class PlayPage {
  /** @param {Record<string, string>} signs */
  constructor(signs) {
    this.signs = signs;
    /** @type {LiveBoard | null} */
    this.board = null;
    /** @type {Asked | null} */
    this.asked = null;
    this.isOver = false;
    this.help = addHelp(HELP);
    const changeTheme = showTheme();
    onButtons((act) => (act === "theme" ? changeTheme() : this.help.showModal()));
    for (const button of document.querySelectorAll("[data-line]")) {
      button.addEventListener("click", () => this.send(/** @type {any} */ (button).dataset.line));
    }
    find("order").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.send(find("typed").value);
      find("typed").value = "";
    });
    document.addEventListener("keydown", (event) => this.onKey(event));
    this.connect();
  }

  connect() {
    const key = new URLSearchParams(location.search).get("key") ?? "";
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/play?key=${encodeURIComponent(key)}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.addEventListener("open", () => {
      find("said").replaceChildren(); // it is sent anew
      tell("");
      document.documentElement.dataset.ready = "yes";
    });
    this.socket.addEventListener("message", (event) => this.take(JSON.parse(new TextDecoder().decode(event.data))));
    this.socket.addEventListener("close", () => {
      this.close();
      if (this.isOver) return;
      tell("the connection is closed; the page tries again");
      setTimeout(() => this.connect(), RETRY_MS);
    });
  }

  /** @param {string} line */
  send(line) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(line);
  }

  /** @param {any} event */
  take(event) {
    /** @type {Record<string, () => void>} */
    const takes = {
      board: () => this.takeBoard(event),
      say: () => this.say(event.text),
      ask: () => this.ask(event),
      closed: () => this.close(),
      advice: () => this.advise(event.action),
    };
    takes[event.kind]?.();
  }

  /** @param {any} event */
  takeBoard(event) {
    if (event.begin) {
      this.board = new LiveBoard(event.match, event.begin, this.signs, () => {});
      find("boards").replaceChildren(this.board.card);
      find("title").textContent = event.begin.variant;
      document.title = `${event.begin.variant} · joust`;
      return;
    }
    this.board?.take(event);
    if (!event.end) return;
    this.isOver = true;
    find("subtitle").textContent = event.end.text;
    find("asked").textContent = "The match is over";
  }

  /** @param {string} text */
  say(text) {
    const item = element("li", "", text);
    find("said").append(item);
    item.scrollIntoView({ block: "nearest" });
  }

  /** @param {Asked} asked */
  ask(asked) {
    this.asked = asked;
    const keyOf = new Map(Object.entries(asked.keys).reverse().map(([key, text]) => [text, key]));
    const buttons = asked.legal.map((text) => {
      const button = element("button", "action", text);
      button.setAttribute("type", "button");
      button.dataset.action = text;
      const key = keyOf.get(text);
      if (key) button.append(" ", element("kbd", "", key));
      button.addEventListener("click", () => this.send(text));
      return button;
    });
    find("actions").replaceChildren(...buttons);
    find("asked").textContent = `Turn ${asked.turn}: your answer`;
    const more = asked.more ? [`and ${asked.more} more`] : [];
    if (!asked.is_complete) more.push("others may be typed");
    find("more").textContent = more.join("; ");
    find("more").hidden = !more.length;
    find("game-keys").textContent = asked.help;
    find("drawn").textContent = asked.drawn;
    find("drawn").hidden = !asked.drawn;
    find("hint-key").textContent = this.hintKey();
  }

  /** @returns {string} */
  hintKey() {
    const own = Object.entries(this.asked?.reserved ?? {}).find(([, word]) => word === "hint")?.[0];
    return own ?? (this.asked && "h" in this.asked.keys ? "" : "h");
  }

  close() {
    this.asked = null;
    for (const button of find("actions").children) button.disabled = true;
    if (!this.isOver) find("asked").textContent = "The others are asked";
  }

  /** @param {string} action */
  advise(action) {
    let isShown = !action;
    for (const button of find("actions").children) {
      const isIt = button.dataset.action === action;
      button.setAttribute("aria-pressed", String(isIt));
      isShown ||= isIt;
    }
    if (!isShown) find("typed").value = action;
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input") && event.key === "Escape") /** @type {HTMLElement} */ (target).blur();
    if (isTaken(event) || (event.key === " " && target?.closest("button"))) return;
    const line = this.lineOf(event.key);
    if (line === null) return;
    event.preventDefault();
    if (line === "/") find("typed").focus();
    else if (line === "?") this.help.showModal();
    else this.send(line);
  }

  /** What a key sends; null where it is the browser's. @param {string} key @returns {string | null} */
  lineOf(key) {
    if (key === "/" || key === "?") return key;
    const asked = this.asked;
    if (!asked) return null;
    if (key in asked.reserved) return key;
    if (key in asked.keys) return asked.keys[key];
    if (key === " ") return asked.legal.find((text) => text === "wait") ?? null;
    if (key in WAYS) return wayOf(asked, ...WAYS[key]);
    return key === this.hintKey() ? "hint" : null;
  }
}

/** @param {Asked} asked @param {string} key @param {RegExp} way @returns {string | null} */
function wayOf(asked, key, way) {
  const own = asked.keys[key];
  if (own && way.test(own)) return own;
  return asked.legal.filter((text) => way.test(text)).sort((one, other) => one.length - other.length)[0] ?? null;
}

async function start() {
  const answer = await fetch("signs.json");
  if (!answer.ok) throw new Error(await answer.text());
  new PlayPage(await answer.json());
}

start().catch((error) => tell(`the match cannot be shown: ${error}`));
