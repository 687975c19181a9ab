// How a task lies on the screen: one translation below the other, or several beside each other, with what is asked.

import { columnName, languageName, make, say } from "./text.js";
import { around, text } from "./texts.js";

/** @typedef {import("./flag.js").Flag} Flag */
/** @typedef {import("./server.js").State} State */
/** @typedef {import("./server.js").Task} Task */
/** @typedef {import("./texts.js").CoveredText} CoveredText */
/** @typedef {import("./widgets/field.js").Field} Field */
/** @typedef {{task: Task, state: State, fields: Map<string, Field>[], flags: Flag[], covered: (CoveredText | null)[],
 *   shown: Set<string>, moreToCome: boolean}} Drawn */

export class Sheet {
  /** @param {Drawn} drawn */
  constructor({ task, state, fields, flags, covered, shown, moreToCome }) {
    this.task = task;
    this.state = state;
    this.fields = fields;
    this.flags = flags;
    this.covered = covered;
    this.shown = shown;
    this.moreToCome = moreToCome;
  }

  /** @param {HTMLElement} place */
  drawOn(place) {
    const { parts, columns, before, after } = this.task;
    const rows = parts.map((_, part) => part).filter((part) => part % columns === 0);
    const source = this.shown.has("source");
    const drawn = rows.map((part) => (columns > 1 ? this.comparison(part) : this.section(part)));
    const context = [around(say("before"), before, this.state, source), ...drawn, around(say("after"), after, this.state, source)];
    place.replaceChildren(...context.filter((each) => each !== null));
    place.classList.toggle("document", rows.length > 1);
    place.classList.toggle("beside", columns > 1);
    // What comes before is read from its end.
    for (const box of place.querySelectorAll(".around:first-child")) box.scrollTop = box.scrollHeight;
  }

  /** One translation, with what is asked about it.
   *  @param {number} part */
  section(part) {
    const { length } = this.task.parts;
    const heading = say("part", { number: part + 1, count: length });
    return make(
      "section",
      { class: "part", "data-part": String(part), "aria-label": length > 1 ? heading : say("translation") },
      length > 1 ? make("h3", {}, heading) : null,
      make("div", { class: "texts" }, ...this.beside(part), this.judged(part, say(this.corrected ? "to-correct" : "translation"))),
      ...this.answerPlaces(part),
    );
  }

  /** Translations side by side, with what is asked about each and about all.
   *  @param {number} first */
  comparison(first) {
    const { columns, parts } = this.task;
    const heading = say("part", { number: first / columns + 1, count: parts.length / columns });
    const cells = rowOf(this.task, first).map((part, column) => {
      const name = columnName(column);
      return make("section", { class: "part", "data-part": String(part), "aria-label": name }, this.judged(part, name), ...this.answerPlaces(part));
    });
    const whole = [...this.fields[first].values()].filter(({ question }) => question.widget === "ranking");
    const asked = make("div", { class: "questions" }, ...whole.map(({ element }) => element));
    const above = whole.some((field) => field.elementOf(0) !== null);
    return make(
      "section",
      { class: "comparison", "aria-label": heading, "data-row": String(first) },
      parts.length > columns ? make("h3", {}, heading) : null,
      make("div", { class: "texts" }, ...this.beside(first)),
      ...(above ? [asked] : []),
      make("div", { class: "columns" }, ...cells),
      ...(above ? [] : [asked]),
    );
  }

  /** What is asked about a part, and where to say that it is broken.
   *  @param {number} part */
  answerPlaces(part) {
    const column = part % this.task.columns;
    const ranked = [...this.fields[rowOf(this.task, part)[0]].values()].map((field) => field.elementOf(column));
    const own = [...this.fields[part].values()].filter(({ question }) => question.widget !== "ranking").map(({ element }) => element);
    const places = [...own, ...ranked.filter((element) => element !== null)];
    return [make("div", { class: "questions" }, ...places), this.flags[part].element];
  }

  /** Whether translations are corrected. */
  get corrected() {
    return this.state.questions.some(({ text: rules }) => rules?.start === "translation");
  }

  /** @returns {import("./texts.js").Level} */
  get level() {
    return this.task.parts.length > this.task.columns ? "h4" : "h3";
  }

  /** What may be read beside a translation.
   *  @param {number} part */
  beside(part) {
    const { source, reference } = this.task.parts[part];
    const { source_language: from, target_language: to } = this.state;
    const { shown } = this;
    const language = languageName(from);
    const name = language === null ? say("source") : say("source-in", { language });
    return [
      shown.size === 0 && this.moreToCome ? make("p", { class: "later quiet" }, say("later")) : null,
      shown.has("source") && source !== null ? text(name, this.onText(part, "source") ?? source, from, this.level) : null,
      shown.has("reference") && reference !== null ? text(say("reference"), reference, to, this.level) : null,
    ];
  }

  /** What is judged.
   *  @param {number} part
   *  @param {string} heading */
  judged(part, heading) {
    const { translation, title } = this.task.parts[part];
    if (translation === null && title !== null) return text(say("subject"), title, null, this.level);
    if (translation === null) return null;
    const shown = this.covered[part]?.element ?? this.onText(part, "hypothesis") ?? translation;
    return text(heading, shown, this.state.target_language, this.level);
  }

  /** A text as the question that was opened last shows it.
   *  @param {number} part
   *  @param {import("./server.js").Side} side */
  onText(part, side) {
    const shown = [...this.fields[part].values()].map((field) => field.textOf(side));
    return shown.findLast((element) => element !== null) ?? null;
  }
}

/** The parts that stand beside a part, it among them.
 *  @param {Task} task
 *  @param {number} part */
export function rowOf({ columns }, part) {
  const first = part - (part % columns);
  return [...Array(columns).keys()].map((column) => first + column);
}
