// Which turn is shown, and how it moves on by itself. Draws nothing.
// @ts-check

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16, 32];

export class Player {
  /** @param {number} last @param {{fps: number, loop: boolean, onShow: () => void}} options */
  constructor(last, { fps, loop, onShow }) {
    this.last = last;
    this.fps = fps;
    this.loop = loop;
    this.onShow = onShow;
    this.turn = 0;
    /** Whose answer is looked at within the turn. @type {number | null} */
    this.seat = null;
    this.speed = 1;
    this.isPlaying = false;
    this.due = 0; // turns that time has earned and that are not shown yet
    this.before = 0;
  }

  /** @param {number} turn @param {number | null} [seat] */
  goTo(turn, seat = null) {
    this.turn = Math.min(Math.max(0, Math.round(turn)), this.last);
    this.seat = seat;
    this.onShow();
  }

  /** One turn on or back; it stops playing. @param {number} turns */
  step(turns) {
    this.isPlaying = false;
    this.goTo(this.turn + turns);
  }

  toggle() {
    if (this.isPlaying) this.isPlaying = false;
    else this.play();
    this.onShow();
  }

  play() {
    if (this.turn >= this.last) this.turn = 0;
    this.isPlaying = this.last > 0;
    [this.due, this.before] = [0, performance.now()];
    requestAnimationFrame((now) => this.advance(now));
  }

  /** @param {number} now */
  advance(now) {
    if (!this.isPlaying) return;
    this.due += (Math.max(0, now - this.before) / 1000) * this.fps * this.speed;
    this.before = now;
    const turns = Math.floor(this.due);
    this.due -= turns;
    if (turns) {
      const wanted = this.turn + turns;
      if (wanted >= this.last && !this.loop) this.isPlaying = false;
      this.goTo(this.loop && wanted > this.last ? 0 : wanted);
    }
    if (this.isPlaying) requestAnimationFrame((next) => this.advance(next));
  }

  /** @param {number} places up or down the list of speeds */
  changeSpeed(places) {
    const at = Math.min(Math.max(0, SPEEDS.indexOf(this.speed) + places), SPEEDS.length - 1);
    this.speed = SPEEDS[at];
    this.onShow();
  }

  /** The next answer within a turn, then the next turn. @param {number} by @param {(turn: number) => number[]} seatsOf */
  stepSeat(by, seatsOf) {
    this.isPlaying = false;
    let [turn, at] = [this.turn, this.seat === null ? (by > 0 ? -1 : 0) : seatsOf(this.turn).indexOf(this.seat)];
    at += by;
    while (at < 0 || at >= seatsOf(turn).length) {
      turn += by;
      if (turn < 0 || turn > this.last) return;
      at = by > 0 ? 0 : seatsOf(turn).length - 1;
    }
    this.goTo(turn, seatsOf(turn)[at]);
  }
}
