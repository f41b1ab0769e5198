// A page's one stream of events, read while somebody looks: browsers allow few streams to one server.
// @ts-check
import { tell } from "./page.js";

const RETRY_MS = 2000; // if the browser has given up

export class Stream {
  /** @param {string} address @param {Record<string, (news: any) => void>} takers by kind of event
   * @param {(stream: Stream) => void} again called a while after the browser has given up */
  constructor(address, takers, again) {
    this.address = address;
    this.takers = takers;
    this.again = again;
    this.lastId = "";
    this.isOver = false; // nothing more will come
    /** @type {EventSource | null} */
    this.source = null;
    document.addEventListener("visibilitychange", () => (document.hidden ? this.hang() : this.listen()));
    if (!document.hidden) this.listen();
  }

  listen() {
    if (this.source || this.isOver) return;
    this.source = new EventSource(`${this.address}?after=${encodeURIComponent(this.lastId)}`);
    for (const [kind, take] of Object.entries(this.takers)) {
      this.source.addEventListener(kind, (event) => {
        this.lastId = event.lastEventId || this.lastId;
        take(JSON.parse(event.data));
      });
    }
    this.source.addEventListener("open", () => tell(""));
    this.source.addEventListener("error", () => this.onError());
  }

  onError() {
    const isGivenUp = this.source?.readyState === EventSource.CLOSED;
    if (this.isOver || isGivenUp) this.hang();
    if (this.isOver) return;
    tell("the connection is lost; the page tries again");
    if (isGivenUp) setTimeout(() => this.again(this), RETRY_MS);
  }

  hang() {
    this.source?.close();
    this.source = null;
  }
}
