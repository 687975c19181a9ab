// How a text came about: for how long somebody was at it, where they paused, how many keys they pressed, what they changed.

/** @typedef {import("../server.js").Edit} Edit */
/** @typedef {import("../server.js").Log} Log */

const PAUSE = 1000;
const MOST_PAUSES = 10_000;
const MOST_EDITS = 20_000;
const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "NumLock", "Fn"]);

export class TypingLog {
  /** @param {string} start what was there at first
   *  @param {string} text what is there
   *  @param {Log | null} log how it came there */
  constructor(start, text, log) {
    this.start = start;
    this.text = text;
    this.edits = log?.edits ?? [];
    this.pauses = log?.pauses ?? [];
    this.keystrokes = log?.keystrokes ?? 0;
    /** Milliseconds at work, but for those since `since`. */
    this.worked = (log?.seconds ?? 0) * 1000;
    /** Since when somebody has been at it without a break, if so.
     *  @type {number | null} */
    this.since = null;
    /** How much was worked when a key was last pressed or the text last changed. */
    this.last = this.worked;
  }

  /** @param {HTMLElement} area */
  listen(area) {
    area.addEventListener("focus", () => this.go());
    area.addEventListener("blur", () => this.stop());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.stop();
      else if (document.activeElement === area) this.go();
    });
    area.addEventListener("keydown", (event) => {
      if (event.repeat || MODIFIERS.has(event.key)) return;
      this.keystrokes += 1;
      this.acted();
    });
  }

  go() {
    this.since ??= performance.now();
  }

  stop() {
    this.worked = this.now;
    this.since = null;
  }

  /** Milliseconds at work. */
  get now() {
    return this.since === null ? this.worked : this.worked + performance.now() - this.since;
  }

  /** Somebody did something: what lies between this and the last deed may be a pause. */
  acted() {
    const { now } = this;
    if (now - this.last >= PAUSE && this.pauses.length < MOST_PAUSES) this.pauses.push(seconds(now - this.last));
    this.last = now;
  }

  /** @param {string} text */
  wrote(text) {
    this.acted();
    const edit = difference(this.text, text);
    if (edit !== null) this.edits.push({ at: seconds(this.now), ...edit });
    this.text = text;
    if (this.edits.length > MOST_EDITS) this.edits = this.allInOne();
  }

  /** One edit in place of all.
   *  @returns {Edit[]} */
  allInOne() {
    const edit = difference(this.start, this.text);
    return edit === null ? [] : [{ at: seconds(this.now), ...edit }];
  }

  /** Something was taken back: the text and its edits are those of before, the time has passed all the same.
   *  @param {string} text
   *  @param {Log | null} log */
  takeBack(text, log) {
    this.text = text;
    this.edits = log?.edits ?? [];
  }

  /** @returns {Log} */
  get record() {
    return { seconds: seconds(this.now), pauses: [...this.pauses], keystrokes: this.keystrokes, edits: [...this.edits] };
  }
}

/** @param {number} milliseconds */
const seconds = (milliseconds) => Math.round(milliseconds) / 1000;

/** What leads from one text to another, in code points; null where they are the same.
 *  @param {string} before
 *  @param {string} after
 *  @returns {Omit<Edit, "at"> | null} */
export function difference(before, after) {
  if (before === after) return null;
  const [old, now] = [[...before], [...after]];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let same = 0;
  const most = Math.min(old.length, now.length) - start;
  while (same < most && old[old.length - 1 - same] === now[now.length - 1 - same]) same += 1;
  return { start, removed: old.length - start - same, inserted: now.slice(start, now.length - same).join("") };
}
