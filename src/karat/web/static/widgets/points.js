// Points of a scale to choose from.

import { make, say } from "../text.js";
import { labelOf } from "../wording.js";
import { Field } from "./field.js";
import { labelledPoints, marksBelow } from "./scale.js";

/** @typedef {import("./field.js").Setting<number>} Setting */

const TOGETHER = 1000;
const LONG_LABEL = 30;

/** @extends {Field<number>} */
export class PointsField extends Field {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    this.typed = "";
    this.typedAt = 0;
    const labelled = labelledPoints(this.state, this.question);
    const sparse = labelled.length > 0 && labelled.length < this.question.points.length;
    const long = !sparse && labelled.some(({ label }) => (label ?? "").length > LONG_LABEL);
    const choices = this.question.points.map((point) => this.choice(point, sparse));
    this.element.append(make("div", { class: `points${sparse ? " sparse" : ""}${long ? " long" : ""}` }, ...choices));
    if (sparse) this.element.append(marksBelow(this.question, labelled));
    this.show(setting.value);
  }

  /** @param {import("../server.js").Point} point
   *  @param {boolean} sparse whether labels stand below, and here only for those who hear the page */
  choice(point, sparse) {
    const label = labelOf(this.state, this.question, point);
    const key = this.keyOf(point.value);
    const input = make("input", { type: "radio", name: this.element.id, value: String(point.value), "data-key": key });
    input.addEventListener("change", () => this.changed(point.value, "at once"));
    const words = label === null ? null : make("span", { class: sparse ? "unseen" : "", dir: "auto", "data-content": this.question.own_labels }, label);
    return make("label", {}, input, make("kbd", {}, key), words);
  }

  /** What is pressed for a value.
   *  @param {number} value */
  keyOf(value) {
    return String(value);
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
    return value === undefined ? say("lacks-points", { criterion: this.name }) : null;
  }

  /** A digit or a minus: the point with that key, or with the key that it makes with what was typed just before.
   *  @param {string} sign
   *  @returns {boolean} whether it meant anything */
  type(sign) {
    const now = performance.now();
    const before = now - this.typedAt < TOGETHER ? this.typed : "";
    const typed = [before + sign, sign].find((text) => this.inputs.some((input) => input.dataset.key?.startsWith(text)));
    this.typed = typed ?? "";
    this.typedAt = now;
    const input = this.inputs.find((candidate) => candidate.dataset.key === typed);
    if (input === undefined) return typed !== undefined;
    input.click();
    input.focus();
    return true;
  }
}
