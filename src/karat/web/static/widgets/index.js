// The widgets by name: each is a module that makes fields of questions, which is all that the form knows of it.

import { ChoiceField } from "./choice.js";
import { ClosedField } from "./field.js";
import { PointsField } from "./points.js";
import { rankingField } from "./ranking.js";
import { SliderField } from "./slider.js";
import { SpansField } from "./spans.js";
import { WritingField } from "./writing.js";

/** @typedef {import("./field.js").Setting} Setting */
/** @typedef {import("./field.js").Field} Field */

/** @type {Record<string, (setting: Setting) => Field>} */
const WIDGETS = {
  points: (setting) => new PointsField(setting),
  slider: (setting) => new SliderField(setting),
  choice: (setting) => new ChoiceField(setting),
  ranking: rankingField,
  spans: (setting) => new SpansField(setting),
  text: (setting) => new WritingField(setting),
};

/** @param {Setting} setting
 *  @param {boolean} closed whether the answer stays as it is
 *  @returns {Field} */
export const fieldOf = (setting, closed) => (closed ? new ClosedField(setting) : WIDGETS[setting.question.widget](setting));
