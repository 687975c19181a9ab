// What criteria, questions and points of scales are called, in the page's language where it has words for them.

import { languageName, said, say } from "./text.js";

/** @typedef {import("./server.js").Question} Question */
/** @typedef {import("./server.js").Point} Point */
/** @typedef {import("./server.js").State} State */

/** @param {string} criterion */
export const criterionName = (criterion) => (said(`criterion.${criterion}`) ? say(`criterion.${criterion}`) : criterion);

/** @param {string} criterion
 *  @returns {string | null} */
export const questionText = (criterion) => (said(`question.${criterion}`) ? say(`question.${criterion}`) : null);

/** What stands beside a point: in the campaign's own words if it has any, else in those of the page's language.
 *  @param {State} state
 *  @param {Question} question
 *  @param {Point} point
 *  @returns {string | null} */
export function labelOf(state, question, { value, label }) {
  if (label === null || question.own_labels) return label;
  const name = `label.${state.protocol}.${question.criterion}.${value}`;
  return said(name) ? say(name, { target: languageName(state.target_language) ?? say("no-language") }) : label;
}

/** A value as raters see it: with its label, where it has one.
 *  @param {State} state
 *  @param {Question} question
 *  @param {number | undefined} value
 *  @returns {string} */
export function valueInWords(state, question, value) {
  if (value === undefined) return say("no-answer");
  const point = question.points.find((candidate) => candidate.value === value);
  const label = point === undefined ? null : labelOf(state, question, point);
  return label === null ? String(value) : `${value} (${label})`;
}
