// A whole bot in JavaScript. It needs only Node: it reads lines of JSON from standard input and prints answers.
//
// In bomber it searches breadth first; in other games it answers at random. Change `choose`. Print everything else with
// console.error: it is kept in the bot's log.
import { createInterface } from "node:readline";

const STEPS = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] };

let start; // of this match: start.briefing, start.params, start.seats
let chance; // draw from this only: a rerun then plays the same match
let bombsBefore = [];

/** Return a legal action; turn.observation has all that this seat may know. */
function choose(turn) {
  const view = turn.observation;
  if (!view.ammo_tokens) return turn.legal[Math.floor(chance() * turn.legal.length)]; // another game
  const [width, height] = view.size;
  const cellOf = ([x, y]) => (x < 0 || y < 0 || x >= width || y >= height ? -1 : y * width + x);
  const cells = (...lists) => new Set(lists.flat().map(cellOf));
  const around = ([x, y], far = 1) => Object.values(STEPS).map(([dx, dy]) => [x + far * dx, y + far * dy]);
  const blasts = (bombs) => // the cells that their fire may reach; walls are ignored
    cells(bombs.flatMap((bomb) => [...Array(start.params.blast_radius + 1).keys()].flatMap((far) => around(bomb, far))));

  /** Return the first step of a shortest path to a goal; "" if it is here, or if there is no path. */
  function firstStep(avoided, isGoal) {
    const first = new Map([[cellOf(view.position), ""]]);
    const waiting = [view.position];
    for (const [x, y] of waiting) {
      if (isGoal(cellOf([x, y]))) return first.get(cellOf([x, y]));
      for (const [step, [dx, dy]] of Object.entries(STEPS)) {
        const cell = cellOf([x + dx, y + dy]);
        if (cell < 0 || first.has(cell) || avoided.some((some) => some.has(cell))) continue;
        first.set(cell, first.get(cellOf([x, y])) || step);
        waiting.push([x + dx, y + dy]);
      }
    }
    return "";
  }

  const here = cellOf(view.position);
  const blocks = [...view.soft, ...view.ore];
  const taken = cells(view.metal, blocks, view.bombs, view.opponents.map((other) => other.position));
  const danger = blasts([...view.bombs, ...bombsBefore]);
  bombsBefore = view.bombs; // a bomb that is gone has left fire, which is not shown
  if (danger.has(here)) return firstStep([taken], (cell) => !danger.has(cell)) || "wait";
  const beside = cells(view.ammo > 0 ? blocks.flatMap((block) => around(block)) : []);
  const soon = blasts([view.position]);
  if (beside.has(here) && firstStep([taken], (cell) => !danger.has(cell) && !soon.has(cell))) return "bomb";
  const wanted = cells(view.treasure, view.ammo_tokens);
  return firstStep([taken, danger], (cell) => wanted.has(cell) || beside.has(cell)) || "wait";
}

/** Make a function that draws numbers from 0 to below 1, equal for equal seeds. */
function seededChance(seed) {
  let state = seed % 4294967296;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function say(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    say({ type: "ready", version: "1", language: "javascript" });
  } else if (message.type === "start") {
    start = message;
    bombsBefore = [];
    chance = seededChance(start.bot_seed); // prepare here: this time does not count for the turn
    say({ type: "ready", version: "1", language: "javascript" });
  } else if (message.type === "turn") {
    const action = choose(message);
    // for spectators: layers over the board; kinds: heat, path, nodes, frontier, arrows, text
    const shown = [{ name: "choice", kind: "text", data: `${action}, one of ${message.legal.length}` }];
    say(start.lens ? { action, shown } : { action });
  }
});
