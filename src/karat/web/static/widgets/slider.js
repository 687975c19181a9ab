// A slider with a value to type.

import { plainNumber } from "../signs.js";
import { make, say } from "../text.js";
import { Field } from "./field.js";
import { labelledPoints, marksBelow } from "./scale.js";

/** @typedef {import("../server.js").Question} Question */
/** @typedef {import("./field.js").Setting<number>} Setting */
/** @typedef {import("./field.js").How} How */

/** @extends {Field<number>} */
export class SliderField extends Field {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    const { minimum, maximum } = this.question;
    const said = { criterion: this.name, minimum, maximum };
    this.step = stepOf(this.question);
    const limits = { min: String(minimum), max: String(maximum), step: String(this.step) };
    this.range = make("input", { type: "range", ...limits, "aria-label": say("value", said) });
    this.box = make("input", {
      ...{ type: "text", inputmode: "decimal", autocomplete: "off", maxlength: "12", name: setting.name },
      "aria-label": say("typed-value", said),
    });
    const labelled = labelledPoints(this.state, this.question);
    const ends = [minimum, maximum].map((value) => ({ value, label: null }));
    this.slider = make("div", { class: "slider" }, this.range, this.box, marksBelow(this.question, labelled.length > 1 ? labelled : ends));
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
    const { minimum, maximum, whole } = this.question;
    const written = this.box.value.trim();
    const kind = written === "" ? "lacks-value" : whole ? "lacks-whole" : "lacks-range";
    return say(kind, { criterion: this.name, minimum, maximum, written });
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

/** How far an arrow moves: 1 on a scale of whole numbers, else about a hundredth of the scale.
 * @param {Question} question */
function stepOf({ minimum, maximum, whole }) {
  return whole ? 1 : 10 ** Math.ceil(Math.log10((maximum - minimum) / 100) - 1e-9);
}
