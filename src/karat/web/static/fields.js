// A question as a field: points to choose from, or a slider with a value to type.

import { make, say } from "./text.js";
import { criterionName, labelOf, questionText, valueInWords } from "./wording.js";

/** @typedef {import("./server.js").Question} Question */
/** @typedef {import("./server.js").State} State */
/** How a value came: step by step of one movement or one number, or at once. Steps are undone together.
 *  @typedef {"moved" | "typed" | "at once"} How */
/** @typedef {{state: State, question: Question, name: string, value: number | undefined,
 *   changed: (value: number | undefined, how: How) => void}} Setting */

const TOGETHER = 1000;
const LONG_LABEL = 30;

/** Digits of any script as those of ASCII, and signs as a program reads them.
 * @param {string} text */
export function plainNumber(text) {
  return text
    .normalize("NFKC")
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[,\u066b]/g, ".")
    .replace(/\u2212/g, "-")
    .trim();
}

/** What points and sliders have in common: a legend, and a place for what is missing. */
class Field {
  /** @param {Setting} setting */
  constructor(setting) {
    this.state = setting.state;
    this.question = setting.question;
    this.changed = setting.changed;
    const { criterion } = setting.question;
    const text = questionText(criterion);
    const legend = make("legend", {}, make("strong", {}, criterionName(criterion)), text === null ? null : make("span", {}, ` ${text}`));
    this.element = make("fieldset", { class: "field", id: setting.name, "data-criterion": criterion }, legend);
  }

  /** @param {string} reason */
  showLack(reason) {
    this.clearLack();
    const id = `${this.element.id}-lack`;
    this.element.classList.add("lacking");
    this.element.append(make("p", { class: "lack", id }, reason));
    for (const input of this.element.querySelectorAll("input")) {
      input.setAttribute("aria-describedby", id);
      input.setAttribute("aria-invalid", "true");
    }
  }

  clearLack() {
    this.element.classList.remove("lacking");
    this.element.querySelector(".lack")?.remove();
    for (const input of this.element.querySelectorAll("input")) {
      input.removeAttribute("aria-describedby");
      input.removeAttribute("aria-invalid");
    }
  }

  /** The labels below a scale, each under its place on it.
   *  @param {{value: number, label: string | null}[]} marks */
  marks(marks) {
    const { minimum, maximum } = this.question;
    const places = marks.map(({ value }) => (value - minimum) / (maximum - minimum));
    const edges = [0, ...places.slice(1).map((place, before) => (places[before] + place) / 2), 1];
    const texts = marks.map(({ value, label }) =>
      make("li", {}, make("b", {}, String(value)), label === null ? null : make("span", { dir: "auto" }, ` ${label}`)),
    );
    const list = make("ul", { class: "marks", "aria-hidden": "true" }, ...texts);
    list.style.gridTemplateColumns = edges.slice(1).map((edge, before) => `minmax(0, ${(edge - edges[before]) * 100}fr)`).join(" ");
    return list;
  }

  /** The points that have labels, in the page's language.
   *  @returns {{value: number, label: string | null}[]} */
  labelled() {
    const points = this.question.points.map((point) => ({ value: point.value, label: labelOf(this.state, this.question, point) }));
    return points.filter(({ label }) => label !== null);
  }
}

export class PointsField extends Field {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    this.typed = "";
    this.typedAt = 0;
    const labelled = this.labelled();
    const sparse = labelled.length > 0 && labelled.length < this.question.points.length;
    const long = !sparse && labelled.some(({ label }) => (label ?? "").length > LONG_LABEL);
    const list = make("div", { class: `points${sparse ? " sparse" : ""}${long ? " long" : ""}` });
    for (const point of this.question.points) {
      const label = labelOf(this.state, this.question, point);
      const input = make("input", { type: "radio", name: setting.name, value: String(point.value) });
      input.checked = point.value === setting.value;
      input.addEventListener("change", () => this.changed(point.value, "at once"));
      const words = label === null ? null : make("span", { class: sparse ? "unseen" : "", dir: "auto" }, label);
      list.append(make("label", {}, input, make("kbd", {}, String(point.value)), words));
    }
    this.element.append(list);
    if (sparse) this.element.append(this.marks(labelled));
  }

  /** @param {number | undefined} value */
  show(value) {
    for (const input of this.inputs) input.checked = Number(input.value) === value;
  }

  get inputs() {
    return [...this.element.querySelectorAll("input")];
  }

  focus() {
    (this.inputs.find((input) => input.checked) ?? this.inputs[0])?.focus();
  }

  /** @param {number | undefined} value
   *  @returns {string | null} */
  lack(value) {
    return value === undefined ? say("lacks-points", { criterion: criterionName(this.question.criterion) }) : null;
  }

  /** A digit or a minus: the point of that value, or of the value that it makes with what was typed just before.
   *  @param {string} sign
   *  @returns {boolean} whether it meant anything */
  type(sign) {
    const now = performance.now();
    const before = now - this.typedAt < TOGETHER ? this.typed : "";
    const typed = [before + sign, sign].find((text) => this.inputs.some((input) => input.value.startsWith(text)));
    this.typed = typed ?? "";
    this.typedAt = now;
    const input = this.inputs.find((candidate) => candidate.value === typed);
    if (input === undefined) return typed !== undefined;
    input.click();
    input.focus();
    return true;
  }
}

export class SliderField extends Field {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    const { minimum, maximum, criterion } = this.question;
    const said = { criterion: criterionName(criterion), minimum, maximum };
    this.step = stepOf(this.question);
    const limits = { min: String(minimum), max: String(maximum), step: String(this.step) };
    this.range = make("input", { type: "range", ...limits, "aria-label": say("value", said) });
    this.box = make("input", {
      ...{ type: "text", inputmode: "decimal", autocomplete: "off", maxlength: "12", name: setting.name },
      "aria-label": say("typed-value", said),
    });
    const labelled = this.labelled();
    const ends = [minimum, maximum].map((value) => ({ value, label: null }));
    this.slider = make("div", { class: "slider" }, this.range, this.box, this.marks(labelled.length > 1 ? labelled : ends));
    this.element.append(this.slider);
    this.show(setting.value);
    this.listen();
  }

  listen() {
    // A slider that was only touched says where it was touched, the middle and 0 included.
    this.range.addEventListener("input", () => this.takeRange("moved"));
    for (const end of ["change", "pointerup"]) this.range.addEventListener(end, () => this.takeRange("at once"));
    this.box.addEventListener("input", () => this.takeBox());
    this.box.addEventListener("keydown", (event) => {
      const steps = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (steps === undefined) return;
      event.preventDefault();
      this.range.stepUp(steps);
      this.takeRange("at once");
    });
  }

  /** @param {How} how */
  takeRange(how) {
    this.box.value = this.range.value;
    this.showUnset(false);
    this.changed(Number(this.range.value), how);
  }

  takeBox() {
    const value = this.written();
    const { minimum, maximum } = this.question;
    this.range.value = String(value ?? (minimum + maximum) / 2);
    this.showUnset(value === undefined);
    this.changed(value, "typed");
  }

  /** What is typed, if it is on the scale.
   *  @returns {number | undefined} */
  written() {
    const text = plainNumber(this.box.value);
    const value = /^[+-]?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN;
    const { minimum, maximum, whole } = this.question;
    return value >= minimum && value <= maximum && !(whole && value % 1 !== 0) ? value : undefined;
  }

  /** @param {boolean} unset */
  showUnset(unset) {
    this.slider.classList.toggle("unset", unset);
    if (unset) this.range.setAttribute("aria-valuetext", say("unset"));
    else this.range.removeAttribute("aria-valuetext");
  }

  /** @param {number | undefined} value */
  show(value) {
    const { minimum, maximum } = this.question;
    this.range.value = String(value ?? (minimum + maximum) / 2);
    this.box.value = value === undefined ? "" : String(value);
    this.showUnset(value === undefined);
  }

  focus() {
    (this.box.value.trim() !== "" && this.written() === undefined ? this.box : this.range).focus();
  }

  /** @param {number | undefined} value
   *  @returns {string | null} */
  lack(value) {
    if (value !== undefined) return null;
    const { minimum, maximum, whole, criterion } = this.question;
    const written = this.box.value.trim();
    const kind = written === "" ? "lacks-value" : whole ? "lacks-whole" : "lacks-range";
    return say(kind, { criterion: criterionName(criterion), minimum, maximum, written });
  }

  /** A digit, a minus or a point begins a value in the box.
   *  @param {string} sign
   *  @returns {boolean} whether it meant anything */
  type(sign) {
    if (document.activeElement === this.box) return false;
    this.box.value = sign;
    this.box.focus();
    this.box.setSelectionRange(sign.length, sign.length);
    this.takeBox();
    return true;
  }
}

/** A question that was answered before more came into sight: what was said, and that it stays. */
export class ClosedField {
  /** @param {Setting} setting */
  constructor({ state, question, name, value }) {
    this.question = question;
    const answer = make("span", { dir: "auto" }, valueInWords(state, question, value));
    const stays = make("span", { class: "quiet" }, say("stayed"));
    this.element = make("p", { class: "closed", id: name }, make("strong", {}, criterionName(question.criterion)), " ", answer, " ", stays);
  }

  /** @returns {string | null} */
  lack() {
    return null;
  }

  show() {}
  focus() {}
  clearLack() {}
  showLack() {}
  type() {
    return false;
  }
}

/** How far an arrow moves: 1 on a scale of whole numbers, else about a hundredth of the scale.
 * @param {Question} question */
function stepOf({ minimum, maximum, whole }) {
  return whole ? 1 : 10 ** Math.ceil(Math.log10((maximum - minimum) / 100) - 1e-9);
}

/** @typedef {{question: Question, element: HTMLElement, lack: (value: number | undefined) => string | null,
 *   show: (value: number | undefined) => void, focus: () => void, clearLack: () => void,
 *   showLack: (reason: string) => void, type: (sign: string) => boolean}} AnyField */

/** @param {Setting} setting
 *  @param {boolean} closed
 *  @returns {AnyField} */
export function fieldOf(setting, closed) {
  if (closed) return new ClosedField(setting);
  return setting.question.widget === "points" ? new PointsField(setting) : new SliderField(setting);
}
