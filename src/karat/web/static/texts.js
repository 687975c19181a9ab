// The texts of a task: what is judged, what stands beside it, and what comes before and after.

import { button, direction, make, say } from "./text.js";

/** @typedef {import("./server.js").Context} Context */
/** @typedef {import("./server.js").State} State */
/** @typedef {"h3" | "h4"} Level */

/** A text with what it is.
 * @param {string} heading
 * @param {string | HTMLElement | null} content the text, or an element that shows it
 * @param {string | null} language
 * @param {Level} [level] */
export function text(heading, content, language, level = "h3") {
  const shown = content instanceof HTMLElement ? content : paragraph(content ?? "", language);
  return make("div", { class: "text" }, make(level, {}, heading), shown);
}

/** @param {string} content
 *  @param {string | null} language */
const paragraph = (content, language) => make("p", { dir: direction(content, language), lang: language, "data-content": true }, content);

/** The texts of the same document around those that are judged.
 *  @param {string} heading
 *  @param {Context[]} contexts
 *  @param {State} state
 *  @param {boolean} source whether the source is in sight */
export function around(heading, contexts, state, source) {
  const rows = contexts.map((context) =>
    make(
      "div",
      { class: "texts" },
      source && context.source !== null ? paragraph(context.source, state.source_language) : null,
      ...context.translations.map((translation) => paragraph(translation, state.target_language)),
    ),
  );
  if (rows.length === 0) return null;
  // What can be scrolled can be reached by keys.
  return make("section", { class: "around", tabindex: "0", "aria-label": heading }, make("h3", {}, heading), ...rows);
}

/** A translation that is uncovered word by word. */
export class CoveredText {
  /** @param {string} content
   *  @param {string | null} language
   *  @param {number} seen how many words are uncovered already
   *  @param {(seen: number) => void} uncovered */
  constructor(content, language, seen, uncovered) {
    this.ends = [...content.matchAll(/\S+/g)].map(({ 0: word, index }) => index + word.length);
    this.content = content;
    this.seen = seen;
    this.uncovered = uncovered;
    this.shown = paragraph("", language);
    this.shown.setAttribute("aria-live", "polite");
    this.next = button(say("next-word"), () => this.uncover(), { "data-next-word": "" });
    this.element = make("div", { class: "covered" }, this.shown, make("div", { class: "actions" }, this.next));
    this.draw();
  }

  /** @returns {boolean} whether there was a word left */
  uncover() {
    if (this.next.disabled) return false;
    this.seen += 1;
    this.draw();
    this.uncovered(this.seen);
    return true;
  }

  /** No more is uncovered, since it has been answered; or more may be again.
   *  @param {boolean} stopped */
  stop(stopped) {
    this.next.disabled = stopped || this.seen >= this.ends.length;
  }

  draw() {
    this.shown.textContent = this.content.slice(0, this.ends[this.seen - 1] ?? 0);
    this.next.disabled = this.seen >= this.ends.length;
  }
}
