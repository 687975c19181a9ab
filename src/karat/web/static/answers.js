// Answers as they are kept while they are given, and as they go to the server.

/** @typedef {import("./server.js").Answer} Answer */
/** @typedef {import("./server.js").Item} Item */
/** @typedef {import("./server.js").Part} Part */
/** @typedef {import("./server.js").Question} Question */
/** @typedef {import("./server.js").Task} Task */
/** A question as it is put about one part: that of the campaign, or one of the part's own.
 *  @typedef {Question & {item: Item | null}} Asked */
/** Values by name of the question, whatever the widget; how many words were seen for them, where that counts.
 *  @typedef {{values: Record<string, any>, words: Record<string, number>, broken: string | null}} PartDraft */

/** Where an answer has values that are more than a number. */
const PLACES = /** @type {const} */ ({ spans: "spans", text: "texts" });

/** The questions about a part.
 *  @param {Question[]} questions
 *  @param {Part} part
 *  @returns {Asked[]} */
export function askedAbout(questions, part) {
  return questions.flatMap((question) => {
    if (!question.items) return [{ ...question, item: null }];
    return part.items.filter(({ criterion }) => criterion === question.criterion).map((item) => ownQuestion(question, item));
  });
}

/** @param {Question} question
 *  @param {Item} item
 *  @returns {Asked} */
function ownQuestion(question, item) {
  const own = item.points.length > 0;
  return { ...question, item, name: item.name, points: own ? item.points : question.points, own_labels: own || question.own_labels };
}

/** The answers that the server has, or none.
 *  @param {Task} task
 *  @returns {PartDraft[]} */
export const storedAnswers = (task) => task.parts.map((_, number) => draftOf(task.answers[number]));

/** @param {import("./server.js").Settled | undefined} answer
 *  @returns {PartDraft} */
export function draftOf(answer) {
  return {
    values: { ...answer?.values, ...answer?.spans, ...answer?.texts },
    words: { ...answer?.words },
    broken: answer?.broken ?? null,
  };
}

/** Whether all that was answered once is answered so here. Of a text, how it came about does not count.
 *  @param {PartDraft} once
 *  @param {PartDraft} here */
export const sameAnswers = (once, here) =>
  Object.entries(once.values).every(([name, value]) => same(value.text ?? value, here.values[name]?.text ?? here.values[name]));

/** @param {any} one
 *  @param {any} other
 *  @returns {boolean} */
function same(one, other) {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => same(one[name], other[name]));
}

/** What goes to the server about a part.
 *  @param {PartDraft} draft
 *  @param {Asked[]} asked
 *  @param {number} seconds
 *  @returns {Answer} */
export function answerOf({ values, words, broken }, asked, seconds) {
  /** @type {Required<Pick<Answer, "values" | "spans" | "texts" | "words">>} */
  const given = { values: {}, spans: {}, texts: {}, words: {} };
  for (const { name, widget, reveal } of asked) {
    if (values[name] === undefined) continue;
    const place = widget === "spans" || widget === "text" ? PLACES[widget] : "values";
    given[place][name] = values[name];
    if (reveal && words[name] !== undefined) given.words[name] = words[name];
  }
  const reason = broken?.trim() ? broken.trim().replace(/\p{Surrogate}|\0/gu, "") : null;
  return { ...given, seconds: Math.round(seconds * 1000) / 1000, broken: reason };
}
