// One task on the screen: its texts, its questions one stage after the other, and what has been answered.

import { answerOf, askedAbout, draftOf, sameAnswers, storedAnswers } from "./answers.js";
import { Flag } from "./flag.js";
import { Sheet, rowOf } from "./sheet.js";
import { columnName, say } from "./text.js";
import { CoveredText } from "./texts.js";
import { fieldOf } from "./widgets/index.js";

/** @typedef {import("./answers.js").Asked} Asked */
/** @typedef {import("./answers.js").PartDraft} PartDraft */
/** @typedef {import("./server.js").Answer} Answer */
/** @typedef {import("./server.js").State} State */
/** @typedef {import("./server.js").Task} Task */
/** @typedef {import("./widgets/field.js").Field} Field */
/** @typedef {import("./widgets/field.js").How} How */
/** What is missing of a part; `criterion` is the name of the question.
 *  @typedef {{part: number, criterion: string | null, reason: string}} Lack */

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
    this.parts = draft?.parts ?? storedAnswers(task);
    this.takeSettled();
    const wanted = draft?.stage ?? (task.version > 0 ? this.questions.length - 1 : 0);
    this.stage = this.withNext(Math.max(task.stage, Math.min(wanted, this.reach)));
    /** @type {{parts: string, part: number, criterion: string}[]} */
    this.before = [];
    /** @type {How} */
    this.how = "at once";
    /** The fields of each part by the name of their question; those of a row are with its first part.
     *  @type {Map<string, Field>[]} */
    this.fields = [];
    /** @type {Flag[]} */
    this.flags = [];
    /** @type {(CoveredText | null)[]} */
    this.covered = [];
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
    const settled = this.task.settled.map((answer) => draftOf(answer));
    const same = settled.every((kept, part) => sameAnswers(kept, this.parts[part]));
    for (const [number, { values, words, broken }] of settled.entries()) {
      const part = this.parts[number];
      part.values = { ...part.values, ...values };
      part.words = { ...part.words, ...words };
      if (broken !== null && !part.broken?.trim()) part.broken = broken;
    }
    return same;
  }

  /** Whether it is what the server has. */
  get unchanged() {
    const had = storedAnswers(this.task);
    const same = (/** @type {PartDraft} */ part, /** @type {number} */ number) =>
      part.broken === had[number].broken && sameAnswers(had[number], part) && sameAnswers(part, had[number]);
    return this.task.version > 0 && this.parts.every(same);
  }

  /** Whether a later question shows more than is in sight. */
  get moreToCome() {
    return this.sights(this.questions.length - 1).size > this.sights(this.stage).size;
  }

  /** A stage with those that come along: whoever marks errors is asked at the same time what follows, if it shows no more.
   *  @param {number} stage */
  withNext(stage) {
    let last = stage;
    while (this.questions[last].widget === "spans" && this.sights(last + 1).size === this.sights(last).size && last + 1 < this.questions.length) last += 1;
    return last;
  }

  /** What is in sight at a stage.
   *  @param {number} stage */
  sights(stage) {
    return new Set(this.questions.slice(0, stage + 1).flatMap(({ show }) => show));
  }

  /** The questions about a part up to a stage.
   *  @param {number} part
   *  @param {number} [stage] */
  asked(part, stage = this.stage) {
    return askedAbout(this.questions.slice(0, stage + 1), this.task.parts[part]);
  }

  /** The parts that stand beside a part, it among them.
   *  @param {number} part */
  row(part) {
    return rowOf(this.task, part);
  }

  /** @param {number} part
   *  @param {string} name
   *  @returns {Field | undefined} */
  field(part, name) {
    return this.fields[part]?.get(name) ?? this.fields[this.row(part)[0]]?.get(name);
  }

  /** What keeps the open stage from being done.
   *  @returns {Lack[]} */
  lacks() {
    return this.parts.flatMap((_, part) => this.lacksOf(part));
  }

  /** @param {number} part
   *  @returns {Lack[]} */
  lacksOf(part) {
    const { broken } = this.parts[part];
    const unsaid = broken !== null && !broken.trim() ? [{ part, criterion: null, reason: say("lacks-reason") }] : [];
    const asked = this.asked(part).filter(({ name, widget }) => this.fields[part].has(name) && (broken === null || widget === "ranking"));
    return [...unsaid, ...asked.flatMap((question) => this.lackOf(part, question))];
  }

  /** @param {number} part
   *  @param {Asked} question
   *  @returns {Lack[]} */
  lackOf(part, question) {
    const value = this.valueOf(part, question);
    const reason = this.fields[part].get(question.name)?.lack(value) ?? this.spanLack(part, question);
    return reason === null ? [] : [{ part, criterion: question.name, reason }];
  }

  /** Why a low value is no answer: nothing was marked.
   *  @param {number} part
   *  @param {Asked} question
   *  @returns {string | null} */
  spanLack(part, { name, span_below }) {
    const value = this.parts[part].values[name];
    if (span_below === null || !(value < span_below)) return null;
    const marks = this.asked(part).filter(({ widget }) => widget === "spans").flatMap((question) => this.parts[part].values[question.name] ?? []);
    return marks.some(({ fate }) => fate !== "removed") ? null : say("lacks-mark", { value: span_below });
  }

  /** What was answered: of a ranking, about each translation in the row.
   *  @param {number} part
   *  @param {Asked} question */
  valueOf(part, { name, widget }) {
    return widget === "ranking" ? this.row(part).map((other) => this.parts[other].values[name]) : this.parts[part].values[name];
  }

  /** The next question; what was answered before stays where it is.
   *  @returns {string[]} what came into sight */
  advance() {
    const seen = this.sights(this.stage);
    this.stage = this.withNext(this.stage + 1);
    this.before = [];
    this.draw();
    this.changed();
    const [open] = this.parts.flatMap(({ broken }, part) => (broken?.trim() ? [] : this.opened(part)));
    open?.focus();
    return [...this.sights(this.stage)].filter((sight) => !seen.has(sight));
  }

  /** The fields of the open question.
   *  @param {number} part */
  opened(part) {
    const { criterion } = this.questions[this.stage];
    return [...this.fields[part].values()].filter(({ question }) => question.criterion === criterion);
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
    return this.parts.map((draft, part) => {
      const asked = this.asked(part, stage);
      const said = draft.broken === null ? asked : asked.filter((question) => this.lackOf(part, question).length === 0);
      return answerOf({ ...draft, values: this.valuesOf(part) }, said, seconds / this.parts.length);
    });
  }

  /** What goes to the server of each question about a part.
   *  @param {number} part */
  valuesOf(part) {
    const entries = Object.entries(this.parts[part].values);
    return Object.fromEntries(entries.map(([name, value]) => [name, this.fields[part].get(name)?.answer(value) ?? value]));
  }

  draw() {
    const { parts } = this.task;
    this.fields = parts.map((_, part) => this.fieldsOf(part));
    this.flags = parts.map((_, part) => this.flag(part));
    this.covered = parts.map((_, part) => this.coveredText(part));
    const { task, state, fields, flags, covered } = this;
    const shown = this.sights(this.stage);
    new Sheet({ task, state, fields, flags, covered, shown, moreToCome: this.moreToCome }).drawOn(this.place);
  }

  /** @param {number} part */
  flag(part) {
    const stays = (this.task.settled[part]?.broken ?? null) !== null;
    return new Flag(part, this.parts[part].broken, stays, (broken) => this.setBroken(part, broken));
  }

  /** @param {number} part
   *  @returns {Map<string, Field>} */
  fieldsOf(part) {
    const own = this.asked(part).filter(({ widget }) => widget !== "ranking" || part % this.task.columns === 0);
    return new Map(own.map((question, number) => [question.name, this.fieldFor(part, question, number)]));
  }

  /** @param {number} part
   *  @param {Asked} question
   *  @param {number} number */
  fieldFor(part, question, number) {
    const inSight = this.sights(this.stage).size;
    const stage = this.questions.findIndex(({ criterion }) => criterion === question.criterion);
    const { state, task } = this;
    const field = fieldOf(
      {
        ...{ state, question, part: task.parts[part], value: this.valueOf(part, question) },
        name: question.item === null ? `${question.name}-${part}` : `${question.criterion}-${part}-${number}`,
        columns: task.columns,
        exempt: () => this.row(part).map((other) => this.parts[other].broken !== null),
        changed: (value, how) => this.set(part, question, value, how),
      },
      this.sights(stage).size < inSight,
    );
    if (this.parts[part].values[question.name] === undefined && field.initial !== undefined) this.parts[part].values[question.name] = field.initial;
    return field;
  }

  /** The translation, if its words are uncovered one by one for the open question.
   *  @param {number} part
   *  @returns {CoveredText | null} */
  coveredText(part) {
    const { translation } = this.task.parts[part];
    const question = this.asked(part).find(({ reveal, criterion }) => reveal && criterion === this.questions[this.stage].criterion);
    if (translation === null || question === undefined) return null;
    const { words, values } = this.parts[part];
    const uncovered = (/** @type {number} */ seen) => {
      words[question.name] = seen;
      this.changed();
    };
    const covered = new CoveredText(translation, this.state.target_language, words[question.name] ?? 0, uncovered);
    covered.stop(values[question.name] !== undefined);
    return covered;
  }

  /** Uncovers a word of the part that has the focus.
   *  @returns {boolean} whether there was one */
  uncover() {
    return this.covered[this.partInFocus() ?? 0]?.uncover() ?? false;
  }

  /** @param {number} part
   *  @param {string | null} broken */
  setBroken(part, broken) {
    this.parts[part].broken = broken;
    this.changed();
  }

  /** @param {number} part
   *  @param {Asked} question
   *  @param {any} value
   *  @param {How} how */
  set(part, question, value, how) {
    const { name } = question;
    const last = this.before.at(-1);
    const goesOn = how !== "at once" && how === this.how && last?.part === part && last.criterion === name;
    if (this.valueOf(part, question) !== value && !goesOn) this.before.push({ parts: JSON.stringify(this.parts.map((each) => each.values)), part, criterion: name });
    this.how = how;
    const targets = question.widget === "ranking" ? this.row(part) : [part];
    for (const [place, target] of targets.entries()) keep(this.parts[target].values, name, question.widget === "ranking" ? value[place] : value);
    this.field(part, name)?.clearLack();
    this.covered[part]?.stop(value !== undefined);
    this.changed();
  }

  /** Takes the last choice back.
   *  @returns {boolean} whether there was one */
  undo() {
    const last = this.before.pop();
    if (last === undefined) return false;
    /** @type {Record<string, any>[]} */
    const values = JSON.parse(last.parts);
    this.parts.forEach((part, number) => (part.values = values[number]));
    this.how = "at once";
    const field = this.field(last.part, last.criterion);
    const question = this.asked(last.part).find(({ name }) => name === last.criterion);
    if (question !== undefined) field?.show(this.valueOf(last.part, question));
    this.covered[last.part]?.stop(values[last.part][last.criterion] !== undefined);
    field?.focus();
    this.changed();
    return true;
  }

  /** Opens the place for what is broken, of the part that has the focus or comes first.
   *  @returns {void} */
  openFlag() {
    this.flags[this.partInFocus() ?? this.lacks()[0]?.part ?? 0]?.open();
  }

  /** @returns {number | null} */
  partInFocus() {
    const section = document.activeElement?.closest("[data-part]");
    if (section instanceof HTMLElement) return Number(section.dataset.part);
    const row = document.activeElement?.closest("[data-row]");
    return row instanceof HTMLElement ? Number(row.dataset.row) : null;
  }

  /** The name of the question that has the focus.
   *  @returns {string | undefined} */
  nameInFocus() {
    const focused = document.activeElement?.closest("[data-name]");
    return focused instanceof HTMLElement ? focused.dataset.name : undefined;
  }

  /** From a question that is answered to the next that is not, in this part or in others.
   *  @returns {boolean} whether there was such a way */
  toNext() {
    const from = this.partInFocus();
    const lacks = this.lacks();
    if (from === null || lacks.length === 0) return false;
    const here = this.nameInFocus();
    const own = lacks.filter(({ part, criterion }) => part === from || (part === this.row(from)[0] && criterion === here));
    if (own.some(({ criterion }) => here === undefined || criterion === here || criterion === null)) return false;
    if (own.length > 0) this.goTo(own[0]);
    else this.begin(lacks.find(({ part }) => part > from) ?? lacks[0]);
    return true;
  }

  /** Goes to another part: to its text, if there is something to mark.
   *  @param {Lack} lack */
  begin(lack) {
    const marked = this.asked(lack.part).find(({ widget }) => widget === "spans");
    this.goTo(marked === undefined ? lack : { ...lack, criterion: marked.name });
  }

  /** @param {Lack} lack */
  goTo({ part, criterion }) {
    const section = this.place.querySelector(`[data-part="${part}"]`);
    const field = criterion === null ? undefined : this.field(part, criterion);
    if (field !== undefined) field.focus();
    else this.flags[part]?.area?.focus();
    section?.scrollIntoView({ block: "nearest" });
  }

  /** What is missing, with where, if there are several places.
   *  @param {Lack} lack */
  placed({ part, criterion, reason }) {
    const { columns, parts } = this.task;
    const own = columns > 1 && criterion !== null && !this.ranks(criterion);
    const lack = own ? say("in-column", { name: columnName(part % columns), lack: reason }) : reason;
    return parts.length > columns ? say("in-part", { number: Math.floor(part / columns) + 1, lack }) : lack;
  }

  /** Whether a question is about all translations of a row.
   *  @param {string} name */
  ranks(name) {
    return this.questions.some((question) => question.name === name && question.widget === "ranking");
  }

  /** Marks what is missing, and goes to the first of it.
   *  @param {Lack[]} lacks */
  showLacks(lacks) {
    for (const { part, criterion, reason } of lacks) {
      if (criterion !== null) this.field(part, criterion)?.showLack(reason);
      else this.flags[part]?.showLack(reason);
    }
    if (lacks.length > 0) this.goTo(lacks[0]);
  }

  /** A digit or a sign of a number goes to the question that has the focus, or else to the first that is open.
   *  @param {string} sign
   *  @returns {boolean} whether it meant anything */
  type(sign) {
    const [lack] = this.lacks();
    const part = this.partInFocus() ?? lack?.part ?? 0;
    const open = this.lackIn(part) ?? this.opened(part)[0]?.question.name ?? this.questions[this.stage].name;
    return this.field(part, this.nameInFocus() ?? open)?.type(sign) ?? false;
  }

  /** The first question that a part lacks.
   *  @param {number} part */
  lackIn(part) {
    return this.lacks().find((lack) => lack.part === part && lack.criterion !== null)?.criterion ?? undefined;
  }
}

/** @param {Record<string, any>} values
 *  @param {string} name
 *  @param {any} value */
function keep(values, name, value) {
  if (value === undefined) delete values[name];
  else values[name] = value;
}
