// The box that leads to this match and another one side by side: a link where a server shows them, else a command.
// @ts-check
import { element } from "./panel.js";

/** @typedef {import("./deltas.js").Match} Match */
/** @typedef {import("./meetings.js").Listed} Listed */

const MOST_OTHERS = 200;

/** @param {string} id @returns {any} */
const spot = (id) => document.getElementById(id);

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
  spot("compare-copy").addEventListener("click", () => copy(command, spot("compare-copy")));
  spot("compare-links").hidden = !isServed;
  spot("compare-box").addEventListener("toggle", async () => {
    if (!isServed || spot("compare-with").options.length) return;
    const answer = await fetch("matches.json");
    const others = answer.ok ? othersOf(match, (await answer.json()).matches) : [];
    const lead = () => {
      spot("compare-link").href = `compare?one=${encodeURIComponent(match.match)}&other=${spot("compare-with").value}`;
    };
    const options = others.map(({ id, text }) => Object.assign(element("option", "", text), { value: id }));
    spot("compare-with").replaceChildren(...options);
    spot("compare-with").addEventListener("change", lead);
    spot("compare-links").hidden = !others.length;
    if (others.length) lead();
  });
}
