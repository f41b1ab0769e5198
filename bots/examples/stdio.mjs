// A whole bot in JavaScript. It needs only Node: it reads lines of JSON from standard input and prints answers.
//
// Change `choose`. Print everything else with console.error: it is kept in the bot's log.
import { createInterface } from "node:readline";

let start; // of this match: start.briefing, start.params, start.seats
let chance; // draw from this only: a rerun then plays the same match

/** Return a legal action; turn.observation has all that this seat may know. */
function choose(turn) {
  return turn.legal[Math.floor(chance() * turn.legal.length)];
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
    chance = seededChance(start.bot_seed); // prepare here: this time does not count for the turn
    say({ type: "ready", version: "1", language: "javascript" });
  } else if (message.type === "turn") {
    const action = choose(message);
    // for spectators: layers over the board; kinds: heat, path, nodes, frontier, arrows, text
    const shown = [{ name: "choice", kind: "text", data: `${action}, one of ${message.legal.length}` }];
    say(start.lens ? { action, shown } : { action });
  }
});
