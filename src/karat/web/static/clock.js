// How long a task has been in front of somebody: pauses and hidden pages do not count.

const LONGEST = 6 * 24 * 3600;

export class Clock {
  constructor() {
    this.counted = 0;
    this.since = performance.now();
    this.paused = false;
    this.visible = document.visibilityState === "visible";
    document.addEventListener("visibilitychange", () => this.tick());
  }

  /** Adds what has passed, if it counts. */
  tick() {
    const now = performance.now();
    if (!this.paused && this.visible) this.counted += now - this.since;
    this.since = now;
    this.visible = document.visibilityState === "visible";
  }

  /** @param {number} [seconds] what a draft has counted already */
  start(seconds = 0) {
    this.tick();
    this.counted = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : 0;
  }

  /** @param {boolean} paused */
  pause(paused) {
    this.tick();
    this.paused = paused;
  }

  /** At most what a server takes: a page may stay open for weeks.
   *  @returns {number} */
  get seconds() {
    this.tick();
    return Math.min(LONGEST, Math.round(this.counted) / 1000);
  }
}
