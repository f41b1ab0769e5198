// Above the board: the score of every seat, and a bar that shows how the match stands.
// @ts-check
import { element } from "./page.js";

/** @typedef {import("./deltas.js").Match} Match */
/** @typedef {{ink: string, share: number}} Part */

const NUMBER = /^(-?\d+(?:\.\d+)?) (.+)$/; // a score with its unit

export class ScoreLine {
  /** @param {Match} match @param {{line: HTMLElement, bar: HTMLElement}} places */
  constructor(match, { line, bar }) {
    this.match = match;
    this.bar = bar;
    this.scores = match.seats.map(({ bot, ink }) => {
      const one = element("span", "stand");
      const score = element("b", "");
      one.style.borderColor = `var(--${ink})`;
      one.append(element("span", "", bot), " ", score);
      line.append(one);
      return score;
    });
  }

  /** @param {any[][] | undefined} standings @param {number} turn */
  show(standings, turn) {
    this.scores.forEach((score, seat) => {
      score.textContent = standings?.find((one) => one[0] === seat)?.[3] ?? "";
    });
    const { parts, told } = this.playouts(turn) ?? this.points() ?? { parts: [], told: "" };
    this.bar.hidden = !parts.length;
    this.bar.setAttribute("aria-label", told);
    this.bar.title = told;
    this.bar.replaceChildren(
      ...parts.map(({ ink, share }) => {
        const part = element("span", "");
        [part.style.flexGrow, part.style.background] = [String(share), `var(--${ink})`];
        return part;
      }),
    );
  }

  /** What the analysis says at a turn; null without one. @param {number} turn @returns {{parts: Part[], told: string} | null} */
  playouts(turn) {
    const { analysis, seats } = this.match;
    const point = analysis?.points.findLast((one) => one.turn <= turn);
    if (!analysis || !point) return null;
    const parts = analysis.sides.map((side, at) => ({ ink: seats[side.seats[0]].ink, share: point.shares[at] }));
    const shares = analysis.sides.map((side, at) => `${side.name} ${Math.round(100 * point.shares[at])} %`);
    const what = analysis.goal ? `playouts that reach the goal (${analysis.goal})` : "wins in playouts";
    return { parts: parts.length === 1 ? [...parts, { ink: "lane", share: 1 - parts[0].share }] : parts, told: `${what}: ${shares.join(", ")}` };
  }

  /** The shares of the scores, if two or more seats have scores of one unit. @returns {{parts: Part[], told: string} | null} */
  points() {
    const found = this.scores.map((score) => NUMBER.exec(score.textContent ?? ""));
    const values = found.map((one) => Number(one?.[1] ?? -1));
    const isOneUnit = found.length > 1 && found.every((one) => one && one[2].replace(/s$/, "") === found[0]?.[2].replace(/s$/, ""));
    if (!isOneUnit || values.some((value) => value < 0) || !values.some(Boolean)) return null;
    const parts = values.map((share, seat) => ({ ink: this.match.seats[seat].ink, share }));
    return { parts, told: `scores: ${found.map((one) => one?.[0]).join(", ")}` };
  }
}
