// Options to choose one from, in words: answers to a question, outcomes of a task, labels.

import { PointsField } from "./points.js";

export class ChoiceField extends PointsField {
  /** Options are counted from 0, and people count from 1.
   *  @param {number} value */
  keyOf(value) {
    return String(value + 1);
  }
}
