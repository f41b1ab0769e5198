// The page of all matches: filters, a bot's own page, head to head, a knockout's bracket.
// @ts-check
import { botsOf, bracketOf, fits, scoresOf } from "./meetings.js";
import { element, fill, find, onButtons, showTheme, tell } from "./page.js";

/** @typedef {import("./meetings.js").Listed} Listed */
/** @typedef {import("./meetings.js").Stage} Stage */
/** @typedef {{tournament: string, report: boolean, left_out: number, installed: Record<string, string>, matches: Listed[], bracket: Stage[]}} Matches */

const PAGE = 200; // rows shown at once
const MOST_BOTS = 30; // of a table of all against all
const FIELDS = /** @type {const} */ (["bot", "opponent", "game", "outcome", "id"]);

/** @param {Record<string, string>} fields @returns {string} */
const addressOf = (fields) => `#${new URLSearchParams(Object.entries(fields).filter(([, value]) => value))}`;

/** @param {string} text @param {string} address @returns {HTMLElement} */
function link(text, address) {
  const made = element("a", "", text);
  made.setAttribute("href", address);
  return made;
}

/** @param {string} match @returns {string} */
const watchAddress = (match) => `watch#match=${encodeURIComponent(match)}`;

/** @param {number[] | undefined} score @returns {string} */
const scoreText = (score) => (score ? score.join(" – ") : "");

class ListPage {
  /** @param {Matches} listed */
  constructor(listed) {
    /** @type {Matches} */
    this.listed = listed;
    this.shown = PAGE;
    this.take(listed);
    for (const field of FIELDS) this.field(field).addEventListener("input", () => this.onFilter());
    find("filters").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
    find("more").addEventListener("click", () => {
      this.shown += PAGE;
      this.showMatches();
    });
    window.addEventListener("hashchange", () => this.onAddress());
    this.onAddress();
  }

  /** @param {Matches} listed */
  take(listed) {
    this.listed = listed;
    this.scores = scoresOf(listed.matches);
    this.bots = botsOf(listed.matches);
    document.title = `${listed.tournament} · joust`;
    find("title").textContent = listed.tournament;
    find("report").hidden = !listed.report;
    const left = listed.left_out ? `, the newest of ${listed.left_out + listed.matches.length}` : "";
    find("subtitle").textContent = `${this.bots.length} bots, ${listed.matches.length} matches${left}`;
    this.fillSelects();
    find("meetings-table").replaceChildren();
    this.showBracket();
  }

  /** More matches are over; what the reader chose stays. @param {Matches} listed */
  update(listed) {
    const shown = this.shown;
    this.take(listed);
    this.onAddress();
    this.shown = shown;
    this.showMatches();
  }

  /** @param {string} name @returns {any} */
  field(name) {
    return find("filters").elements.namedItem(name);
  }

  fillSelects() {
    const games = [...new Set(this.listed.matches.map((match) => match.variant))].sort();
    const choices = { bot: ["everybody", this.bots], opponent: ["anybody", this.bots], game: ["all", games] };
    for (const [name, [all, values]] of Object.entries(choices)) {
      fill(this.field(name), [["", String(all)], .../** @type {string[]} */ (values).map((value) => [value, value])]);
    }
  }

  onFilter() {
    const filter = Object.fromEntries(FIELDS.map((name) => [name, this.field(name).value]));
    history.replaceState(null, "", addressOf(filter));
    this.onAddress();
  }

  onAddress() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const name of FIELDS) {
      const [field, value] = [this.field(name), given.get(name) ?? ""];
      if (field.value !== value) field.value = value;
    }
    const [bot, opponent, game, outcome, id] = FIELDS.map((name) => this.field(name).value ?? "");
    this.filter = { bot, opponent, game, outcome, id };
    this.shown = PAGE;
    this.showBot();
    this.showMeetings();
    this.showMatches();
  }

  showBot() {
    const { bot } = this.filter ?? { bot: "" };
    find("bot").hidden = !bot;
    if (!bot) return;
    const rows = [...(this.scores.get(bot) ?? new Map())].sort(([one], [other]) => (one < other ? -1 : 1));
    const own = this.listed.matches.filter((match) => match.seats.some(([name]) => name === bot));
    const faults = own.flatMap((match) => match.seats).filter(([name]) => name === bot);
    const sum = [0, 1, 2].map((at) => rows.reduce((total, [, score]) => total + score[at], 0));
    find("bot-title").textContent = bot;
    find("bot-sum").textContent =
      `${own.length} matches; against others ${sum[0]} won, ${sum[1]} drawn, ${sum[2]} lost; ` +
      `${faults.reduce((total, seat) => total + seat[6], 0)} faults`;
    const lines = rows.map(([rival, score]) => [
      link(rival, addressOf({ bot, opponent: rival })),
      element("span", "", scoreText(score)),
      link("matches lost", addressOf({ bot, opponent: rival, outcome: "lost" })),
    ]);
    find("bot-table").replaceChildren(tableOf(["Against", "Won – drawn – lost", ""], lines));
  }

  showMeetings() {
    const isShown = !this.filter?.bot && this.bots.length > 1 && this.bots.length <= MOST_BOTS && this.scores.size > 0;
    find("meetings").hidden = !isShown;
    if (!isShown || find("meetings-table").firstChild) return;
    const lines = this.bots.map((bot) => [
      link(bot, addressOf({ bot })),
      ...this.bots.map((rival) => {
        const score = this.scores.get(bot)?.get(rival);
        return score ? link(scoreText(score), addressOf({ bot, opponent: rival })) : element("span");
      }),
    ]);
    find("meetings-table").replaceChildren(tableOf(["", ...this.bots], lines));
  }

  showBracket() {
    const stages = bracketOf(this.listed.matches, this.listed.bracket);
    find("bracket").hidden = !stages.length;
    const columns = stages.map(([name, ties]) => {
      const column = element("div", "stage");
      column.append(element("h3", "", name));
      for (const { bots, called, scores, winner, note, match } of ties) {
        const tie = element("p", "tie");
        bots.forEach((bot, at) => {
          tie.append(element("span", bot === winner ? "winner" : "", `${called[at]} ${scores[at]}`));
        });
        if (note) tie.append(element("small", "", note));
        if (match) tie.append(link("watch", watchAddress(match)));
        column.append(tie);
      }
      return column;
    });
    find("bracket-stages").replaceChildren(...columns);
  }

  showMatches() {
    const filter = this.filter;
    if (!filter) return;
    const found = this.listed.matches.filter((match) => fits(match, filter));
    const rows = found.slice(0, this.shown).map((match) => this.rowOf(match));
    find("matches").tBodies[0].replaceChildren(...rows);
    const part = found.length > rows.length ? `, the first ${rows.length} of them` : "";
    find("found").textContent = `${found.length} of ${this.listed.matches.length} matches${part}`;
    find("more").hidden = found.length <= rows.length;
  }

  /** @param {Listed} match @returns {HTMLElement} */
  rowOf(match) {
    const row = element("tr");
    const head = element("th");
    head.setAttribute("scope", "row");
    head.append(link(`watch ${match.id.slice(0, 8)}`, watchAddress(match.id)));
    const installed = this.listed.installed[match.game];
    if (installed !== match.rules) {
      head.append(element("span", "fault", ` rules ${match.rules}, installed ${installed ?? "none"}`));
    }
    const seats = [...match.seats].sort((one, other) => one[4] - other[4]);
    const told = element("td");
    seats.forEach(([bot, , role, , rank, , faults], at) => {
      if (at) told.append(" · ");
      told.append(`${rank}. `, link(bot, addressOf({ bot })), role ? ` (${role})` : "");
      if (faults) told.append(element("span", "fault", ` ${faults} faults`));
    });
    const ended = `${match.ending}${match.counted ? "" : " (not counted)"}`;
    const game = match.map ? `${match.variant}, ${match.map}` : match.variant;
    row.append(head, element("td", "", game), element("td", "", String(match.round)), told, element("td", "", ended));
    row.append(element("td", "", String(match.turns)));
    return row;
  }
}

/** @param {string[]} heads @param {HTMLElement[][]} lines @returns {HTMLElement} */
function tableOf(heads, lines) {
  const [table, head, body] = [element("table"), element("thead"), element("tbody")];
  const names = element("tr");
  names.append(...heads.map((text) => Object.assign(element("th", "", text), { scope: "col" })));
  head.append(names);
  for (const line of lines) {
    const row = element("tr");
    line.forEach((cell, at) => {
      const made = Object.assign(element(at ? "td" : "th"), at ? {} : { scope: "row" });
      made.append(cell);
      row.append(made);
    });
    body.append(row);
  }
  table.append(head, body);
  return table;
}

/** Shows what is new in the folder while somebody looks; the matches are fetched anew when there are more of them. */
function follow(/** @type {ListPage} */ page) {
  /** @type {EventSource | null} */
  let source = null;
  let isBusy = false;
  const listen = () => {
    source ??= new EventSource("events");
    source.onerror = () => source?.readyState === EventSource.CLOSED && (source = null);
    source.addEventListener("state", async (event) => {
      const state = JSON.parse(/** @type {MessageEvent} */ (event).data);
      find("live").hidden = state.is_over;
      if (isBusy || state.done <= page.listed.matches.length + page.listed.left_out) return;
      isBusy = true;
      const answer = await fetch("matches.json");
      if (answer.ok) page.update(await answer.json());
      isBusy = false;
    });
  };
  const hang = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? hang() : listen()));
  if (!document.hidden) listen();
}

async function start() {
  onButtons(showTheme());
  const answer = await fetch("matches.json");
  if (!answer.ok) throw new Error(await answer.text());
  follow(new ListPage(await answer.json()));
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => tell(`the matches cannot be shown: ${error}`));
