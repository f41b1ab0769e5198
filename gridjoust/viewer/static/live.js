// The page of a running tournament: boards, standings, results, progress.
// @ts-check
import { LiveBoard } from "./liveboard.js";
import { resultOf } from "./meetings.js";
import { addHelp, counted, element, find, isTaken, onButtons, showTheme, tell, toggleFullScreen } from "./page.js";
import { Stream } from "./stream.js";

const KEPT_MS = 6000; // that a board stays which is over
const READ_MS = 2000; // and that it may not give its place to a new one
const CYCLE_MS = 8000; // a board of the projector
const SORT_EVERY_MS = 2000; // the standings
const MOST_BOARDS = 12;
const MOST_NUMBERS_SHOWN = 3; // last results
const MOST_ROWS = 16; // of one column of the projector's standings
const HELP = [
  ["← →", "one board alone: previous or next"],
  ["Esc", "all boards"],
  ["p", "projector: one large board after another"],
  ["f", "full screen"],
  ["t", "theme"],
  ["?", "this list"],
];
/** @type {Record<string, string>} */
const KEYS = { ArrowLeft: "previous", ArrowRight: "next", Escape: "all", p: "projector", f: "full", t: "theme", "?": "help" };

/** @param {number} seconds @returns {string} */
function duration(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}

class LivePage {
  /** @param {Record<string, string>} signs */
  constructor(signs) {
    this.signs = signs;
    /** @type {Map<string, LiveBoard>} */
    this.boards = new Map();
    /** @type {string | null} the match that is looked at alone */
    this.chosen = null;
    this.hasSearch = false; // bots show their searches
    this.sorted = { atMs: 0, timer: 0 }; // the standings
    this.isProjector = ["", "1", "true", "yes"].includes(new URLSearchParams(location.search).get("projector") ?? "0");
    this.help = addHelp(HELP);
    onButtons((act) => this.act(act));
    document.addEventListener("keydown", (event) => this.onKey(event));
    setInterval(() => this.isProjector && this.move(1), CYCLE_MS);
    this.changeTheme = showTheme();
    this.setProjector(this.isProjector);
    const takers = { state: (/** @type {any} */ state) => this.onState(state), board: (/** @type {any} */ told) => this.onBoard(told) };
    this.stream = new Stream("events", takers, (stream) => stream.listen());
  }

  /** @param {any} told */
  onBoard(told) {
    if (told.begin) {
      this.boards.get(told.match)?.search.end();
      this.boards.get(told.match)?.card.remove();
      const board = new LiveBoard(told.match, told.begin, this.signs, () => this.choose(this.chosen ? null : told.match));
      board.search.offer(this.hasSearch);
      this.boards.set(told.match, board);
      this.place(board.card);
      this.makeRoom();
    } else {
      const board = this.boards.get(told.match);
      board?.take(told);
      if (board?.end) {
        board.endedMs = Date.now();
        setTimeout(() => this.boards.size > 1 && this.drop(told.match, board), KEPT_MS); // the last one stays
      }
    }
    this.showBoards();
  }

  /** In the place of a board that has been over for a while, so that all others stay where they are. @param {HTMLElement} card */
  place(card) {
    const isOld = (/** @type {LiveBoard} */ board) => board.end && Date.now() - board.endedMs > READ_MS && this.chosen !== board.match;
    const old = [...this.boards.values()].find(isOld);
    if (old) old.card.before(card);
    else find("boards").append(card);
    if (old) this.drop(old.match, old);
  }

  /** Boards that are over leave first where there are too many. */
  makeRoom() {
    for (const [match, board] of this.boards) {
      if (this.boards.size <= MOST_BOARDS) return;
      if (board.end) this.drop(match, board);
    }
  }

  /** @param {string} match @param {LiveBoard} board */
  drop(match, board) {
    if (this.boards.get(match) !== board) return;
    board.search.end();
    board.card.remove();
    this.boards.delete(match);
    if (this.chosen === match) {
      this.chosen = null;
      if (this.isProjector) this.move(1);
    }
    this.showBoards();
  }

  /** @param {string | null} match */
  choose(match) {
    this.chosen = match;
    this.showBoards();
  }

  /** @param {number} by */
  move(by) {
    const matches = [...this.boards.keys()];
    if (!matches.length) return;
    const at = this.chosen === null ? (by > 0 ? -1 : 0) : matches.indexOf(this.chosen);
    this.choose(matches[(at + by + matches.length) % matches.length]);
  }

  showBoards() {
    if (this.isProjector && (this.chosen === null || !this.boards.has(this.chosen)) && this.boards.size) {
      this.chosen = this.boards.keys().next().value ?? null;
    }
    for (const [match, board] of this.boards) board.card.hidden = this.chosen !== null && this.chosen !== match;
    find("boards").dataset.count = String(this.chosen === null ? this.boards.size : Math.min(1, this.boards.size));
    find("idle").hidden = this.boards.size > 0;
  }

  /** @param {any} state */
  onState(state) {
    this.stream.isOver = state.is_over;
    if (this.hasSearch !== state.search) {
      this.hasSearch = state.search;
      for (const board of this.boards.values()) board.search.offer(this.hasSearch && !board.end);
    }
    document.title = `${state.tournament} · joust`;
    find("title").textContent = state.tournament;
    find("note").textContent = state.note;
    find("note").hidden = !state.note;
    this.showProgress(state);
    this.showCalmly(state.standings);
    find("last").replaceChildren(...state.last.map(itemOf));
    find("last-box").hidden = !state.last.length;
    find("standings-box").hidden = !state.standings.length;
    find("faulty").replaceChildren(...state.faulty.map(faultOf));
    find("faulty-box").hidden = !state.faulty.length;
    const running = new Set(state.boards);
    for (const [match, board] of this.boards) if (!running.has(match) && !board.end) this.drop(match, board);
    find("idle").textContent = state.is_over
      ? "The tournament is over."
      : state.is_live
        ? "No match is running."
        : "Boards are shown by the run itself: joust run … --watch. Matches appear here when they are over.";
    document.documentElement.dataset.ready = "yes";
  }

  /** @param {any} state */
  showProgress(state) {
    const { done, total, running } = state;
    const bar = find("bar");
    bar.hidden = !total;
    bar.max = total ?? 1;
    bar.value = done;
    const most = total && !state.is_exact ? "at most " : "";
    const left = total && !state.is_over ? Math.max(0, total - done - running) : 0;
    const parts = [
      total ? `${done} of ${most}${total} matches` : `${done} matches`,
      running ? `${running} running` : "",
      left ? `${left} waiting` : "",
      state.left_s !== null && left ? `about ${duration(state.left_s)} left` : "",
      state.is_over ? "over" : "",
    ];
    const text = parts.filter(Boolean).join(" · ");
    if (find("progress").textContent !== text) find("progress").textContent = text;
    const leader = state.standings[0]?.bot ?? "";
    const said = state.is_over ? `over; first: ${leader}` : leader ? `leading: ${leader}` : "";
    if (find("subtitle").textContent !== said) find("subtitle").textContent = said;
  }

  /** Bots that overtake each other all the time do so now and then. @param {any[]} rows */
  showCalmly(rows) {
    clearTimeout(this.sorted.timer);
    const shown = [...find("standings").tBodies[0].rows].map((row) => row.dataset.bot);
    const isMoved = rows.length !== shown.length || rows.some(({ bot }, at) => bot !== shown[at]);
    const waitMs = this.sorted.atMs + SORT_EVERY_MS - Date.now();
    if (isMoved && waitMs > 0 && !this.stream.isOver) {
      this.sorted.timer = window.setTimeout(() => this.showCalmly(rows), waitMs);
      return;
    }
    if (isMoved) this.sorted.atMs = Date.now();
    this.showStandings(rows);
  }

  /** @param {any[]} rows */
  showStandings(rows) {
    const table = find("standings");
    const before = placesOf(table);
    const hasMet = rows.some((row) => row.met);
    const hasFaults = rows.some((row) => row.faults);
    const heads = ["#", "Bot", "Score", "Matches", ...(hasMet ? ["W–D–L"] : []), "Last", ...(hasFaults ? ["Faults"] : [])];
    const head = element("tr");
    head.append(...heads.map((text) => Object.assign(element("th", columnOf(text), text), { scope: "col" })));
    table.tHead.replaceChildren(head);
    const isMany = rows.length > MOST_ROWS; // in two columns on a projector
    table.dataset.many = isMany ? "yes" : "no";
    table.style.setProperty("--rows", String(isMany ? Math.ceil(rows.length / 2) : rows.length + 1));
    table.tBodies[0].replaceChildren(...rows.map((row) => standingOf(row, hasMet, hasFaults)));
    slide(table, before);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (isTaken(event)) return;
    const act = KEYS[event.key];
    if (!act) return;
    event.preventDefault();
    this.act(act);
  }

  /** @param {string} act */
  act(act) {
    /** @type {Record<string, () => void>} */
    const acts = {
      next: () => this.move(1),
      previous: () => this.move(-1),
      all: () => (this.isProjector ? this.setProjector(false) : this.choose(null)),
      projector: () => this.setProjector(!this.isProjector),
      theme: () => this.changeTheme(),
      full: toggleFullScreen,
      help: () => this.help.showModal(),
    };
    acts[act]();
  }

  /** @param {boolean} isProjector */
  setProjector(isProjector) {
    this.isProjector = isProjector;
    document.body.dataset.projector = isProjector ? "yes" : "no";
    find("projector").setAttribute("aria-pressed", String(isProjector));
    if (!isProjector) this.chosen = null;
    this.showBoards();
  }
}

/** @param {any} match @returns {HTMLElement} */
function itemOf(match) {
  const item = element("li");
  const link = element("a", "", "watch");
  link.setAttribute("href", `watch#match=${encodeURIComponent(match.id)}`);
  link.setAttribute("aria-label", `watch match ${match.id.slice(0, 8)}`);
  const rest = `${match.variant}, ${counted(match.turns, "turn")}${match.counted ? "" : ", not counted"}`;
  item.append(element("strong", "", resultOf(match)), " ", link, element("span", "quiet", ` ${rest}: ${match.ending}`));
  return item;
}

/** @param {any} match @returns {HTMLElement} */
function faultOf(match) {
  const item = element("li");
  const told = match.seats.filter((/** @type {any[]} */ seat) => seat[6]).map((/** @type {any[]} */ seat) => `${seat[0]}: ${seat[6]}`);
  const link = element("a", "", "watch");
  link.setAttribute("href", `watch#match=${encodeURIComponent(match.id)}`);
  item.append(element("span", "fault", told.join(" · ")), ` (${match.termination.replaceAll("_", " ")}) `, link);
  return item;
}

/** Columns that a projector does without have a class. @param {string} head @returns {string} */
const columnOf = (head) => (head === "Matches" || head === "W–D–L" ? "minor" : "");

/** @param {any} row @param {boolean} hasMet @param {boolean} hasFaults @returns {HTMLElement} */
function standingOf(row, hasMet, hasFaults) {
  const made = element("tr");
  made.dataset.bot = row.bot;
  const name = Object.assign(element("th", "", row.bot), { scope: "row" });
  if (row.title) name.append(element("span", "quiet", ` ${row.title}`));
  const last = element("td", "form", hasMet ? row.last.join("") : row.last.slice(-MOST_NUMBERS_SHOWN).join(" "));
  const cells = [row.matches, ...(hasMet ? [row.met] : [])].map((text) => element("td", "minor", String(text)));
  made.append(element("td", "", String(row.place)), name, element("td", "", row.score), ...cells, last);
  if (hasFaults) made.append(element("td", row.faults ? "fault" : "", row.faults ? String(row.faults) : ""));
  return made;
}

/** @param {HTMLTableElement} table @returns {Map<string, number>} */
function placesOf(table) {
  return new Map([...table.tBodies[0].rows].map((row) => [row.dataset.bot ?? "", row.getBoundingClientRect().top]));
}

/** Rows move to their new places; not where readers want no motion. @param {HTMLTableElement} table @param {Map<string, number>} before */
function slide(table, before) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const row of table.tBodies[0].rows) {
    const old = before.get(row.dataset.bot ?? "");
    const by = old === undefined ? 0 : old - row.getBoundingClientRect().top;
    if (Math.abs(by) > 1) row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 450, easing: "ease-out" });
  }
}

async function start() {
  const answer = await fetch("signs.json");
  if (!answer.ok) throw new Error(await answer.text());
  Object.assign(window, { livePage: new LivePage(await answer.json()) });
}

start().catch((error) => tell(`the run cannot be shown: ${error}`));
