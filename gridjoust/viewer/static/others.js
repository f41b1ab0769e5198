// The box that leads to this match and another one side by side: a link where a server shows them, else a command.
// @ts-check
import { fill, find } from "./page.js";

/** @typedef {import("./deltas.js").Match} Match */
/** @typedef {import("./meetings.js").Listed} Listed */

const MOST_OTHERS = 200;

/** Matches that can stand beside this one, those of the same pairing first.
 * @param {Match} match @param {Listed[]} listed @returns {{id: string, text: string}[]} */
export function othersOf(match, listed) {
  const bots = (/** @type {string[]} */ names) => JSON.stringify([...names].sort());
  const own = bots(match.seats.map((seat) => seat.bot));
  return listed
    .filter((one) => one.id !== match.match && one.game === match.game && one.seats.length === match.seats.length)
    .map((one) => {
      const names = one.seats.map(([bot]) => bot);
      const isPair = one.variant === match.variant && one.round === match.round && bots(names) === own;
      const text = `${names.join(" – ")}, ${one.variant}, round ${one.round}, ${one.id.slice(0, 8)}`;
      return { id: one.id, rank: isPair ? 0 : bots(names) === own ? 1 : 2, text: isPair ? `its pair: ${text}` : text };
    })
    .sort((one, other) => one.rank - other.rank)
    .slice(0, MOST_OTHERS);
}

/** @param {Match} match @param {boolean} isServed @param {(command: string, button: HTMLElement) => void} copy */
export function setUpCompare(match, isServed, copy) {
  const command = `joust compare ${match.named || match.match} OTHER --html both.html`;
  find("compare-copy").addEventListener("click", () => copy(command, find("compare-copy")));
  find("compare-links").hidden = !isServed;
  find("compare-box").addEventListener("toggle", async () => {
    if (!isServed || find("compare-with").options.length) return;
    const answer = await fetch("matches.json");
    const others = answer.ok ? othersOf(match, (await answer.json()).matches) : [];
    const lead = () => {
      find("compare-link").href = `compare?one=${encodeURIComponent(match.match)}&other=${find("compare-with").value}`;
    };
    fill(find("compare-with"), others.map(({ id, text }) => [id, text]));
    find("compare-with").addEventListener("change", lead);
    find("compare-links").hidden = !others.length;
    if (others.length) lead();
  });
}
