// A whole bot in JavaScript. It needs Node 18 or newer and mqtt.js (run `npm install` beside package.json), and speaks
// protocol 1.
//
// Change `Match`, which plays; leave the rest as it is. One process plays many matches, one after another.

import { connect as connectTcp } from "node:net";
import { performance } from "node:perf_hooks";
import { connect as connectTls } from "node:tls";
import mqtt from "mqtt";

const PROTOCOL = 1;
const PLAYS = []; // games by name; empty = every game
const PLANNER = "other"; // or the algorithm of its search: astar, dstar_lite, beam, dijkstra_map
const VERSION = "1";

/** One match, from its start to its end. The bot may hold several seats: every question names one. */
class Match {
  /** Prepare for the match within `start.limits.start_ms`; `start.briefing` describes the board. */
  constructor(start) {
    this.id = start.match;
    this.chance = seededChance(start.bot_seed); // draw from this only: a rerun then plays the same match
    this.isLookedAt = start.lens === true; // true if spectators watch the search
    this.shown = [];
  }

  /** Show your search over the board: kind is heat (x, y, value, ...), path, nodes or frontier (x, y, ...),
   * arrows (x, y, to x, to y, ...) or text. Where nobody looks, as in most matches, this does nothing. */
  show(name, kind, data) {
    if (this.isLookedAt) this.shown.push({ name, kind, data });
  }

  /** Return a legal action; if `turn.legal_complete` is false, actions that are not listed may be legal too. */
  answer(turn) {
    const action = turn.legal[Math.floor(this.chance() * turn.legal.length)];
    this.show("choice", "text", `${action}, one of ${turn.legal.length}`);
    return action;
  }

  /** Take note of a change while a question to this bot is open (real-time games). */
  hear(event) {}

  /** Take note of the result when the match is over; `end.ranks` has a rank for every seat. */
  finish(end) {}
}

/** Make a function that draws numbers from 0 to below 1: a Weyl sequence whose bits are mixed; equal per seed. */
function seededChance(seed) {
  let state = (seed % 2 ** 32 ^ Math.floor(seed / 2 ** 32)) >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let bits = state;
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad);
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
  };
}

/** One connection to the broker: it announces the bot, passes questions to the match and sends the answers. */
class Connection {
  constructor(environment) {
    this.prefix = environment.JOUST_TOPIC;
    this.match = null;
    this.isLeaving = false;
    this.client = new mqtt.MqttClient(() => openStream(environment), {
      clientId: this.prefix.replaceAll("/", "-"),
      username: environment.JOUST_USER,
      password: environment.JOUST_PASSWORD,
      protocolVersion: 4, // MQTT 3.1.1
      reconnectPeriod: 0, // a bot that lost its connection ends: Joust starts a new process
      will: { topic: `${this.prefix}/status`, payload: JSON.stringify({ online: false }), qos: 0, retain: false },
    });
    this.client.on("connect", () => this.report());
    this.client.on("message", (topic, payload) => this.receive(payload));
    this.client.on("error", (error) => this.onLost(error.message));
    this.client.on("close", () => this.onLost("the connection was lost"));
  }

  /** Subscribe first, then announce the bot: now it can miss nothing. */
  report() {
    this.client.subscribe(`${this.prefix}/in`, (error) => {
      if (error) this.onLost(error.message);
      else this.client.publish(`${this.prefix}/status`, JSON.stringify({ online: true }));
    });
  }

  receive(payload) {
    try {
      this.serve(JSON.parse(payload));
    } catch (error) { // report it to the referee, so that the result says why
      console.error(error);
      const at = /([^/\\]+):(\d+):\d+\)?$/m.exec(error.stack ?? "");
      const where = at === null ? "" : ` (${at[1]} line ${at[2]})`;
      this.send({ type: "error", match: this.match?.id ?? null, message: `${error}${where}`.slice(0, 500) });
      this.leave(1);
    }
  }

  serve(message) {
    if (this.isLeaving) return;
    if (message.type === "hello") {
      this.sendReady(null);
    } else if (message.type === "start") {
      this.match = new Match(message);
      this.sendReady(this.match.id);
    } else if (message.type === "stop") {
      this.leave(0);
    } else if (this.match !== null && message.match === this.match.id) {
      this.play(this.match, message);
    }
  }

  play(match, message) {
    if (message.type === "turn") {
      const beganMs = performance.now();
      const action = match.answer(message);
      const planningMs = Math.round((performance.now() - beganMs) * 1000) / 1000;
      const { ask, seat } = message;
      const shown = match.isLookedAt ? { shown: match.shown.splice(0) } : {};
      this.send({ type: "action", match: match.id, ask, seat, action, planning_ms: planningMs, ...shown });
    } else if (message.type === "event") {
      match.hear(message);
    } else if (message.type === "end") {
      this.match = null;
      match.finish(message);
    }
  }

  sendReady(match) {
    const about = { planner: PLANNER, plays: PLAYS, version: VERSION, language: "javascript" };
    this.send({ type: "ready", protocol: PROTOCOL, match, ...about });
  }

  send(message) {
    this.client.publish(`${this.prefix}/out`, JSON.stringify(message));
  }

  /** Leave after everything has been sent; the last will is not published. */
  leave(exitCode) {
    this.isLeaving = true;
    this.client.end(false, {}, () => process.exit(exitCode));
  }

  onLost(reason) {
    if (this.isLeaving) return;
    console.error(reason);
    process.exit(1);
  }
}

/** The way to the broker: its unix socket where there is one (in a sandbox the only way), else TCP, without delay. */
function openStream(environment) {
  const path = environment.JOUST_SOCKET;
  if (path) return connectTcp({ path });
  const url = new URL(environment.JOUST_URL);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (url.protocol === "mqtts:") return connectTls({ host, port: Number(url.port) || 8883, servername: host });
  return connectTcp({ host, port: Number(url.port) || 1883, noDelay: true });
}

function main(environment) {
  if (!environment.JOUST_URL || !environment.JOUST_TOPIC) {
    console.error("expected JOUST_URL and JOUST_TOPIC in the environment; a tournament sets them: joust run FILE");
    process.exit(2);
  }
  const spoken = environment.JOUST_PROTOCOL ?? String(PROTOCOL);
  if (spoken !== String(PROTOCOL)) {
    console.error(`expected protocol ${PROTOCOL}, got ${spoken}`);
    process.exit(2);
  }
  new Connection(environment);
}

main(process.env);
