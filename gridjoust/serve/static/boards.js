// The page of running matches.
// @ts-check
import "./contest.js";
import { LiveBoard } from "./liveboard.js";
import { find, tell } from "./page.js";
import { Stream } from "./stream.js";

const KEPT_MS = 6000; // that a board stays which is over
const MOST_BOARDS = 12;

class Running {
  /** @param {Record<string, string>} signs */
  constructor(signs) {
    this.signs = signs;
    /** @type {Map<string, LiveBoard>} */
    this.boards = new Map();
    new Stream("/events", { board: (told) => this.onBoard(told) }, () => location.reload());
  }

  /** @param {any} told */
  onBoard(told) {
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
