// What all widgets have in common: a question becomes a field, which shows what was answered and says what is missing.

import { make, say } from "../text.js";
import { criterionName, questionText, valueInWords } from "../wording.js";

/** @typedef {import("../answers.js").Asked} Asked */
/** @typedef {import("../server.js").State} State */
/** @typedef {import("../server.js").Part} Part */
/** @typedef {import("../server.js").Side} Side */
/** How a value came: step by step of one movement or one number, or at once. Steps are undone together.
 *  @typedef {"moved" | "typed" | "at once"} How */
/** What a field is made of: the question, the part of the task that it is about, the value so far, and whom to tell of
 *  another. In a row of several translations, `exempt` says which of them are broken.
 *  @template [V=any]
 *  @typedef {{state: State, question: Asked, part: Part, name: string, value: V | undefined, columns: number,
 *   exempt: () => boolean[], changed: (value: V | undefined, how: How) => void}} Setting */

/** A question on the screen. The form keeps the value; a field shows it, and tells of changes.
 *  @template [V=any] */
export class Field {
  /** @param {Setting<V>} setting */
  constructor(setting) {
    this.state = setting.state;
    this.question = setting.question;
    this.part = setting.part;
    this.changed = setting.changed;
    /** @type {HTMLElement} */
    this.element = make("fieldset", { class: "field", id: setting.name, "data-name": setting.question.name }, legendOf(setting.question));
  }

  /** The question, as what is missing speaks of it. */
  get name() {
    const { item, criterion } = this.question;
    return item === null ? criterionName(criterion) : item.text;
  }

  /** What the answer is before anybody has touched it.
   *  @returns {V | undefined} */
  get initial() {
    return undefined;
  }

  /** What keeps a value from being an answer.
   *  @param {V | undefined} value
   *  @returns {string | null} */
  lack(value) {
    return value === undefined ? say("no-answer") : null;
  }

  /** What goes to the server for a value.
   *  @param {V} value
   *  @returns {V} */
  answer(value) {
    return value;
  }

  /** Shows a value that did not come from here: the one before, after an undo.
   *  @param {V | undefined} _value */
  show(_value) {}

  /** Puts the focus where the answer is given, or where it lacks something. */
  focus() {}

  /** A digit or a sign of a number that was pressed elsewhere on the page.
   *  @param {string} _sign
   *  @returns {boolean} whether it meant anything */
  type(_sign) {
    return false;
  }

  /** What stands in place of a text, where the answer is given on the text itself.
   *  @param {Side} _side
   *  @returns {HTMLElement | null} */
  textOf(_side) {
    return null;
  }

  /** What stands with one translation of a row, where the question is about all of them.
   *  @param {number} _column
   *  @returns {HTMLElement | null} */
  elementOf(_column) {
    return null;
  }

  /** What takes input, and is described by what is missing.
   *  @returns {Iterable<Element>} */
  get inputs() {
    return this.element.querySelectorAll("input, textarea, select");
  }

  /** @param {string} reason */
  showLack(reason) {
    this.clearLack();
    const id = `${this.element.id}-lack`;
    this.element.classList.add("lacking");
    this.element.append(make("p", { class: "lack", id }, reason));
    for (const input of this.inputs) {
      input.setAttribute("aria-describedby", id);
      input.setAttribute("aria-invalid", "true");
    }
  }

  clearLack() {
    this.element.classList.remove("lacking");
    this.element.querySelector(":scope > .lack")?.remove();
    for (const input of this.inputs) {
      input.removeAttribute("aria-describedby");
      input.removeAttribute("aria-invalid");
    }
  }
}

/** The question above its field: one of the part's own as it is written, else the criterion with what is asked.
 *  @param {Asked} question */
function legendOf({ criterion, help, item, ranking }) {
  if (item !== null) return make("legend", { "data-content": true }, make("strong", { dir: "auto" }, item.text));
  const own = help === null ? null : make("span", { dir: "auto", "data-content": true }, help);
  const asked = ranking === null ? questionText(criterion) : null;
  return make("legend", {}, make("strong", {}, criterionName(criterion)), " ", own ?? (asked === null ? null : make("span", {}, asked)));
}

/** A question that was answered before more came into sight: what was said, and that it stays. */
export class ClosedField extends Field {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    const { state, question, part, name, value } = setting;
    const answer = make("span", { dir: "auto" }, valueInWords(state, question, part, value));
    const stays = make("span", { class: "quiet" }, say("stayed"));
    this.element = make("p", { class: "closed", id: name }, make("strong", {}, this.name), " ", answer, " ", stays);
  }

  /** @returns {string | null} */
  lack() {
    return null;
  }

  showLack() {}
}
