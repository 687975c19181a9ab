// What the device keeps of a rater beside the outbox: drafts, the own pace and a wish about keys.

/** @typedef {{stage: number, parts: import("./answers.js").PartDraft[], version: number, seconds: number}} Draft */

const PACES = 20;

/** Things of one rater, under that rater's key: several may use one browser. */
export class Device {
  /** @param {string} owner */
  constructor(owner) {
    this.prefix = `karat:${owner}:`;
  }

  /** @param {string} name
   *  @returns {any} null where there is nothing that can be read */
  read(name) {
    try {
      return JSON.parse(localStorage.getItem(this.prefix + name) ?? "null");
    } catch {
      return null;
    }
  }

  /** @param {string} name
   *  @param {unknown} value */
  write(name, value) {
    try {
      localStorage.setItem(this.prefix + name, JSON.stringify(value));
    } catch {
      // A full or closed storage costs the draft, not the answer.
    }
  }

  /** @param {string} name */
  drop(name) {
    try {
      localStorage.removeItem(this.prefix + name);
    } catch {
      // Nothing was kept.
    }
  }

  /** Forgets all of this rater, and nothing of others. */
  forget() {
    try {
      for (const name of Object.keys(localStorage)) if (name.startsWith(this.prefix)) localStorage.removeItem(name);
    } catch {
      // Nothing was kept.
    }
  }

  /** The draft of a task, if it was made of the same version and has its shape.
   *  @param {import("./server.js").Task} task
   *  @param {number} stages
   *  @returns {Draft | null} */
  draft(task, stages) {
    const draft = this.read(`draft:${task.public}`);
    const fits =
      draft?.version === task.version &&
      Array.isArray(draft.parts) &&
      draft.parts.length === task.parts.length &&
      draft.parts.every((/** @type {any} */ part) => isTable(part?.values) && isTable(part.words)) &&
      Number.isInteger(draft.stage) &&
      draft.stage >= 0 &&
      draft.stage < stages;
    return fits ? draft : null;
  }

  /** @param {number} seconds */
  notePace(seconds) {
    const paces = this.paces();
    this.write("pace", [...paces, seconds].slice(-PACES));
  }

  /** @returns {number[]} */
  paces() {
    const paces = this.read("pace");
    return Array.isArray(paces) ? paces.filter((pace) => typeof pace === "number") : [];
  }
}

/** @param {unknown} value */
const isTable = (value) => typeof value === "object" && value !== null;
