// The page of all matches: filters, a bot's own page, head to head, a knockout's bracket.
// @ts-check
import { botsOf, bracketOf, fits, resultOf, scoresOf } from "./meetings.js";
import { counted, element, fill, find, onButtons, showTheme, tell } from "./page.js";

/** @typedef {import("./meetings.js").Listed} Listed */
/** @typedef {import("./meetings.js").Stage} Stage */
/** @typedef {{place: string, bot: string, title: string, score: string, met: string, matches: string, faults: string, decided: string[]}} Standing */
/** @typedef {{tournament: string, report: boolean, left_out: number, installed: Record<string, string>, matches: Listed[], standings: Standing[], decided: string[], notes: string[], bracket: Stage[]}} Matches */

const PAGE = 50; // rows shown at once
const THUMBNAILS = 6; // of the newest matches
const MOST_BOTS = 40; // of a table of all against all
const STATIC = document.getElementById("match-data"); // in a folder of pages without a server
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
const watchAddress = (match) =>
  STATIC ? `match/${encodeURIComponent(match)}.html` : `watch#match=${encodeURIComponent(match)}`;

/** @param {number[] | undefined} score @returns {string} */
const scoreText = (score) => (score ? score.join(" – ") : "");

class ListPage {
  /** @param {Matches} listed */
  constructor(listed) {
    /** @type {Matches} */
    this.listed = listed;
    this.first = 0; // of the rows on the page
    this.take(listed);
    for (const field of FIELDS) this.field(field).addEventListener("input", () => this.onFilter());
    find("filters").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
    find("newer").addEventListener("click", () => this.turnPage(-PAGE));
    find("older").addEventListener("click", () => this.turnPage(PAGE));
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
    find("subtitle").textContent = `${counted(this.bots.length, "bot")}, ${counted(listed.matches.length, "match", "matches")}${left}`;
    this.fillSelects();
    find("meetings-table").replaceChildren();
    this.newest = listed.matches.toReversed();
    this.showStandings();
    this.showLatest();
    this.showBracket();
  }

  showStandings() {
    const { standings, decided, notes } = this.listed;
    find("standings-box").hidden = !standings.length;
    const hasMet = standings.some((row) => row.met);
    const lines = standings.map((row) => {
      const name = element("span");
      name.append(link(row.bot, addressOf({ bot: row.bot })));
      if (row.title) name.append(element("span", "quiet", ` ${row.title}`));
      const own = decided.map((_, at) => row.decided[at] ?? "");
      const texts = [...own, row.score, ...(hasMet ? [row.met] : []), row.matches, row.faults];
      return [element("span", "", row.place), name, ...texts.map((text) => element("span", "", text))];
    });
    const titles = [...decided.map((text) => text[0].toUpperCase() + text.slice(1)), decided.length ? "Score %" : "Score"];
    const heads = ["#", "Bot", ...titles, ...(hasMet ? ["W–D–L"] : []), "Matches", "Faults"];
    find("standings-table").replaceChildren(tableOf(heads, lines));
    find("standings-notes").replaceChildren(...notes.map((text) => element("li", "", text)));
  }

  /** The last boards of the newest matches. */
  showLatest() {
    const shown = this.newest.filter((match) => match.is_shown !== false).slice(0, THUMBNAILS);
    find("latest-box").hidden = !shown.length;
    const cards = shown.map((match) => {
      const card = link("", watchAddress(match.id));
      card.className = "thumb";
      const picture = /** @type {HTMLImageElement} */ (element("img"));
      picture.addEventListener("error", () => picture.remove()); // a game without drawings
      [picture.src, picture.alt, picture.loading] = [`thumb/${encodeURIComponent(match.id)}.svg`, "", "lazy"];
      card.append(picture, element("strong", "", resultOf(match)), element("span", "quiet", match.ending));
      return card;
    });
    find("latest").replaceChildren(...cards);
  }

  /** @param {number} by rows */
  turnPage(by) {
    this.first = Math.max(0, this.first + by);
    this.showMatches();
    find("matches-title").scrollIntoView();
  }

  /** More matches are over; what the reader chose stays. @param {Matches} listed */
  update(listed) {
    const first = this.first;
    this.take(listed);
    this.onAddress();
    this.first = first;
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
    this.first = 0;
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
      `${counted(own.length, "match", "matches")}; against others ${sum[0]} won, ${sum[1]} drawn, ${sum[2]} lost; ` +
      counted(faults.reduce((total, seat) => total + seat[6], 0), "fault");
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
    const found = (this.newest ?? []).filter((match) => fits(match, filter));
    const rows = found.slice(this.first, this.first + PAGE).map((match) => this.rowOf(match));
    find("matches").tBodies[0].replaceChildren(...rows);
    const last = this.first + rows.length;
    const part = found.length > rows.length ? `, ${this.first + 1} to ${last}, newest first` : ", newest first";
    find("found").textContent = `${found.length} of ${counted(this.listed.matches.length, "match", "matches")}${found.length > 1 ? part : ""}`;
    find("pager").hidden = found.length <= PAGE;
    find("newer").disabled = this.first === 0;
    find("older").disabled = last >= found.length;
  }

  /** @param {Listed} match @returns {HTMLElement} */
  rowOf(match) {
    const row = element("tr");
    const head = element("th");
    head.setAttribute("scope", "row");
    const id = match.id.slice(0, 8);
    head.append(match.is_shown === false ? element("span", "", id) : link(`watch ${id}`, watchAddress(match.id)));
    const installed = this.listed.installed[match.game];
    if (installed !== match.rules) {
      head.append(element("span", "fault", ` rules ${match.rules}, installed ${installed ?? "none"}`));
    }
    const told = element("td");
    for (const part of match.result) {
      if (typeof part === "string") {
        told.append(part);
        continue;
      }
      const [bot, , role, team] = match.seats[part];
      const own = match.seats.filter((seat) => seat[0] === bot && seat[3] === team);
      const faults = own.reduce((total, seat) => total + seat[6], 0);
      told.append(link(bot, addressOf({ bot })), role && own.length === 1 ? ` (${role})` : "");
      if (faults) told.append(element("span", "fault", ` ${counted(faults, "fault")}`));
    }
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
  if (STATIC) {
    const listed = JSON.parse(STATIC.textContent ?? "");
    new ListPage(listed);
    find("report").setAttribute("href", "report.html");
    find("home").hidden = !listed.home;
    find("home").setAttribute("href", listed.home ?? "");
    document.documentElement.dataset.ready = "yes";
    return;
  }
  const answer = await fetch("matches.json");
  if (!answer.ok) throw new Error(await answer.text());
  follow(new ListPage(await answer.json()));
  document.documentElement.dataset.ready = "yes";
}

start().catch((error) => tell(`the matches cannot be shown: ${error}`));
