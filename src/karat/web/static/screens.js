// What is on the screen beside tasks: the beginning, two answers to choose from, what is told of an answer, the end.

import { text } from "./form.js";
import { button, byId, languageName, make, say } from "./text.js";
import { criterionName, labelOf, questionText, valueInWords } from "./wording.js";

/** @typedef {import("./server.js").State} State */
/** @typedef {import("./server.js").Task} Task */
/** @typedef {import("./server.js").Answer} Answer */
/** @typedef {import("./server.js").Feedback} Feedback */

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
  const given = state.guidelines === null ? [] : [make("p", { class: "guidelines", dir: "auto", "data-content": true }, state.guidelines)];
  const asked = state.questions.flatMap((question) => {
    const points = question.points.map((point) => [String(point.value), labelOf(state, question, point)]);
    return [
      make("dt", {}, make("strong", {}, criterionName(question.criterion)), ` ${questionText(question.criterion) ?? ""}`),
      ...points.flatMap(([value, label]) => (label === null ? [] : [make("dd", { dir: "auto" }, make("b", {}, value), ` ${label}`)])),
    ];
  });
  return [...given, make("dl", { class: "asked" }, ...asked)];
}

/** Two answers to one task: both are shown, and one is chosen.
 *  @param {State} state
 *  @param {Task | null} task its texts, if they could be had
 *  @param {Answer[]} theirs
 *  @param {Answer[]} mine
 *  @returns {Promise<boolean>} whether it is `mine` */
export function chooseAnswer(state, task, theirs, mine) {
  return new Promise((resolve) => {
    const parts = mine.map((answer, number) =>
      make(
        "section",
        { class: "part" },
        task === null ? null : text(say("translation"), task.parts[number]?.translation ?? "", state.target_language),
        make("div", { class: "texts" }, answerBox(state, say("stored-answer"), theirs[number]), answerBox(state, say("this-answer"), answer)),
      ),
    );
    const keep = button(say("theirs"), () => resolve(false));
    const take = button(say("mine"), () => resolve(true));
    screen(say("conflict"), make("p", {}, say("conflict-choose")), ...parts, actions(keep, take));
  });
}

/** @param {State} state
 *  @param {string} heading
 *  @param {Answer | undefined} answer */
function answerBox(state, heading, answer) {
  const rows = state.questions.flatMap((question) => [
    make("dt", {}, criterionName(question.criterion)),
    make("dd", { dir: "auto" }, valueInWords(state, question, answer?.values[question.criterion])),
  ]);
  const broken = answer?.broken ? [make("dt", {}, say("flag")), make("dd", { dir: "auto", "data-content": true }, answer.broken)] : [];
  return make("div", { class: "answer" }, make("h3", {}, heading), make("dl", {}, ...rows, ...broken));
}

/** Tells that an answer to a check was not the one expected.
 *  @param {Feedback} feedback
 *  @returns {Promise<boolean>} whether to look at it again */
export function tellFailed({ explanation }) {
  return new Promise((resolve) => {
    const again = button(say("look-again"), () => resolve(true));
    const on = button(say("go-on"), () => resolve(false), { class: "main" });
    const why = explanation === null ? null : make("p", { class: "explanation", dir: "auto", "data-content": true }, explanation);
    screen(say("check-failed"), why, make("p", {}, say("check-explain")), actions(on, again));
  });
}

/** That nothing is left to do. */
export function finish() {
  screen(say("finished"), make("p", {}, say("finished-look-back")));
}

/** That there is no way in.
 *  @param {string} why */
export function shutOut(why) {
  screen(why);
  for (const element of document.querySelectorAll("header nav button")) element.setAttribute("disabled", "");
}
