// Who met whom, and how it came out, from the list of matches. Knows no page.
// @ts-check

/** @typedef {[bot: string, planner: string, role: string, team: number, rank: number, points: number | null, faults: number]} Seat */

/**
 * @typedef {object} Listed
 * @property {string} id
 * @property {string} game
 * @property {string} rules
 * @property {string} variant
 * @property {string} map
 * @property {number} round
 * @property {string} stage of a knockout, else empty
 * @property {string} termination
 * @property {string} ending
 * @property {number} turns
 * @property {boolean} counted
 * @property {boolean} [is_shown] false: it has no page
 * @property {Seat[]} seats
 * @property {(string | number)[]} result texts, and numbers of seats in place of their bots
 */

/** Wins, draws, losses. @typedef {[number, number, number]} Score */
/** @typedef {{bot: string, opponent: string, game: string, outcome: string, id: string}} Filter */

/** @param {Listed[]} matches @returns {string[]} */
export function botsOf(matches) {
  return [...new Set(matches.flatMap((match) => match.seats.map(([bot]) => bot)))].sort();
}

/** The result in names: `a 1 : 0 b`. @param {Listed} match @returns {string} */
export const resultOf = (match) => match.result.map((part) => (typeof part === "number" ? match.seats[part][0] : part)).join("");

/** Seats of other teams that one seat played against. @param {Listed} match @param {Seat} seat @returns {Seat[]} */
const rivalsOf = (match, seat) => match.seats.filter((other) => other[3] !== seat[3] && other[0] !== seat[0]);

/** 0 won, 1 drawn, 2 lost. @param {Seat} seat @param {Seat} rival @returns {0 | 1 | 2} */
const against = (seat, rival) => (seat[4] < rival[4] ? 0 : seat[4] === rival[4] ? 1 : 2);

/** By bot and rival, over the matches that count. @param {Listed[]} matches @returns {Map<string, Map<string, Score>>} */
export function scoresOf(matches) {
  /** @type {Map<string, Map<string, Score>>} */
  const found = new Map();
  for (const match of matches) {
    if (!match.counted) continue;
    for (const seat of match.seats) {
      const row = found.get(seat[0]) ?? new Map();
      found.set(seat[0], row);
      for (const rival of rivalsOf(match, seat)) {
        const score = row.get(rival[0]) ?? [0, 0, 0];
        row.set(rival[0], score);
        score[against(seat, rival)] += 1;
      }
    }
  }
  return found;
}

/** @param {Listed} match @param {Filter} filter @returns {boolean} */
export function fits(match, filter) {
  if (filter.game && match.variant !== filter.game) return false;
  if (filter.id && !match.id.startsWith(filter.id)) return false;
  const own = match.seats.filter(([bot]) => !filter.bot || bot === filter.bot);
  if (!own.length) return false;
  const others = (/** @type {Seat} */ seat) => match.seats.filter((other) => other !== seat);
  if (filter.opponent && !own.some((seat) => others(seat).some(([bot]) => bot === filter.opponent))) return false;
  return hasOutcome(match, own, filter);
}

/** @param {Listed} match @param {Seat[]} own @param {Filter} filter @returns {boolean} */
function hasOutcome(match, own, { outcome, opponent }) {
  if (!outcome) return true;
  if (outcome === "uncounted") return !match.counted;
  if (outcome === "faulty") return own.some((seat) => seat[6] > 0);
  const wanted = ["won", "drawn", "lost"].indexOf(outcome);
  return own.some((seat) =>
    rivalsOf(match, seat).some((rival) => (!opponent || rival[0] === opponent) && against(seat, rival) === wanted),
  );
}

/**
 * @typedef {object} Tie
 * @property {[string, string]} bots
 * @property {[string, string]} called their names with their titles
 * @property {[string, string]} scores shares of the points
 * @property {string} winner "" while it is open
 * @property {string} note
 * @property {string} match the last one of it
 */

/** @typedef {{stage: string, ties: Omit<Tie, "match">[]}} Stage a stage of a knockout that is over */

/** @param {string} stage @param {string[]} bots @returns {string} */
const tieKey = (stage, bots) => [stage, ...[...bots].sort()].join("\n");

/** Stages of a knockout, first to last, with their ties; none of other formats. What the runner has decided wins over
 * what the matches so far add up to. @param {Listed[]} matches @param {Stage[]} decided @returns {[string, Tie[]][]} */
export function bracketOf(matches, decided) {
  const ties = tiesOf(matches);
  if (!decided.length) {
    const stages = new Set([...ties.values()].map(({ stage }) => stage));
    return [...stages].map((stage) => [stage, [...ties.values()].filter((one) => one.stage === stage).map(openTie)]);
  }
  return decided.map(({ stage, ties: own }) => [
    stage,
    own.map((tie) => ({ ...tie, match: ties.get(tieKey(stage, tie.bots))?.match ?? "" })),
  ]);
}

/** @typedef {{stage: string, bots: string[], points: number[], match: string}} Played points so far */

/** @param {Played} played @returns {Tie} */
function openTie({ bots, points, match }) {
  const total = points[0] + points[1] || 1;
  const names = /** @type {[string, string]} */ (bots);
  const scores = /** @type {[string, string]} */ (points.map((one) => (one / total).toFixed(2)));
  return { bots: names, called: names, scores, winner: "", note: "", match };
}

/** @param {Listed[]} matches @returns {Map<string, Played>} */
function tiesOf(matches) {
  /** @type {Map<string, Played>} */
  const found = new Map();
  for (const match of matches) {
    const { stage } = match;
    const bots = [...new Set(match.seats.map(([bot]) => bot))];
    if (!stage || bots.length !== 2 || !match.counted) continue;
    const key = tieKey(stage, bots);
    const tie = found.get(key) ?? { stage, bots: bots.sort(), points: [0, 0], match: match.id };
    found.set(key, tie);
    for (const seat of match.seats) tie.points[tie.bots.indexOf(seat[0])] += seat[5] ?? 0;
    tie.match = match.id;
  }
  return found;
}
