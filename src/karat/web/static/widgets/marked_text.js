// A text of which stretches are chosen, by mouse, finger or keys, and on which marks are seen.
//
// Each word is an option of a list box, so that whoever hears the page goes from word to word. One word has the cursor;
// what is chosen goes from where the choice was begun to the cursor, or is what a mouse was drawn over.

import { direction, make, say } from "../text.js";
import { Offsets, characterEdges, runsOf, snapped, wordsOf } from "./cuts.js";

/** @typedef {import("./cuts.js").Stretch} Stretch */
/** A place that can be marked: a stretch in units of the browser, or a token that stands behind the text.
 *  @typedef {Stretch & {token: string | null}} Place */
/** A mark to be seen: how severe it is, from 0 to 3, and whether it is the one being worked on.
 *  @typedef {Place & {level: number | "open", active: boolean, words: string}} Seen */
/** @typedef {{text: string, language: string | null, label: string, unit: "characters" | "words", gaps: boolean,
 *   tokens: string[], chosen: () => void}} MarkedSetting */
/** @typedef {Place & {element: HTMLElement}} Option */

/** The level of what is chosen and not yet marked. */
const CHOSEN = -1;

export class MarkedText {
  /** @param {MarkedSetting} setting */
  constructor({ text, language, label, unit, gaps, tokens, chosen }) {
    this.text = text;
    this.offsets = new Offsets(text);
    this.chosen = chosen;
    const words = unit === "words" ? runsOf(text) : wordsOf(text, language);
    this.edges = unit === "words" ? [0, ...words.flatMap(({ start, end }) => [start, end]), text.length] : characterEdges(text, language);
    this.gaps = gaps;
    /** @type {Option[]} */
    this.options = [];
    this.body = make("p", { dir: direction(text, language), lang: language, "data-content": true, role: "none" });
    this.fill(words);
    const extra = tokens.map((token) => this.option({ start: text.length, end: text.length, token }, token));
    const behind = tokens.length > 0 ? make("p", { class: "tokens", role: "none", "data-content": true }, ...extra) : null;
    this.element = make("div", { class: "marked", role: "listbox", "aria-multiselectable": "true", "aria-label": label }, this.body, behind);
    this.cursor = 0;
    /** Where a choice by keys was begun. */
    this.anchor = 0;
    /** @type {Place | null} */
    this.choice = null;
    /** Whether more was meant than the word with the cursor. */
    this.drawn = false;
    this.options[0]?.element.setAttribute("tabindex", "0");
    this.listen();
  }

  /** Puts the words into the text, with what stands between them.
   *  @param {Stretch[]} words */
  fill(words) {
    let before = 0;
    for (const { start, end } of words) {
      this.between(before, start);
      this.body.append(this.option({ start, end, token: null }, this.text.slice(start, end)));
      before = end;
    }
    this.between(before, this.text.length);
  }

  /** @param {number} start
   *  @param {number} end */
  between(start, end) {
    if (this.gaps) {
      const place = start === 0 ? 0 : end === this.text.length ? end : start;
      this.body.append(this.option({ start: place, end: place, token: null }, this.text.slice(start, end)));
    } else if (start < end) {
      this.body.append(make("span", { "data-start": String(start), "data-end": String(end) }, this.text.slice(start, end)));
    }
  }

  /** @param {Place} place
   *  @param {string} content */
  option(place, content) {
    const kind = place.token !== null ? "token" : place.start !== place.end ? "word" : content === "" ? "gap edge" : "gap";
    const number = this.options.length;
    const bounds = { "data-start": String(place.start), "data-end": String(place.end), "data-number": String(number) };
    const element = make("span", { class: kind, role: "option", tabindex: "-1", "aria-selected": "false", ...bounds }, content);
    this.options.push({ ...place, element });
    return element;
  }

  listen() {
    this.element.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      const from = this.unitUnder(event);
      const over = new AbortController();
      document.addEventListener("pointercancel", () => over.abort(), { signal: over.signal });
      document.addEventListener("pointerup", (up) => (over.abort(), this.pointed(from, up)), { signal: over.signal });
    });
    this.element.addEventListener("focusin", (event) => {
      const number = this.numberOf(event.target);
      if (number !== null) this.putCursor(number, false);
    });
  }

  /** The option that something on the page lies in.
   *  @param {EventTarget | null} target
   *  @returns {number | null} */
  numberOf(target) {
    const element = target instanceof Element ? target.closest("[data-number]") : null;
    return element instanceof HTMLElement && this.element.contains(element) ? Number(element.dataset.number) : null;
  }

  /** Chooses what a mouse was drawn over, or the word that was clicked.
   *  @param {number | null} from where it was pressed
   *  @param {PointerEvent} event where it was let go */
  pointed(from, event) {
    const to = this.unitUnder(event);
    const own = from === null || to === null || from === to ? this.drawnOver() : { start: Math.min(from, to), end: Math.max(from, to) };
    const drawn = own === null ? null : snapped(this.text, this.edges, own);
    window.getSelection()?.removeAllRanges();
    const number = this.numberOf(event.target);
    if (drawn !== null) {
      this.choose({ ...drawn, token: null }, true);
      this.putCursor(this.optionAt(drawn.end - 1) ?? this.cursor, true);
    } else if (number !== null) {
      this.tapped(number, event.shiftKey || event.pointerType === "touch");
    }
  }

  /** A word was clicked or touched: it is chosen, or ends what was begun.
   *  @param {number} number
   *  @param {boolean} extending */
  tapped(number, extending) {
    if (extending && this.choice !== null) this.extendTo(number);
    else this.moveTo(number);
    this.putCursor(number, true);
  }

  /** The unit before which a pointer is, if it is over the text.
   *  @param {PointerEvent} event
   *  @returns {number | null} */
  unitUnder({ clientX, clientY, pointerType }) {
    // A finger scrolls, and touches words.
    if (pointerType === "touch") return null;
    const place = caretUnder(clientX, clientY);
    return place !== null && this.body.contains(place.node) ? this.unitAt(place.node, place.offset) : null;
  }

  /** The stretch of the text that is selected as browsers do it: by two clicks, or from or to somewhere else.
   *  @returns {Stretch | null} */
  drawnOver() {
    const selection = window.getSelection();
    if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null;
    const range = selection.getRangeAt(0);
    const whole = document.createRange();
    whole.selectNodeContents(this.body);
    if (!range.intersectsNode(this.body)) return null;
    const start = range.compareBoundaryPoints(Range.START_TO_START, whole) < 0 ? 0 : this.unitAt(range.startContainer, range.startOffset);
    const end = range.compareBoundaryPoints(Range.END_TO_END, whole) > 0 ? this.text.length : this.unitAt(range.endContainer, range.endOffset);
    return { start, end };
  }

  /** @param {Node} node
   *  @param {number} offset */
  unitAt(node, offset) {
    const range = document.createRange();
    range.setStart(this.body, 0);
    range.setEnd(node, offset);
    return Math.min(range.toString().length, this.text.length);
  }

  /** The word that a unit lies in, or the next.
   *  @param {number} unit
   *  @returns {number | null} */
  optionAt(unit) {
    const found = this.options.findIndex(({ end, token }) => token === null && end > unit);
    return found === -1 ? null : found;
  }

  /** @param {number} number
   *  @param {boolean} focus */
  putCursor(number, focus) {
    this.options[this.cursor]?.element.setAttribute("tabindex", "-1");
    this.cursor = number;
    const { element } = this.options[number];
    element.setAttribute("tabindex", "0");
    if (focus) element.focus();
  }

  /** @param {Place | null} place
   *  @param {boolean} drawn */
  choose(place, drawn) {
    this.choice = place;
    this.drawn = drawn;
    this.chosen();
  }

  /** Nothing is chosen, and nobody is told. */
  forget() {
    this.choice = null;
    this.drawn = false;
  }

  /** @param {number} number */
  moveTo(number) {
    this.anchor = number;
    this.choose(placeOf(this.options[number]), false);
  }

  /** Chooses all from where the choice was begun to a word; tokens and gaps stand for themselves.
   *  @param {number} number */
  extendTo(number) {
    const ends = [this.options[this.anchor], this.options[number]];
    if (ends.some(({ token }) => token !== null)) return this.moveTo(number);
    const start = Math.min(...ends.map((end) => end.start));
    const end = Math.max(...ends.map((end) => end.end));
    this.choose({ start, end, token: null }, true);
  }

  /** What a mark would be made of: what is chosen, or else the word that has the focus.
   *  @returns {Place | null} */
  get place() {
    const focused = this.options[this.cursor]?.element === document.activeElement;
    return this.choice ?? (focused ? placeOf(this.options[this.cursor]) : null);
  }

  /** Moves the cursor, and chooses.
   *  @param {KeyboardEvent} event
   *  @returns {boolean} whether the key meant anything */
  key(event) {
    const right = getComputedStyle(this.body).direction === "rtl" ? -1 : 1;
    const step = { ArrowRight: right, ArrowLeft: -right }[event.key];
    if (step !== undefined && (event.ctrlKey || event.altKey)) return this.byCharacter(step, event.shiftKey);
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    if (event.key === " ") this.choose(this.place, true);
    else if (event.key === "Escape" && this.choice !== null) this.choose(null, false);
    else return this.goTo(step === undefined ? this.target(event.key) : this.cursor + step, event.shiftKey);
    return true;
  }

  /** @param {number | null} number
   *  @param {boolean} extending */
  goTo(number, extending) {
    if (number === null) return false;
    const there = Math.max(0, Math.min(this.options.length - 1, number));
    if (extending && this.choice === null) this.anchor = this.cursor;
    if (extending) this.extendTo(there);
    else this.moveTo(there);
    this.putCursor(there, true);
    return true;
  }

  /** The word that a key leads to.
   *  @param {string} key
   *  @returns {number | null} */
  target(key) {
    if (key === "Home") return 0;
    if (key === "End") return this.options.length - 1;
    const down = { ArrowUp: -1, ArrowDown: 1 }[key];
    return down === undefined ? null : this.onNextLine(down);
  }

  /** The word above or below that with the cursor.
   *  @param {number} down 1 or -1 */
  onNextLine(down) {
    const boxes = this.options.map(({ element }) => element.getBoundingClientRect());
    const here = boxes[this.cursor];
    const beyond = boxes.filter((box) => (down > 0 ? box.top >= here.bottom - 1 : box.bottom <= here.top + 1));
    if (beyond.length === 0) return this.cursor;
    const line = down > 0 ? Math.min(...beyond.map(({ top }) => top)) : Math.max(...beyond.map(({ top }) => top));
    const middle = here.left + here.width / 2;
    const away = boxes.map((box) => (Math.abs(box.top - line) <= box.height / 2 ? Math.abs(box.left + box.width / 2 - middle) : Infinity));
    return away.indexOf(Math.min(...away));
  }

  /** Chooses the next character, or all up to it.
   *  @param {number} step
   *  @param {boolean} extending */
  byCharacter(step, extending) {
    const { place } = this;
    if (place === null || place.token !== null || place.start === place.end) return false;
    const first = this.edges.lastIndexOf(place.start);
    const last = this.edges.indexOf(place.end);
    if (first === -1 || last === -1) return false;
    const [from, to] = extending ? [first, Math.max(first + 1, last + step)] : oneCharacter(first, last, step);
    if (from < 0 || to >= this.edges.length) return true;
    this.choose({ start: this.edges[from], end: this.edges[to], token: null }, true);
    this.putCursor(this.optionAt(this.edges[to] - 1) ?? this.cursor, true);
    return true;
  }

  /** Shows marks, and what is chosen.
   *  @param {Seen[]} marks */
  paint(marks) {
    const shown = this.choice === null ? marks : [...marks, { ...this.choice, level: CHOSEN, active: false, words: "" }];
    for (const element of this.element.querySelectorAll("[data-start]")) {
      if (element instanceof HTMLElement) this.paintOne(element, shown);
    }
    for (const option of this.options) this.tell(option, marks);
  }

  /** What an option is to those who hear the page.
   *  @param {Option} option
   *  @param {Seen[]} marks */
  tell(option, marks) {
    const { element, token } = option;
    const here = marks.filter((mark) => covers(mark, option));
    element.setAttribute("aria-selected", String(this.choice !== null && covers(this.choice, option)));
    const gap = token === null && option.start === option.end;
    const said = token ?? this.quote(option);
    // A gap has no words of its own.
    if (gap || here.length > 0) element.setAttribute("aria-label", [said, ...here.map(({ words }) => words)].join(", "));
    else element.removeAttribute("aria-label");
  }

  /** The words of a stretch; of a gap, those that it lies between.
   *  @param {Stretch} stretch */
  quote({ start, end }) {
    if (start < end) return this.text.slice(start, end);
    const before = this.text.slice(0, start).trimEnd().split(/\s/).at(-1);
    const after = this.text.slice(end).trimStart().split(/\s/)[0];
    if (!before) return say(after ? "mark-gap-first" : "mark-gap-empty", { after });
    return say(after ? "mark-gap" : "mark-gap-last", { before, after });
  }

  /** @param {HTMLElement} element
   *  @param {Seen[]} shown */
  paintOne(element, shown) {
    const number = this.numberOf(element);
    const whole = number === null ? null : this.options[number];
    const place = whole ?? { start: Number(element.dataset.start), end: Number(element.dataset.end), token: null };
    const pieces = piecesOf(place, shown);
    const drawn = JSON.stringify(pieces);
    if (element.dataset.drawn === drawn) return;
    element.dataset.drawn = drawn;
    const content = place.start === place.end ? element.textContent : null;
    element.replaceChildren(...pieces.map(({ start, end, look }) => make("span", { class: look }, content ?? this.text.slice(start, end))));
  }
}

/** The place in the page's texts below a point; Safari has only the older way to ask.
 *  @param {number} x
 *  @param {number} y
 *  @returns {{node: Node, offset: number} | null} */
function caretUnder(x, y) {
  if ("caretPositionFromPoint" in document) {
    const caret = document.caretPositionFromPoint(x, y);
    return caret === null ? null : { node: caret.offsetNode, offset: caret.offset };
  }
  const range = /** @type {any} */ (document).caretRangeFromPoint(x, y);
  return range === null ? null : { node: range.startContainer, offset: range.startOffset };
}

/** @param {Option} option
 *  @returns {Place} */
const placeOf = ({ start, end, token }) => ({ start, end, token });

/** The character beside those from one edge to another, or the first or last of them if they are several.
 *  @param {number} first
 *  @param {number} last
 *  @param {number} step */
function oneCharacter(first, last, step) {
  if (last - first > 1) return step > 0 ? [first, first + 1] : [last - 1, last];
  return [first + step, last + step];
}

/** Whether a mark lies, at least in part, on a place.
 *  @param {Place} mark
 *  @param {Place} place */
export function covers(mark, place) {
  if (mark.token !== null || place.token !== null) return mark.token === place.token;
  if (mark.start === mark.end || place.start === place.end) return mark.start === place.start && mark.end === place.end;
  return mark.start < place.end && place.start < mark.end;
}

/** A place, cut where marks begin and end, with how each piece looks.
 *  @param {Place} place
 *  @param {Seen[]} shown */
function piecesOf(place, shown) {
  const here = shown.filter((mark) => covers(mark, place));
  const inside = here.flatMap(({ start, end }) => [start, end]).filter((edge) => place.start < edge && edge < place.end);
  const edges = [...new Set([place.start, ...inside, place.end])].sort((a, b) => a - b);
  if (edges.length === 1) edges.push(edges[0]);
  return edges.slice(1).map((end, before) => {
    const piece = { start: edges[before], end, token: place.token };
    return { start: piece.start, end, look: lookOf(here.filter((mark) => covers(mark, piece))) };
  });
}

/** @param {Seen[]} marks */
function lookOf(marks) {
  const made = marks.filter(({ level }) => level !== CHOSEN);
  const looks = made.length < marks.length && !made.some(({ active }) => active) ? ["chosen"] : [];
  const levels = made.map(({ level }) => level).sort();
  if (made.length > 0) looks.push("mark", `level-${levels.at(-1)}`);
  if (made.length > 1) looks.push("several");
  if (made.some(({ active }) => active)) looks.push("active");
  return looks.join(" ") || null;
}
