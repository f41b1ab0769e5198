// A whole bot in JavaScript. Needs Node and no package: messages come as lines of JSON on standard input, answers go to
// standard output.
//
// Change `choose`. Print what is no answer with console.error: it is kept in the bot's log.
import { createInterface } from "node:readline";

let start; // of this match: start.briefing, start.params, start.seats
let chance; // the only chance you should use: a rerun then repeats

/** One of the legal actions; turn.observation has all that this seat may know. */
function choose(turn) {
  return turn.legal[Math.floor(chance() * turn.legal.length)];
}

/** Numbers from 0 to below 1, the same for the same seed. */
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
    chance = seededChance(start.bot_seed); // prepare here: this time is not the turn's
    say({ type: "ready", version: "1", language: "javascript" });
  } else if (message.type === "turn") {
    const action = choose(message);
    // where somebody looks: layers over the board, kinds heat, path, nodes, frontier, arrows and text
    const shown = [{ name: "choice", kind: "text", data: `${action}, one of ${message.legal.length}` }];
    say(start.lens ? { action, shown } : { action });
  }
});
