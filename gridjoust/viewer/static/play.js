// The page of a person who plays: the board as the seat sees it, what may be answered as buttons and keys, help.
// @ts-check
import { make } from "./board.js";
import { LiveBoard } from "./liveboard.js";
import { showWords } from "./words.js";
import { addHelp, element, find, isTaken, onButtons, showTheme, tell } from "./page.js";

const RETRY_MS = 1000;
/** A key that many games have for it, and how actions of that direction end. @type {Record<string, [string, RegExp]>} */
const WAYS = {
  ArrowUp: ["w", /(^| )(N|U|up)$/],
  ArrowLeft: ["a", /(^| )(W|L|left)$/],
  ArrowDown: ["s", /(^| )(S|D|down)$/],
  ArrowRight: ["d", /(^| )(E|R|right)$/],
};
/** @type {Record<string, string>} */
const COMPASS = { ArrowUp: "N", ArrowLeft: "W", ArrowDown: "S", ArrowRight: "E" };
const HELP = [
  ["the keys on the buttons", "answer"],
  ["arrows", "move, where the game has moves"],
  ["a robot's letter, or a click", "pick it; then arrows, or a click where it goes, add moves; Enter sends them"],
  ["space", "wait, where the game lets you"],
  ["/", "type an answer; Enter sends it, Esc leaves the field"],
  ["h", "hint, where the game has no other use for h"],
  ["?", "this list"],
];

/** @typedef {{turn: number, legal: string[], more: number, is_complete: boolean, keys: Record<string, string>,
 *   reserved: Record<string, string>, help: string, picked: string, drawn: string}} Asked */

class PlayPage {
  /** @param {Record<string, string>} signs */
  constructor(signs) {
    this.signs = signs;
    /** @type {LiveBoard | null} */
    this.board = null;
    /** @type {Asked | null} */
    this.asked = null;
    this.isOver = false;
    this.letter = ""; // of the figure that is picked
    /** @type {HTMLElement | null} the button of an action that the keyboard was at */
    this.focused = null;
    this.help = addHelp(HELP);
    const changeTheme = showTheme();
    onButtons((act) => (act === "theme" ? changeTheme() : this.help.showModal()));
    for (const button of document.querySelectorAll("[data-line]")) {
      button.addEventListener("click", () => this.send(/** @type {any} */ (button).dataset.line));
    }
    find("order").addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      this.send(find("typed").value);
      if (!this.letter) this.type(""); // a bid leaves the moves for the proof
      else if (document.activeElement === find("typed")) find("typed").select();
    });
    find("typed").addEventListener("input", () => this.type(find("typed").value));
    find("words-box").addEventListener("toggle", () => this.board && this.tellBoard());
    find("boards").addEventListener("click", (/** @type {MouseEvent} */ event) => this.onClick(event));
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
      this.letter = "";
      find("title").textContent = event.begin.variant;
      document.title = `${event.begin.variant} · joust`;
      return;
    }
    this.board?.take(event);
    if (event.title !== undefined && find("typed").value) this.type(""); // another task
    this.showPicked();
    this.tellBoard();
    if (!event.end) return;
    this.isOver = true;
    find("subtitle").textContent = event.end.text;
    find("asked").textContent = "The match is over";
  }

  /** The board for readers who do not see it: how it stands in a sentence, and what stands in which cell. */
  tellBoard() {
    const { now, shapes, frame, begin } = /** @type {LiveBoard} */ (this.board);
    const panel = /** @type {any[][]} */ (now.panel ?? []);
    const nameOf = (/** @type {any[]} */ one) => begin.seats[one[0]]?.bot ?? "";
    const stands = panel.map((one) => `${nameOf(one)}: ${[one[3], one[4], ...one[5], one[6]].filter(Boolean).join(", ")}`);
    const sentence = [`Turn ${now.turn}`, now.title, ...stands].filter(Boolean).join(". ");
    if (find("told").textContent !== sentence) find("told").textContent = sentence;
    if (!find("words-box").open) return;
    const seats = panel.map((one) => /** @type {[number, string]} */ ([one[1], nameOf(one)]));
    showWords(find("words"), /** @type {any[]} */ (shapes), frame, [...seats, ...(now.legend ?? [])]);
  }

  /** Puts a line into the field, and lets the board show what it would do. @param {string} line */
  type(line) {
    if (find("typed").value !== line) find("typed").value = line;
    this.send(`\t${line}`);
    if (!line) this.letter = "";
    this.showPicked();
  }

  /** Picks a figure by its letter; false where the game has none of it. @param {string} letter @returns {boolean} */
  pick(letter) {
    const layer = this.asked?.picked;
    if (!layer || !this.board?.labelIn(layer, (text) => text === letter)) return false;
    this.letter = letter;
    this.showPicked();
    return true;
  }

  showPicked() {
    const at = this.letter && this.asked?.picked ? this.board?.labelIn(this.asked.picked, (text) => text === this.letter) : null;
    const ring = at ? [make("circle", { cx: at[1] + 0.5, cy: at[2] + 0.5, r: 0.47, class: "s-text", "stroke-width": 0.08 })] : [];
    this.board?.board.showRing(ring);
  }

  /** @param {string} heading */
  addMove(heading) {
    this.type(`${find("typed").value} ${this.letter.toLowerCase()}${heading}`.trim());
  }

  /** Picks the figure in a cell, or moves the picked one towards it. @param {MouseEvent} event */
  onClick(event) {
    const svg = this.board?.board.svg;
    const layer = this.asked?.picked;
    const matrix = svg?.getScreenCTM();
    if (!svg || !layer || !matrix || !this.board) return;
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    const cell = [Math.floor(at.x), Math.floor(at.y)];
    const there = this.board.labelIn(layer, (_, x, y) => x === cell[0] && y === cell[1]);
    if (there && there[0] !== this.letter) {
      this.pick(there[0]);
      return;
    }
    const from = this.letter && this.board.labelIn(layer, (text) => text === this.letter);
    if (!from || there) return;
    const [dx, dy] = [at.x - from[1] - 0.5, at.y - from[2] - 0.5];
    this.addMove(Math.abs(dx) > Math.abs(dy) ? (dx > 0 ? "E" : "W") : dy > 0 ? "S" : "N");
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
    this.keepFocus();
    const action = this.focused?.dataset.action;
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
    if (action !== undefined) (buttons.find((one) => one.dataset.action === action) ?? buttons[0])?.focus();
    this.focused = null;
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
    this.keepFocus();
    for (const button of find("actions").children) button.disabled = true;
    if (!this.isOver) find("asked").textContent = "The others are asked";
  }

  /** Remembers the action whose button the keyboard was at: it goes on there with the next question. */
  keepFocus() {
    const at = /** @type {HTMLElement} */ (document.activeElement);
    if (at.dataset.action !== undefined && at.matches(":focus-visible")) this.focused = at;
    else if (at !== document.body) this.focused = null;
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
    if (this.onMoveKey(event.key)) {
      event.preventDefault();
      return;
    }
    const line = this.lineOf(event.key);
    if (line === null) return;
    event.preventDefault();
    if (line === "/") find("typed").focus();
    else if (line === "?") this.help.showModal();
    else this.send(line);
  }

  /** Keys for figures that are picked; true if it was one. @param {string} key @returns {boolean} */
  onMoveKey(key) {
    if (!this.asked?.picked) return false;
    const line = find("typed").value;
    if (this.letter && key in COMPASS) this.addMove(COMPASS[key]);
    else if (line && key === "Enter") find("order").requestSubmit();
    else if (line && key === "Backspace") this.type(line.replace(/\s*\S+\s*$/, ""));
    else if (line && key === "Escape") this.type("");
    else return !(key in this.asked.keys) && this.pick(key.toUpperCase());
    return true;
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
