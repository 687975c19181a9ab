// What criteria, questions and points of scales are called, in the page's language where it has words for them.

import { languageName, said, say } from "./text.js";

/** @typedef {import("./answers.js").Asked} Asked */
/** @typedef {import("./server.js").Part} Part */
/** @typedef {import("./server.js").Question} Question */
/** @typedef {import("./server.js").Span} Span */
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

/** @param {string} severity */
export const severityName = (severity) => (said(`severity.${severity}`) ? say(`severity.${severity}`) : severity);

/** A value as raters see it: with its label, where it has one; marks with the words that are marked.
 *  @param {State} state
 *  @param {Asked} question
 *  @param {Part} part
 *  @param {any} value
 *  @returns {string} */
export function valueInWords(state, question, part, value) {
  if (value === undefined) return say("no-answer");
  if (question.widget === "spans") return marksInWords(part, value);
  if (question.widget === "text") return value.text;
  if (question.ranking !== null) return question.ranking.form === "ranks" ? String(value) : say(`rank-${value}`);
  const point = question.points.find((candidate) => candidate.value === value);
  const label = point === undefined ? null : labelOf(state, question, point);
  if (question.widget === "choice" && label !== null) return label;
  return label === null ? String(value) : `${value} (${label})`;
}

/** @param {Part} part
 *  @param {Span[]} spans */
function marksInWords(part, spans) {
  const there = spans.filter(({ fate }) => fate !== "removed");
  const words = there.map(({ text, start, end, token, severity, category }) => {
    const whole = text === "source" ? part.source : part.translation;
    const quote = token ?? [...(whole ?? "")].slice(start ?? 0, end ?? 0).join("");
    const kinds = [severity === null ? null : severityName(severity), category].filter((kind) => kind !== null);
    return kinds.length > 0 ? `${quote} (${kinds.join(", ")})` : quote;
  });
  return words.length > 0 ? words.join("; ") : say("no-marks");
}
