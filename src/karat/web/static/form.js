// One task on the screen: its texts, its questions one stage after the other, and what has been answered.

import { fieldOf } from "./fields.js";
import { button, direction, languageName, make, say } from "./text.js";

/** @typedef {import("./server.js").Task} Task */
/** @typedef {import("./server.js").State} State */
/** @typedef {import("./server.js").Answer} Answer */
/** @typedef {{values: Record<string, number>, broken: string | null}} PartDraft */
/** @typedef {{part: number, criterion: string | null, reason: string}} Lack */
/** @typedef {import("./fields.js").AnyField} Field */

/** The task as it is being answered. */
export class Form {
  /** @param {HTMLElement} place
   *  @param {Task} task
   *  @param {State} state
   *  @param {{stage: number, parts: PartDraft[]} | null} draft
   *  @param {() => void} changed */
  constructor(place, task, state, draft, changed) {
    this.place = place;
    this.task = task;
    this.state = state;
    this.questions = state.questions;
    this.changed = changed;
    /** @type {PartDraft[]} */
    this.parts = draft?.parts ?? stored(task);
    this.takeSettled();
    const wanted = draft?.stage ?? (task.version > 0 ? this.questions.length - 1 : 0);
    this.stage = Math.max(task.stage, Math.min(wanted, this.reach));
    /** @type {{parts: string, part: number, criterion: string}[]} */
    this.before = [];
    /** @type {import("./fields.js").How} */
    this.how = "at once";
    this.draw();
  }

  /** What is kept of it on the device. */
  get draft() {
    return { stage: this.stage, parts: this.parts };
  }

  /** Whether nothing more is asked: the last question is open, or everything is broken. */
  get last() {
    return this.stage === this.questions.length - 1 || this.parts.every(({ broken }) => broken?.trim());
  }

  /** The last question that is asked with what the server has given to be seen so far. */
  get reach() {
    const given = this.sights(this.task.stage).size;
    return this.questions.findLastIndex((_, stage) => this.sights(stage).size === given);
  }

  /** Whether the next question shows what only the server has. */
  get beyondReach() {
    return this.stage === this.reach;
  }

  /** What the server keeps of the questions before it gave more texts stays, whatever was answered here since.
   *  @returns {boolean} whether that was the same */
  takeSettled() {
    const before = JSON.stringify(this.parts);
    this.task.settled.forEach(({ values, broken }, number) => {
      const part = this.parts[number];
      part.values = { ...part.values, ...values };
      part.broken = broken === null ? part.broken : part.broken?.trim() ? part.broken : broken;
    });
    return JSON.stringify(this.parts) === before;
  }

  /** Whether it is what the server has. */
  get unchanged() {
    const had = stored(this.task);
    const same = (/** @type {PartDraft} */ part, /** @type {number} */ number) =>
      part.broken === had[number].broken &&
      this.questions.every(({ criterion }) => part.values[criterion] === had[number].values[criterion]);
    return this.task.version > 0 && this.parts.every(same);
  }

  /** Whether a later question shows more than is in sight. */
  get moreToCome() {
    return this.sights(this.questions.length - 1).size > this.sights(this.stage).size;
  }

  /** What is in sight at a stage.
   *  @param {number} stage */
  sights(stage) {
    return new Set(this.questions.slice(0, stage + 1).flatMap(({ show }) => show));
  }

  /** What keeps the open stage from being done.
   *  @returns {Lack[]} */
  lacks() {
    return this.parts.flatMap((_, part) => this.lacksOf(part));
  }

  /** @param {number} part
   *  @returns {Lack[]} */
  lacksOf(part) {
    const { values, broken } = this.parts[part];
    if (broken?.trim()) return [];
    if (broken !== null) return [{ part, criterion: null, reason: say("lacks-reason") }];
    return [...this.fields[part]].flatMap(([criterion, field]) => {
      const reason = field.lack(values[criterion]);
      return reason === null ? [] : [{ part, criterion, reason }];
    });
  }

  /** The next question; what was answered before stays where it is.
   *  @returns {string[]} what came into sight */
  advance() {
    const seen = this.sights(this.stage);
    this.stage += 1;
    this.before = [];
    this.draw();
    this.changed();
    this.fields.find((_, part) => !this.parts[part].broken?.trim())?.get(this.questions[this.stage].criterion)?.focus();
    return [...this.sights(this.stage)].filter((sight) => !seen.has(sight));
  }

  /** The same task with more texts.
   *  @param {Task} task
   *  @returns {boolean} whether what is settled with them is what was answered here */
  take(task) {
    this.task = task;
    return this.takeSettled();
  }

  /** @param {number} seconds
   *  @param {number} [stage] up to which the questions are answered
   *  @returns {Answer[]} */
  answers(seconds, stage = this.questions.length - 1) {
    const asked = new Set(this.questions.slice(0, stage + 1).map(({ criterion }) => criterion));
    return this.parts.map(({ values, broken }) => ({
      values: Object.fromEntries(Object.entries(values).filter(([criterion]) => asked.has(criterion))),
      seconds: Math.round((seconds / this.parts.length) * 1000) / 1000,
      broken: broken?.trim() ? broken.trim().replace(/\p{Surrogate}|\0/gu, "") : null,
    }));
  }

  draw() {
    /** @type {Map<string, Field>[]} */
    this.fields = this.task.parts.map((_, part) => this.fieldsOf(part));
    this.place.replaceChildren(...this.task.parts.map((_, part) => this.section(part)));
    this.place.classList.toggle("document", this.task.parts.length > 1);
  }

  /** @type {Map<string, Field>[]} */
  fields = [];

  /** @param {number} part
   *  @returns {Map<string, Field>} */
  fieldsOf(part) {
    const inSight = this.sights(this.stage).size;
    const asked = this.questions.slice(0, this.stage + 1);
    return new Map(
      asked.map((question, stage) => {
        const { criterion } = question;
        const { state, parts } = this;
        const setting = { state, question, name: `${criterion}-${part}`, value: parts[part].values[criterion] };
        const changed = (/** @type {number | undefined} */ value, /** @type {import("./fields.js").How} */ how) =>
          this.set(part, criterion, value, how);
        const field = fieldOf({ ...setting, changed }, this.sights(stage).size < inSight);
        return [criterion, field];
      }),
    );
  }

  /** @param {number} part */
  section(part) {
    const { length } = this.task.parts;
    const heading = say("part", { number: part + 1, count: length });
    return make(
      "section",
      { class: "part", "data-part": String(part), "aria-label": length > 1 ? heading : say("translation") },
      length > 1 ? make("h3", {}, heading) : null,
      this.texts(part),
      make("div", { class: "questions" }, ...[...this.fields[part].values()].map(({ element }) => element)),
      this.flag(part),
    );
  }

  /** @param {number} part */
  texts(part) {
    const { source, reference, translation } = this.task.parts[part];
    const { source_language: from, target_language: to } = this.state;
    const shown = this.sights(this.stage);
    const language = languageName(from);
    const level = this.task.parts.length > 1 ? "h4" : "h3";
    const later = shown.size === 0 && this.moreToCome;
    return make(
      "div",
      { class: "texts" },
      later ? make("p", { class: "later quiet" }, say("later")) : null,
      shown.has("source") ? text(language === null ? say("source") : say("source-in", { language }), source, from, level) : null,
      shown.has("reference") ? text(say("reference"), reference, to, level) : null,
      text(say("translation"), translation, to, level),
    );
  }

  /** Where raters say that something is broken, and what.
   *  @param {number} part */
  flag(part) {
    const place = make("div", { class: "flag" });
    const draw = () => {
      const { broken } = this.parts[part];
      if (broken === null) place.replaceChildren(button(say("flag"), () => open(""), { class: "plain" }));
      else place.replaceChildren(...this.reason(part, broken, () => open(null)));
    };
    /** @param {string | null} broken */
    const open = (broken) => {
      this.parts[part].broken = broken;
      draw();
      this.changed();
      const next = place.querySelector("textarea") ?? place.querySelector("button");
      next?.focus();
    };
    draw();
    return place;
  }

  /** @param {number} part
   *  @param {string} broken
   *  @param {() => void} close */
  reason(part, broken, close) {
    const id = `broken-${part}`;
    const area = make("textarea", { id, rows: "2", maxlength: "5000", dir: "auto" });
    area.value = broken;
    area.addEventListener("input", () => {
      this.parts[part].broken = area.value;
      this.unmark(part);
      this.changed();
    });
    const stays = this.task.settled[part]?.broken ?? null;
    const back = stays === null ? button(say("flag-close"), close, { class: "plain" }) : make("p", { class: "quiet" }, say("stayed"));
    return [make("label", { for: id }, say("flag-reason")), area, back];
  }

  /** @param {number} part
   *  @param {string} criterion
   *  @param {number | undefined} value
   *  @param {import("./fields.js").How} how */
  set(part, criterion, value, how) {
    const { values } = this.parts[part];
    const last = this.before.at(-1);
    const goesOn = how !== "at once" && how === this.how && last?.part === part && last.criterion === criterion;
    if (values[criterion] !== value && !goesOn) this.before.push({ parts: JSON.stringify(this.parts.map((each) => each.values)), part, criterion });
    this.how = how;
    if (value === undefined) delete values[criterion];
    else values[criterion] = value;
    this.fields[part].get(criterion)?.clearLack();
    this.changed();
  }

  /** Takes the last choice back.
   *  @returns {boolean} whether there was one */
  undo() {
    const last = this.before.pop();
    if (last === undefined) return false;
    /** @type {Record<string, number>[]} */
    const values = JSON.parse(last.parts);
    this.parts.forEach((part, number) => (part.values = values[number]));
    this.how = "at once";
    const field = this.fields[last.part].get(last.criterion);
    field?.show(values[last.part][last.criterion]);
    field?.focus();
    this.changed();
    return true;
  }

  /** Opens the place for what is broken, of the part that has the focus or comes first.
   *  @returns {void} */
  openFlag() {
    const section = this.place.querySelector(`[data-part="${this.partInFocus() ?? this.lacks()[0]?.part ?? 0}"]`);
    const area = section?.querySelector("textarea");
    if (area) area.focus();
    else section?.querySelector(".flag button")?.dispatchEvent(new MouseEvent("click"));
  }

  /** @returns {number | null} */
  partInFocus() {
    const section = document.activeElement?.closest("[data-part]");
    return section instanceof HTMLElement ? Number(section.dataset.part) : null;
  }

  /** From a part that is done to the next that is not.
   *  @returns {boolean} whether there was such a way */
  toNextPart() {
    const from = this.partInFocus();
    const lacks = this.lacks();
    if (from === null || lacks.length === 0 || lacks.some(({ part }) => part === from)) return false;
    const next = lacks.find(({ part }) => part > from) ?? lacks[0];
    this.goTo(next);
    return true;
  }

  /** @param {Lack} lack */
  goTo({ part, criterion }) {
    const section = this.place.querySelector(`[data-part="${part}"]`);
    const field = criterion === null ? undefined : this.fields[part]?.get(criterion);
    if (field !== undefined) field.focus();
    else section?.querySelector("textarea")?.focus();
    section?.scrollIntoView({ block: "nearest" });
  }

  /** Marks what is missing, and goes to the first of it.
   *  @param {Lack[]} lacks */
  showLacks(lacks) {
    for (const { part, criterion, reason } of lacks) {
      if (criterion !== null) this.fields[part]?.get(criterion)?.showLack(reason);
      else this.markFlag(part, reason);
    }
    if (lacks.length > 0) this.goTo(lacks[0]);
  }

  /** @param {number} part
   *  @param {string} reason */
  markFlag(part, reason) {
    this.unmark(part);
    const area = this.place.querySelector(`#broken-${part}`);
    area?.setAttribute("aria-invalid", "true");
    area?.after(make("p", { class: "lack" }, reason));
  }

  /** @param {number} part */
  unmark(part) {
    const area = this.place.querySelector(`#broken-${part}`);
    area?.removeAttribute("aria-invalid");
    area?.parentElement?.querySelector(".lack")?.remove();
  }

  /** A digit or a sign of a number goes to the question that has the focus, or else to the first that is open.
   *  @param {string} sign
   *  @returns {boolean} whether it meant anything */
  type(sign) {
    const [lack] = this.lacks();
    const open = { part: this.partInFocus() ?? lack?.part ?? 0, criterion: this.questions[this.stage].criterion };
    const focused = document.activeElement?.closest("fieldset");
    const criterion = focused instanceof HTMLElement ? focused.dataset.criterion : undefined;
    const field = this.fields[open.part]?.get(criterion ?? this.lackIn(open.part) ?? open.criterion);
    return field !== undefined && field.type(sign);
  }

  /** The first criterion that a part lacks.
   *  @param {number} part */
  lackIn(part) {
    return this.lacks().find((lack) => lack.part === part && lack.criterion !== null)?.criterion ?? undefined;
  }
}

/** The answers that the server has, or none.
 * @param {Task} task
 * @returns {PartDraft[]} */
function stored(task) {
  return task.parts.map((_, number) => ({
    values: { ...(task.answers[number]?.values ?? {}) },
    broken: task.answers[number]?.broken ?? null,
  }));
}

/** A text with what it is.
 * @param {string} heading
 * @param {string | null} content
 * @param {string | null} language
 * @param {"h3" | "h4"} [level] */
export function text(heading, content, language, level = "h3") {
  const known = content ?? "";
  return make(
    "div",
    { class: "text" },
    make(level, {}, heading),
    make("p", { dir: direction(known, language), lang: language, "data-content": true }, known),
  );
}
