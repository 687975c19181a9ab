// What stands below a scale: the labels of some of its points.

import { make } from "../text.js";
import { labelOf } from "../wording.js";

/** @typedef {import("../server.js").Question} Question */
/** @typedef {import("../server.js").State} State */
/** @typedef {{value: number, label: string | null}} Mark */

/** The labels below a scale, each under its place on it.
 *  @param {Question} question
 *  @param {Mark[]} marks */
export function marksBelow({ minimum, maximum }, marks) {
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
 *  @param {State} state
 *  @param {Question} question
 *  @returns {Mark[]} */
export function labelledPoints(state, question) {
  const points = question.points.map((point) => ({ value: point.value, label: labelOf(state, question, point) }));
  return points.filter(({ label }) => label !== null);
}
