// The page of one match: takes the match from the page itself or from the server, and puts the parts together.
// @ts-check
import { Board } from "./board.js";
import { setUpCompare } from "./others.js";
import { decodeFrames, seatsWithSecrets, trackOf, valueAt } from "./deltas.js";
import { HELP, actOf } from "./keys.js";
import { addHelp, element, find, giveUp, onButtons, showTheme, toggleFullScreen } from "./page.js";
import { Panel } from "./panel.js";
import { Player, SPEEDS } from "./player.js";
import { ScoreLine } from "./score.js";
import { readPlace, readSettings, writePlace } from "./settings.js";
import { Thoughts } from "./thoughts.js";
import { showWords } from "./words.js";
import { drawLanes, heightOf, labelsOf, lanesOf } from "./timeline.js";

/** @typedef {import("./deltas.js").Match} Match */
/** @typedef {import("./deltas.js").Track} Track */

const ADDRESS_MS = 300; // between two changes of the address: browsers bound them

class MatchPage {
  /** @param {Match} match @param {import("./settings.js").Settings} settings @param {import("./settings.js").Place} place */
  constructor(match, settings, place) {
    this.match = match;
    this.settings = settings;
    this.player = new Player(match.turns, { ...settings, onShow: () => this.show() });
    this.board = new Board(find("board"), match.shapes, match.signs);
    this.panel = new Panel(
      match,
      { seats: find("seats"), legend: find("legend"), events: find("events"), logs: find("logs"), facts: find("facts") },
      { goTo: (turn) => this.player.goTo(turn), copy: copyCommand },
    );
    this.scoreLine = new ScoreLine(match, { line: find("score-line"), bar: find("balance") });
    /** @type {Map<number, number[][][]>} */
    this.decoded = new Map();
    /** @type {number | null} */
    this.seat = null;
    this.isCompared = false;
    this.addressTimer = 0;
    /** @type {import("./timeline.js").Lane[]} */
    this.lanes = [];
    this.stripLeft = 0;
    find("title").textContent = `${match.variant}: ${match.seats.map((seat) => seat.bot).join(" – ")}`;
    document.title = `${find("title").textContent} · joust`;
    find("subtitle").textContent =
      `${match.tournament}, round ${match.round} · ${match.end.text}` +
      (match.end.counted ? "" : " · not counted");
    find("logs-box").hidden = !Object.keys(match.logs).length;
    setUpCompare(match, !document.getElementById("match-data"), copyCommand);
    this.setUpViews();
    this.setUpControls();
    this.thoughts = new Thoughts(match.search, this.board, () => this.show());
    this.changeTheme = showTheme(() => this.drawTimeline());
    this.player.turn = Math.min(place.turn, match.turns);
    this.look(place.seat !== null && place.seat < match.seats.length ? place.seat : null);
  }

  setUpViews() {
    const seats = seatsWithSecrets(this.match);
    find("nothing-hidden").hidden = seats.length > 0;
    const everybody = [null, ...(seats.length ? this.match.seats.map((_, seat) => seat) : [])];
    const labels = everybody.map((seat, at) => {
      const label = element("label", "view");
      const radio = /** @type {HTMLInputElement} */ (element("input", ""));
      [radio.type, radio.name, radio.value] = ["radio", "view", String(seat ?? "")];
      radio.addEventListener("change", () => this.look(seat));
      const name = seat === null ? "everything" : `what ${this.match.seats[seat].bot} (seat ${seat}) knew`;
      label.append(radio, element("kbd", "", at < 9 ? String(at + 1) : ""), element("span", "", name));
      return label;
    });
    find("views").replaceChildren(...labels);
    find("views").hidden = !seats.length;
    find("belief").addEventListener("change", () => this.compare(find("belief").checked));
  }

  setUpControls() {
    const slider = find("turn");
    slider.max = String(this.match.turns);
    slider.addEventListener("input", () => {
      this.player.isPlaying = false;
      this.player.goTo(Number(slider.value));
    });
    find("speed").replaceChildren(
      ...SPEEDS.map((speed) => Object.assign(element("option", "", `${speed} ×`), { value: String(speed) })),
    );
    find("speed").addEventListener("change", () => {
      this.player.speed = Number(find("speed").value);
    });
    onButtons((act) => this.act(act));
    find("strips").addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => this.scrub(event));
    find("strips").addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
      if (event.buttons) this.scrub(event);
    });
    find("words-box").addEventListener("toggle", () => this.showWords());
    this.help = addHelp(HELP);
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("hashchange", () => this.onAddress());
    new ResizeObserver(() => this.drawTimeline()).observe(find("strips").parentElement);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", () => this.drawTimeline());
    document.body.dataset.controls = this.settings.controls ? "yes" : "no";
  }

  /** @param {PointerEvent} event */
  scrub(event) {
    const place = find("strips").getBoundingClientRect();
    this.player.isPlaying = false;
    this.player.goTo(((event.clientX - place.left - this.stripLeft) / this.stripWidth) * this.match.turns);
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const act = actOf(event);
    if (act === null) return;
    event.preventDefault();
    if (typeof act !== "number") this.act(act);
    else if (!find("views").hidden && act <= this.match.seats.length) this.look(act ? act - 1 : null);
  }

  /** @param {import("./keys.js").Act} act */
  act(act) {
    const player = this.player;
    const seatsOf = (/** @type {number} */ turn) => Object.keys(this.match.played[turn] ?? {}).map(Number);
    const acts = {
      play: () => player.toggle(),
      back: () => player.step(-1),
      on: () => player.step(1),
      seatBack: () => player.stepSeat(-1, seatsOf),
      seatOn: () => player.stepSeat(1, seatsOf),
      first: () => player.step(-player.last),
      last: () => player.step(player.last),
      previousEvent: () => this.goToEvent(-1),
      nextEvent: () => this.goToEvent(1),
      slower: () => player.changeSpeed(-1),
      faster: () => player.changeSpeed(1),
      belief: () => this.compare(!this.isCompared),
      coords: () => this.setCoords(),
      theme: () => this.changeTheme(),
      loop: () => this.setLoop(),
      search: () => {
        this.thoughts.next();
        this.show();
      },
      help: () => this.help?.showModal(),
      full: toggleFullScreen,
      share: () => this.share(),
    };
    acts[act]();
  }

  /** Copies the address of this turn; the button says if that was possible, until another turn is shown. */
  async share() {
    this.player.isPlaying = false;
    this.show();
    history.replaceState(null, "", this.place());
    try {
      await navigator.clipboard.writeText(location.href);
      find("share").textContent = "Link copied";
    } catch {
      find("share").textContent = "Copy it from the address bar"; // the browser gives no access to its clipboard
    }
  }

  /** @param {number} by */
  goToEvent(by) {
    const turns = this.match.events.map(([turn]) => turn).filter((turn) => (turn - this.player.turn) * by > 0);
    this.player.isPlaying = false;
    this.player.goTo(by > 0 ? (turns[0] ?? this.player.last) : (turns.at(-1) ?? 0));
  }

  setCoords() {
    this.settings.coords = !this.settings.coords;
    this.look(this.seat);
  }

  setLoop() {
    this.player.loop = !this.player.loop;
    this.show();
  }

  /** Shows the match as a seat saw it; null: everything. @param {number | null} seat */
  look(seat) {
    this.seat = seat;
    const number = trackOf(this.match, seat);
    const track = /** @type {Track} */ (this.match.tracks[number]);
    this.frames = this.framesOf(number);
    this.track = track;
    this.board.open(track, this.settings.coords);
    this.panel.open(track);
    for (const radio of document.querySelectorAll('input[name="view"]')) {
      const one = /** @type {HTMLInputElement} */ (radio);
      one.checked = one.value === String(seat ?? "");
    }
    find("belief").disabled = number === 0;
    find("belief-box").hidden = find("views").hidden;
    this.compare(this.isCompared);
  }

  /** @param {boolean} isWanted */
  compare(isWanted) {
    this.isCompared = isWanted;
    find("belief").checked = isWanted;
    find("belief-legend").hidden = !isWanted || find("belief").disabled;
    this.show();
  }

  /** @param {number} track @returns {number[][][]} */
  framesOf(track) {
    let frames = this.decoded.get(track);
    if (!frames) this.decoded.set(track, (frames = decodeFrames(/** @type {Track} */ (this.match.tracks[track]))));
    return frames;
  }

  show() {
    if (!this.track || !this.frames) return;
    const { turn, seat, isPlaying } = this.player;
    const truth = this.isCompared && !find("belief").disabled ? this.framesOf(0)[turn] : null;
    this.board.show(this.frames[turn], truth);
    this.panel.show(valueAt(this.track.panels, turn), turn, seat);
    this.scoreLine.show(valueAt(this.track.panels, turn), turn);
    this.thoughts.show(turn);
    this.showWords();
    const slider = find("turn");
    slider.value = String(turn);
    const clock = this.match.stamps.length ? `, ${(this.match.stamps[turn] / 1000).toFixed(1)} s` : "";
    const where = `turn ${turn} of ${this.match.turns}${clock}`;
    slider.setAttribute("aria-valuetext", where);
    find("where").textContent = where;
    find("board-title").textContent = valueAt(this.track.titles, turn) ?? "";
    const caption = find("caption");
    caption.setAttribute("aria-live", isPlaying ? "off" : "polite");
    caption.textContent = this.captionOf(turn, seat);
    find("cursor").style.transform = `translateX(${this.stripLeft + (turn / Math.max(1, this.match.turns)) * this.stripWidth}px)`;
    find("play").textContent = isPlaying ? "Pause" : "Play";
    find("speed").value = String(this.player.speed);
    find("loop").setAttribute("aria-pressed", String(this.player.loop));
    find("share").textContent = "Copy the link";
    this.keepAddress();
  }

  showWords() {
    if (!find("words-box").open || !this.track || !this.frames) return;
    const { turn } = this.player;
    const standings = valueAt(this.track.panels, turn) ?? [];
    const seats = standings.map(([seat, shape]) => [shape, `${this.match.seats[seat]?.bot ?? ""} (seat ${seat})`]);
    const names = /** @type {[number, string][]} */ ([...seats, ...this.track.legend]);
    showWords(find("words"), this.match.shapes, this.frames[turn], names);
  }

  /** @param {number} turn @param {number | null} seat @returns {string} */
  captionOf(turn, seat) {
    if (turn === 0) return "start position";
    const played = Object.entries(this.match.played[turn] ?? {});
    const shown = played.filter(([one]) => seat === null || Number(one) === seat);
    const told = shown.map(([one, text]) => `${this.match.seats[Number(one)].bot} (seat ${one}): ${this.match.texts[text]}`);
    const end = turn === this.match.turns ? ` · ${this.match.end.text}` : "";
    return `${told.join(" · ") || "the clock"}${end}`;
  }

  drawTimeline() {
    const canvas = find("strips");
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ ink) => style.getPropertyValue(`--${ink}`).trim();
    this.lanes = lanesOf(this.match, colour);
    const height = `${heightOf(this.lanes, canvas.clientWidth)}px`;
    canvas.style.height = height;
    find("left").style.setProperty("--strips", height);
    canvas.setAttribute("aria-label", `from the start to turn ${this.match.turns}: ${this.lanes.map((one) => one.label).join("; ")}`);
    drawLanes(canvas, this.lanes, colour("text"), colour("lane"));
    this.stripLeft = labelsOf(canvas.clientWidth);
    this.stripWidth = canvas.clientWidth - this.stripLeft;
    find("left").style.setProperty("--labels", `${this.stripLeft}px`);
    this.show();
  }

  keepAddress() {
    if (this.addressTimer || this.player.isPlaying) return;
    this.addressTimer = window.setTimeout(() => {
      this.addressTimer = 0;
      const hash = this.place();
      if (hash !== location.hash) history.replaceState(null, "", hash);
    }, ADDRESS_MS);
  }

  place() {
    return writePlace({ match: this.match.match, turn: this.player.turn, seat: this.seat });
  }

  onAddress() {
    const place = readPlace(location.hash);
    if (place.match && place.match !== this.match.match) {
      location.reload();
      return;
    }
    this.player.isPlaying = false;
    this.player.turn = Math.min(place.turn, this.match.turns);
    this.look(place.seat !== null && place.seat < this.match.seats.length ? place.seat : null);
  }
}

/** @param {string} command @param {HTMLElement} button */
async function copyCommand(command, button) {
  find("command").textContent = command;
  find("command").hidden = false;
  try {
    await navigator.clipboard.writeText(command);
    find("command-told").textContent = "copied:";
  } catch {
    find("command-told").textContent = "to be copied by hand:"; // the browser gives no access to its clipboard
    getSelection()?.selectAllChildren(find("command"));
  }
  button.focus();
}

/** @returns {Promise<Match | null>} */
async function loadMatch() {
  const inside = document.getElementById("match-data");
  if (inside) return JSON.parse(inside.textContent ?? "");
  const { match } = readPlace(location.hash);
  const answer = await fetch(`match/${encodeURIComponent(match)}.json`);
  if (answer.ok) return answer.json();
  giveUp(await answer.text());
  return null;
}

export async function start() {
  const match = await loadMatch();
  if (!match) return;
  const settings = readSettings(location.search);
  const page = new MatchPage(match, settings, readPlace(location.hash));
  const isQuiet = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (settings.autoplay && !isQuiet) page.player.toggle();
  performance.mark("viewer-ready");
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => giveUp(`this match cannot be shown: ${error}`));
