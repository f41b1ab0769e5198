// The page of running matches: one stream of events, read while somebody looks.
// @ts-check
import "./contest.js";
import { LiveBoard } from "./liveboard.js";
import { find, tell } from "./page.js";

const KEPT_MS = 6000; // that a board stays which is over
const RETRY_MS = 2000; // if the browser has given up
const MOST_BOARDS = 12;

class Running {
  /** @param {Record<string, string>} signs */
  constructor(signs) {
    this.signs = signs;
    /** @type {Map<string, LiveBoard>} */
    this.boards = new Map();
    this.lastId = "";
    /** @type {EventSource | null} */
    this.source = null;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.hang() : this.listen()));
    if (!document.hidden) this.listen();
  }

  listen() {
    if (this.source) return;
    this.source = new EventSource(`/events?after=${encodeURIComponent(this.lastId)}`);
    this.source.addEventListener("board", (event) => this.onBoard(event));
    this.source.addEventListener("open", () => tell(""));
    this.source.addEventListener("error", () => {
      tell("the connection is lost; the page tries again");
      if (this.source?.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), RETRY_MS);
    });
  }

  /** A page out of sight needs no stream: browsers allow few of them to one server. */
  hang() {
    this.source?.close();
    this.source = null;
  }

  /** @param {MessageEvent} event */
  onBoard(event) {
    this.lastId = event.lastEventId;
    const told = JSON.parse(event.data);
    if (told.begin) {
      this.drop(told.match);
      const board = new LiveBoard(told.match, told.begin, this.signs, () => board.card.requestFullscreen());
      this.boards.set(told.match, board);
      find("boards").append(board.card);
      const over = [...this.boards.values()].find((one) => one.end);
      if (over && this.boards.size > MOST_BOARDS) this.drop(over.match);
    } else {
      const board = this.boards.get(told.match);
      board?.take(told);
      if (board?.end) setTimeout(() => this.boards.get(told.match) === board && this.boards.size > 1 && this.drop(told.match), KEPT_MS);
    }
    find("boards").dataset.count = String(this.boards.size);
    find("idle").hidden = this.boards.size > 0;
  }

  /** @param {string} match */
  drop(match) {
    this.boards.get(match)?.card.remove();
    this.boards.delete(match);
  }

}

async function start() {
  if (!find("boards")) return;
  const answer = await fetch("/signs.json");
  new Running(await answer.json());
}

start().catch((error) => tell(`the boards cannot be shown: ${error}`));
