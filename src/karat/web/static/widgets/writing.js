// A text to write or to correct, with how it came about: time, pauses, keys and edits.

import { direction, make, say } from "../text.js";
import { Field } from "./field.js";
import { TypingLog } from "./typing_log.js";

/** @typedef {import("../server.js").Text} Text */
/** @typedef {import("../server.js").TextRules} TextRules */
/** @typedef {import("./field.js").Setting<Text>} Setting */

/** @extends {Field<Text>} */
export class WritingField extends Field {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    this.rules = /** @type {TextRules} */ (setting.question.text);
    const text = setting.value?.text ?? this.start;
    this.log = this.rules.log ? new TypingLog(this.start, text, setting.value?.log ?? null) : null;
    const language = this.state.target_language;
    this.area = make("textarea", { rows: "3", lang: language, dir: direction(text, language), "aria-label": this.name, "data-single": !this.rules.lines });
    this.area.value = text;
    this.area.addEventListener("input", () => this.take());
    this.log?.listen(this.area);
    const advice = this.rules.lines ? say("write-lines") : this.rules.minimal ? say("write-minimal") : null;
    this.element.append(...(advice === null ? [] : [make("p", { class: "quiet" }, advice)]), this.area);
  }

  /** What the field holds before anything is written. */
  get start() {
    return this.rules.start === "translation" ? (this.part.translation ?? "") : "";
  }

  get initial() {
    return this.rules.start === "translation" || this.rules.lines ? this.value(this.start) : undefined;
  }

  /** With the time that has passed since it was written.
   *  @param {Text} value
   *  @returns {Text} */
  answer(value) {
    return this.value(value.text);
  }

  /** @param {string} text
   *  @returns {Text} */
  value(text) {
    return { text, log: this.log?.record ?? null };
  }

  take() {
    // Halves of characters and the sign of number 0 are no text.
    const text = this.area.value.replace(/\p{Surrogate}|\0/gu, "");
    this.log?.wrote(text);
    this.changed(this.value(text), "typed");
  }

  /** @param {Text | undefined} value */
  show(value) {
    this.area.value = value?.text ?? this.start;
    this.log?.takeBack(this.area.value, value?.log ?? null);
  }

  focus() {
    this.area.focus();
  }

  /** @param {Text | undefined} value
   *  @returns {string | null} */
  lack(value) {
    const { lines } = this.rules;
    return lines || value?.text.trim() ? null : say("lacks-text", { criterion: this.name });
  }
}
