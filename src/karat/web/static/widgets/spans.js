// Marks on the texts themselves: what is wrong, where, how bad, and of which kind.

import { letterOf, signOf } from "../signs.js";
import { announce, button, make, say } from "../text.js";
import { severityName } from "../wording.js";
import { Field } from "./field.js";
import { lettersFor } from "./letters.js";
import { MarkedText, covers } from "./marked_text.js";
import { changedSpan, offeredSpans, overlapping, samePlace, withoutSpan } from "./marks.js";

/** @typedef {import("../server.js").OfferedSpan} OfferedSpan */
/** @typedef {import("../server.js").Side} Side */
/** @typedef {import("../server.js").Span} Span */
/** @typedef {import("../server.js").SpanRules} SpanRules */
/** @typedef {import("./field.js").Setting<Span[]>} Setting */
/** @typedef {{severity?: string, category?: string}} Kind */

/** How bad severities are that are known by their names, from 0 to 3. */
const KNOWN = new Map([["neutral", 0], ["minor", 1], ["major", 2], ["critical", 3]]);
const LONGEST_QUOTE = 40;

/** @extends {Field<Span[]>} */
export class SpansField extends Field {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    this.rules = /** @type {SpanRules} */ (setting.question.spans);
    /** @type {Span[]} */
    this.spans = setting.value ?? offeredSpans(setting.part);
    this.letters = lettersFor(this.rules.categories);
    /** @type {Map<Side, MarkedText>} */
    this.texts = new Map();
    for (const side of this.rules.texts) this.addText(side);
    /** The text that was worked on last. @type {Side} */
    this.side = this.rules.texts[0];
    this.hint = make("p", { class: "quiet hint" }, this.advice);
    this.tools = this.toolbar();
    this.list = make("ul", { class: "spans" });
    this.element.append(this.hint, this.tools, this.list);
    this.draw();
  }

  get initial() {
    return this.spans;
  }

  /** @param {Side} side */
  addText(side) {
    const content = side === "source" ? this.part.source : this.part.translation;
    if (content === null) return;
    const marked = new MarkedText({
      text: content,
      language: side === "source" ? this.state.source_language : this.state.target_language,
      label: say("mark-in", { text: say(side === "source" ? "source" : "translation") }),
      unit: this.rules.unit,
      gaps: this.rules.gaps,
      tokens: side === "hypothesis" ? this.rules.tokens : [],
      chosen: () => this.turnTo(side),
    });
    marked.element.addEventListener("keydown", (event) => this.key(event, side));
    this.texts.set(side, marked);
  }

  /** @param {Side} side */
  textOf(side) {
    return this.texts.get(side)?.element ?? null;
  }

  get inputs() {
    return [...this.texts.values()].map(({ element }) => element);
  }

  /** How to mark, in a sentence. */
  get advice() {
    const { categories, severities } = this.rules;
    if (severities.length === 0) return say(categories.length === 0 ? "mark-how-plain" : "mark-how-letter");
    return say(categories.length === 0 ? "mark-how-digit" : "mark-how-both");
  }

  toolbar() {
    const { categories, severities } = this.rules;
    const degrees = severities.map((severity, number) =>
      this.tool(String(number + 1), severityName(severity), () => this.mark({ severity }), { class: `tool level-${this.level(severity)}`, "data-severity": severity }),
    );
    const plain = categories.length + severities.length === 0 ? [this.tool("1", say("mark-plain"), () => this.mark({}), { class: "tool level-2" })] : [];
    const gone = this.tool("Del", say("mark-remove"), () => this.removeActive(), { class: "tool" });
    return make("div", { class: "tools" }, make("div", { class: "row" }, ...plain, ...degrees, gone), ...this.kindRows());
  }

  /** Buttons for the categories, those below one on a row of their own. */
  kindRows() {
    /** @type {Map<string, HTMLElement[]>} */
    const groups = new Map();
    for (const [number, category] of this.rules.categories.entries()) {
      const [above, below] = split(category);
      const attributes = { class: "tool", "data-category": category };
      const group = below === null ? "" : above;
      const button = this.tool(this.letters[number].toUpperCase(), below ?? above, () => this.mark({ category }), attributes);
      groups.set(group, [...(groups.get(group) ?? []), button]);
    }
    return [...groups].map(([above, buttons]) => {
      const title = above === "" ? null : make("span", { dir: "auto" }, above);
      return make("div", { class: "row", role: "group", "aria-label": above || null, "data-content": true }, title, ...buttons);
    });
  }

  /** @param {string} key
   *  @param {string} name
   *  @param {() => void} work
   *  @param {Record<string, string>} attributes */
  tool(key, name, work, attributes) {
    const back = () => {
      work();
      this.focusText();
    };
    const element = button("", back, attributes);
    element.append(make("kbd", {}, key), " ", make("span", {}, name));
    // The choice on the text must not go away with the press of the button.
    element.addEventListener("mousedown", (event) => event.preventDefault());
    return element;
  }

  /** @param {KeyboardEvent} event
   *  @param {Side} side */
  key(event, side) {
    const text = this.texts.get(side);
    if (text === undefined || event.defaultPrevented || event.isComposing) return;
    this.side = side;
    if (this.means(event, text)) event.preventDefault();
  }

  /** @param {KeyboardEvent} event
   *  @param {MarkedText} text
   *  @returns {boolean} whether the key meant anything */
  means(event, text) {
    const plain = this.rules.severities.length + this.rules.categories.length === 0;
    if (plain && event.key === " ") return this.mark({});
    if (text.key(event)) return true;
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    if (event.key === "Delete" || event.key === "Backspace") return this.removeActive();
    const sign = signOf(event, false);
    return sign === null ? this.ofLetter(event) : this.type(sign);
  }

  /** @param {KeyboardEvent} event
   *  @returns {boolean} whether it is the key of a category */
  ofLetter(event) {
    const key = letterOf(event);
    const meant = this.rules.categories.filter((_, number) => this.letters[number] === key);
    if (meant.length === 0) return false;
    const now = meant.indexOf(this.active()?.category ?? "");
    return this.mark({ category: meant[(now + 1) % meant.length] });
  }

  /** A digit gives a severity, or marks where nothing else is asked.
   *  @param {string} sign */
  type(sign) {
    if (this.place === null) return false;
    const severity = this.rules.severities[Number(sign) - 1];
    if (severity !== undefined) return this.mark({ severity });
    if (sign === "1" && this.rules.categories.length === 0) return this.mark({});
    return false;
  }

  /** Something was chosen on a text: what was on the other is not any more.
   *  @param {Side} side */
  turnTo(side) {
    this.side = side;
    for (const [other, text] of this.texts) if (other !== side) text.forget();
    this.draw();
  }

  /** The place that is chosen, in code points.
   *  @returns {OfferedSpan | null} */
  get place() {
    const text = this.texts.get(this.side);
    const place = text?.place ?? null;
    if (text === undefined || place === null) return null;
    const whole = { text: this.side, category: null, severity: null, token: place.token };
    if (place.token !== null) return { ...whole, start: null, end: null };
    return { ...whole, start: text.offsets.points[place.start], end: text.offsets.points[place.end] };
  }

  /** The mark that keys and buttons change: the one on the chosen place, or around the word with the cursor.
   *  @returns {Span | null} */
  active() {
    const text = this.texts.get(this.side);
    const { place } = this;
    if (text === undefined || place === null) return null;
    const there = this.spans.filter((span) => span.fate !== "removed" && span.text === this.side);
    const exact = there.findLast((span) => samePlace(span, place));
    if (exact !== undefined || text.drawn) return exact ?? null;
    const around = there.filter((span) => overlapping(span, place));
    return around.sort((a, b) => lengthOf(a) - lengthOf(b))[0] ?? null;
  }

  /** Marks what is chosen, or changes the mark that is there.
   *  @param {Kind} kind
   *  @returns {true} */
  mark(kind) {
    const active = this.active();
    const { place } = this;
    if (place === null) this.refuse(say("mark-nothing"));
    else if (active !== null) this.markAgain(active, place, kind);
    else this.markNew(place, kind);
    return true;
  }

  /** Changes a mark; what it was already is taken back, where a mark says nothing else.
   *  @param {Span} span
   *  @param {OfferedSpan} place
   *  @param {Kind} kind */
  markAgain(span, place, kind) {
    const { severities, overlap } = this.rules;
    if (severities.length > 0) return this.replace(span, changedSpan(this.part, span, kind));
    const same = this.spans.find((each) => each.fate !== "removed" && samePlace(each, span) && each.category === (kind.category ?? null));
    if (same !== undefined) this.remove(same);
    else if (overlap) this.add({ ...place, start: span.start, end: span.end, ...kind });
    else this.replace(span, changedSpan(this.part, span, kind));
  }

  /** @param {OfferedSpan} place
   *  @param {Kind} kind */
  markNew(place, kind) {
    const hit = this.spans.filter((span) => span.fate !== "removed" && overlapping(span, place));
    if (this.rules.overlap || hit.length === 0) this.add({ ...place, ...kind });
    else if (hit.length === 1) this.replace(hit[0], changedSpan(this.part, hit[0], { ...kind, start: place.start, end: place.end }));
    else this.refuse(say("mark-overlap"));
  }

  /** @param {OfferedSpan} place */
  add(place) {
    const hash = this.part.hashes[place.text] ?? "";
    /** @type {Span} */
    const span = { ...place, hash, fate: "made", offered: null };
    this.take([...this.spans, span]);
    announce(say("marked", { quote: this.quoteOf(span), words: this.wordsOf(span) }));
  }

  /** @param {Span} span
   *  @param {Span} next */
  replace(span, next) {
    this.take(this.spans.map((each) => (each === span ? next : each)));
    announce(say("marked", { quote: this.quoteOf(next), words: this.wordsOf(next) }));
  }

  /** @returns {boolean} whether there was a mark */
  removeActive() {
    const active = this.active();
    if (active === null) return false;
    this.remove(active);
    return true;
  }

  /** @param {Span} span */
  remove(span) {
    this.take(withoutSpan(this.part, this.spans, span));
    announce(say("mark-removed", { quote: this.quoteOf(span) }));
  }

  /** @param {Span[]} spans */
  take(spans) {
    this.spans = spans;
    this.hint.textContent = this.advice;
    this.hint.classList.remove("refused");
    this.draw();
    this.changed(spans, "at once");
  }

  /** @param {string} why */
  refuse(why) {
    this.hint.textContent = why;
    this.hint.classList.add("refused");
    announce(why);
  }

  /** @param {Span[] | undefined} spans */
  show(spans) {
    this.spans = spans ?? offeredSpans(this.part);
    this.draw();
  }

  draw() {
    const active = this.active();
    for (const [side, text] of this.texts) {
      const here = this.spans.filter((span) => span.text === side && span.fate !== "removed");
      text.paint(here.map((span) => ({ ...unitsOf(text, span), level: this.levelOf(span), active: span === active, words: this.wordsOf(span) })));
    }
    const inList = this.list.contains(document.activeElement);
    this.list.replaceChildren(...this.ordered().map((span) => this.row(span, span === active)));
    if (inList) this.focusText();
    for (const tool of this.tools.querySelectorAll("button")) {
      const { severity, category } = tool.dataset;
      const pressed = active !== null && ((severity !== undefined && severity === active.severity) || (category !== undefined && category === active.category));
      if (severity !== undefined || category !== undefined) tool.setAttribute("aria-pressed", String(pressed));
    }
  }

  /** The marks in the order of the texts. */
  ordered() {
    return [...this.spans].sort((a, b) => a.text.localeCompare(b.text) || (a.start ?? Infinity) - (b.start ?? Infinity) || (a.end ?? 0) - (b.end ?? 0));
  }

  /** A mark in the list below the texts.
   *  @param {Span} span
   *  @param {boolean} active */
  row(span, active) {
    const removed = span.fate === "removed";
    const quote = button("", () => this.goTo(span), { class: "quote" });
    quote.append(make("bdi", { "data-content": true }, this.quoteOf(span)));
    if (removed) quote.disabled = true;
    const fate = span.offered === null ? null : make("span", { class: "quiet" }, say(`fate-${span.fate}`));
    const undo = removed
      ? button(say("mark-back"), () => this.bringBack(span), { class: "plain" })
      : button(say("mark-remove"), () => this.remove(span), { class: "plain", "aria-label": say("mark-remove-it", { quote: this.quoteOf(span) }) });
    const words = make("span", { class: `words level-${this.levelOf(span)}` }, this.wordsOf(span));
    return make("li", { class: [removed ? "removed" : "", active ? "active" : ""].join(" ").trim() || null }, quote, words, fate, undo);
  }

  /** @param {Span} span */
  bringBack(span) {
    const hit = this.spans.some((each) => each !== span && each.fate !== "removed" && overlapping(each, span));
    if (hit && !this.rules.overlap) this.refuse(say("mark-overlap"));
    else {
      this.replace(span, { ...span, fate: "kept" });
      this.goTo(span);
    }
  }

  /** Puts the cursor on a mark, so that keys and buttons change it.
   *  @param {Span} span */
  goTo(span) {
    const text = this.texts.get(span.text);
    if (text === undefined) return;
    const place = unitsOf(text, span);
    const number = text.options.findIndex((option) => covers(place, option));
    text.choose(place, true);
    if (number !== -1) text.putCursor(number, true);
  }

  focus() {
    const lacking = this.spans.find((span) => this.lackOf(span) !== null);
    if (lacking === undefined) this.focusText();
    else this.goTo(lacking);
  }

  /** Puts the focus on the word with the cursor. */
  focusText() {
    const text = this.texts.get(this.side);
    text?.options[text.cursor]?.element.focus();
  }

  /** @param {Span[] | undefined} spans
   *  @returns {string | null} */
  lack(spans) {
    return (spans ?? this.spans).map((span) => this.lackOf(span)).find((lack) => lack !== null) ?? null;
  }

  /** @param {Span} span
   *  @returns {string | null} */
  lackOf(span) {
    if (span.fate === "removed") return null;
    const { categories, severities } = this.rules;
    const quote = this.quoteOf(span);
    if (severities.length > 0 && span.severity === null) return say("lacks-severity", { quote });
    return categories.length > 0 && span.category === null ? say("lacks-category", { quote }) : null;
  }

  /** @param {string} severity */
  level(severity) {
    const { severities } = this.rules;
    const place = severities.length > 1 ? severities.indexOf(severity) / (severities.length - 1) : 1;
    return KNOWN.get(severity.toLowerCase()) ?? 1 + Math.round(place);
  }

  /** @param {Span} span
   *  @returns {number | "open"} */
  levelOf(span) {
    if (this.lackOf(span) !== null) return "open";
    return span.severity === null ? 2 : this.level(span.severity);
  }

  /** The marked words.
   *  @param {Span} span */
  quoteOf(span) {
    const text = this.texts.get(span.text);
    if (span.token !== null || text === undefined) return span.token ?? "";
    const quote = text.quote(unitsOf(text, span));
    return quote.length <= LONGEST_QUOTE ? quote : `${quote.slice(0, LONGEST_QUOTE)}…`;
  }

  /** What a mark says.
   *  @param {Span} span */
  wordsOf(span) {
    const words = [span.severity === null ? null : severityName(span.severity), span.category].filter((word) => word !== null);
    return words.length > 0 ? words.join(", ") : say(this.lackOf(span) === null ? "mark-plain" : "mark-open");
  }
}

/** @param {MarkedText} text
 *  @param {OfferedSpan} span */
function unitsOf({ text, offsets }, { start, end, token }) {
  const last = text.length;
  return { start: start === null ? last : offsets.units[start], end: end === null ? last : offsets.units[end], token };
}

/** @param {Span} span */
const lengthOf = ({ start, end }) => (end ?? 0) - (start ?? 0);

/** A category, and what it is below of, if it is below another.
 *  @param {string} category
 *  @returns {[string, string | null]} */
function split(category) {
  const mark = category.indexOf("/");
  return mark === -1 ? [category, null] : [category.slice(0, mark), category.slice(mark + 1)];
}
