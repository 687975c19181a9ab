// What is on the screen beside tasks: the beginning, two answers to choose from, what is told of an answer, the end.

import { askedAbout, draftOf } from "./answers.js";
import { button, byId, languageName, make, say } from "./text.js";
import { text } from "./texts.js";
import { criterionName, labelOf, questionText, valueInWords } from "./wording.js";

/** @typedef {import("./server.js").State} State */
/** @typedef {import("./server.js").Task} Task */
/** @typedef {import("./server.js").Answer} Answer */
/** @typedef {import("./server.js").Feedback} Feedback */
/** @typedef {import("./server.js").Part} Part */

/** Puts a screen in place of what was there, and the focus on its heading.
 *  @param {string} heading
 *  @param {...(Node | string | null)} children */
export function screen(heading, ...children) {
  const title = make("h2", { tabindex: "-1" }, heading);
  byId("work").replaceChildren(title, ...children.filter((child) => child !== null));
  window.scrollTo(0, 0);
  title.focus();
}

/** @param {...HTMLElement} buttons */
const actions = (...buttons) => make("div", { class: "actions" }, ...buttons);

/** Asks once what decides who can judge what, and tells the guidelines.
 *  @param {State} state
 *  @returns {Promise<boolean>} */
export function askBilingual(state) {
  const language = languageName(state.source_language);
  const question = language === null ? say("bilingual-question-unknown") : say("bilingual-question", { language });
  return new Promise((resolve) => {
    const yes = button(say("yes"), () => resolve(true));
    const no = button(say("no"), () => resolve(false));
    const asked = make("fieldset", { class: "field" }, make("legend", {}, make("strong", {}, question)), make("p", { class: "quiet" }, say("bilingual-why")), actions(yes, no));
    screen(say("begin"), ...guidelines(state), asked);
    // The guidelines above are to be read first.
    yes.focus({ preventScroll: true });
  });
}

/** The campaign's guidelines, and what is asked.
 *  @param {State} state
 *  @returns {HTMLElement[]} */
export function guidelines(state) {
  const given = guidelinesOf(state);
  const asked = state.questions.flatMap((question) => {
    const points = question.points.map((point) => [String(point.value), labelOf(state, question, point)]);
    return [
      make("dt", {}, make("strong", {}, criterionName(question.criterion)), ` ${questionText(question.criterion) ?? ""}`),
      ...points.flatMap(([value, label]) => (label === null ? [] : [make("dd", { dir: "auto" }, make("b", {}, value), ` ${label}`)])),
    ];
  });
  return [...given, make("dl", { class: "asked" }, ...asked)];
}

/** The guidelines as the server has rendered them, which lets no markup of others through.
 *  @param {State} state
 *  @returns {HTMLElement[]} */
function guidelinesOf({ guidelines, guidelines_html: html }) {
  if (guidelines === null) return [];
  const place = make("div", { class: html === null ? "guidelines" : "guidelines rendered", dir: "auto", "data-content": true });
  if (html === null) place.textContent = guidelines;
  else place.append(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
  return [place];
}

/** Two answers to one task: both are shown, and one is chosen.
 *  @param {State} state
 *  @param {Task} task
 *  @param {Answer[]} theirs
 *  @param {Answer[]} mine
 *  @returns {Promise<boolean>} whether it is `mine` */
export function chooseAnswer(state, task, theirs, mine) {
  return new Promise((resolve) => {
    const parts = task.parts.map((part, number) =>
      make(
        "section",
        { class: "part" },
        text(part.title === null ? say("translation") : say("subject"), part.translation ?? part.title, state.target_language),
        make("div", { class: "texts" }, answerBox(state, part, say("stored-answer"), theirs[number]), answerBox(state, part, say("this-answer"), mine[number])),
      ),
    );
    const keep = button(say("theirs"), () => resolve(false));
    const take = button(say("mine"), () => resolve(true));
    screen(say("conflict"), make("p", {}, say("conflict-choose")), ...parts, actions(keep, take));
  });
}

/** @param {State} state
 *  @param {Part} part
 *  @param {string} heading
 *  @param {Answer | undefined} answer */
function answerBox(state, part, heading, answer) {
  const rows = answerRows(state, part, askedAbout(state.questions, part), draftOf(answer).values);
  const broken = answer?.broken ? [make("dt", {}, say("flag")), make("dd", { dir: "auto", "data-content": true }, answer.broken)] : [];
  return make("div", { class: "answer" }, make("h3", {}, heading), make("dl", {}, ...rows, ...broken));
}

/** Questions, each with what was answered.
 *  @param {State} state
 *  @param {Part} part
 *  @param {import("./answers.js").Asked[]} asked
 *  @param {Record<string, any>} values */
const answerRows = (state, part, asked, values) =>
  asked.flatMap((question) => [
    make("dt", { "data-content": question.item !== null }, question.item?.text ?? criterionName(question.criterion)),
    make("dd", { dir: "auto", "data-content": question.widget === "text" }, valueInWords(state, question, part, values[question.name])),
  ]);

/** Tells that an answer to a check or an exercise was not the one expected.
 *  @param {State} state
 *  @param {Task} task
 *  @param {Feedback} feedback
 *  @returns {Promise<boolean>} whether to look at it again */
export function tellFailed(state, task, { explanation, expected }) {
  return new Promise((resolve) => {
    const again = button(say("look-again"), () => resolve(true));
    const on = button(say("go-on"), () => resolve(false), { class: "main" });
    const why = explanation === null ? null : make("p", { class: "explanation", dir: "auto", "data-content": true }, explanation);
    const right = (expected ?? []).map((answer, number) => expectedOf(state, task.parts[number], answer));
    const kind = task.tutorial ? "exercise" : "check";
    screen(say(`${kind}-failed`), ...right, why, make("p", {}, say(`${kind}-explain`)), actions(on, again));
  });
}

/** A translation with what should have been answered about it.
 *  @param {State} state
 *  @param {Part} part
 *  @param {Answer} answer */
function expectedOf(state, part, answer) {
  const { values } = draftOf(answer);
  const said = askedAbout(state.questions, part).filter(({ name }) => values[name] !== undefined);
  const shown = part.translation === null ? null : text(say("translation"), part.translation, state.target_language);
  return make("section", { class: "part" }, shown, make("div", { class: "answer" }, make("h3", {}, say("expected")), make("dl", {}, ...answerRows(state, part, said, values))));
}

/** That nothing is left to do. */
export function finish() {
  screen(say("finished"), make("p", {}, say("finished-look-back")));
}

/** That the exercises are over, and too few were answered well.
 *  @param {import("./server.js").Tutorial} tutorial */
export function failTutorial({ right, needed, planned }) {
  screen(say("tutorial-failed"), make("p", {}, say("tutorial-failed-why", { right, needed, planned })));
}

/** That there is no way in.
 *  @param {string} why */
export function shutOut(why) {
  screen(why);
  for (const element of document.querySelectorAll("header nav button")) element.setAttribute("disabled", "");
}
