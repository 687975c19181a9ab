// Several translations of one source: in order, or which is best, or best and worst.

import { columnName, make, say } from "../text.js";
import { Field } from "./field.js";

/** @typedef {(number | undefined)[]} Ranks */
/** @typedef {import("../server.js").RankingRules} Rules */
/** @typedef {import("./field.js").Setting<Ranks>} Setting */
/** A group of which one is chosen: its radio buttons, and what each stands for.
 *  @typedef {{element: HTMLElement, inputs: HTMLInputElement[]}} Group */

const BEST = 1;
const NOT_BEST = 2;
const WORST = 3;

/** @param {Setting} setting
 *  @returns {Field<Ranks>} */
export function rankingField(setting) {
  const { form } = /** @type {Rules} */ (setting.question.ranking);
  if (form === "ranks") return new RanksField(setting);
  return form === "best" ? new BestField(setting) : new BestWorstField(setting);
}

/** What all forms of ranking have in common: a rank for each translation, and groups to choose in.
 *  @extends {Field<Ranks>} */
class RankingField extends Field {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    this.rules = /** @type {Rules} */ (setting.question.ranking);
    this.columns = setting.columns;
    this.exempt = setting.exempt;
    /** @type {Ranks} */
    this.ranks = setting.value ?? [];
    /** @type {Group[]} */
    this.groups = [];
  }

  /** A group of radio buttons.
   *  @param {string} heading
   *  @param {string[]} options
   *  @param {(place: number) => void} chosen */
  group(heading, options, chosen) {
    const number = this.groups.length;
    const id = `${this.element.id}-${number}`;
    const inputs = options.map((_, place) => {
      const input = make("input", { type: "radio", name: id, value: String(place + 1) });
      input.addEventListener("change", () => chosen(place));
      return input;
    });
    const labels = inputs.map((input, place) =>
      make("label", {}, input, make("kbd", {}, String(place + 1)), options[place] === "" ? null : make("span", {}, options[place])),
    );
    const title = options[0] === "" ? null : make("p", { class: "quiet", "aria-hidden": "true" }, heading);
    const attributes = { class: "ranks", role: "radiogroup", "aria-label": heading, "data-name": this.question.name };
    const element = make("div", attributes, title, make("div", { class: "points" }, ...labels));
    this.groups.push({ element, inputs });
    return element;
  }

  /** @param {Ranks} ranks */
  take(ranks) {
    this.ranks = ranks;
    this.draw();
    this.changed(ranks, "at once");
  }

  /** @param {Ranks | undefined} ranks */
  show(ranks) {
    this.ranks = ranks ?? [];
    this.draw();
  }

  draw() {
    for (const [number, { inputs }] of this.groups.entries()) {
      const place = this.placeIn(number);
      for (const [other, input] of inputs.entries()) input.checked = other === place;
    }
  }

  /** Which option of a group is chosen, -1 for none.
   *  @param {number} _group
   *  @returns {number} */
  placeIn(_group) {
    return -1;
  }

  /** The translations that are to be ranked. */
  get wanted() {
    const exempt = this.exempt();
    return [...Array(this.columns).keys()].filter((column) => !exempt[column]);
  }

  get inputs() {
    return this.groups.flatMap(({ inputs }) => inputs);
  }

  focus() {
    const number = this.firstOpen();
    const { inputs } = this.groups[Math.max(0, number)];
    (inputs.find((input) => input.checked) ?? inputs[0]).focus();
  }

  /** The first group where nothing is chosen, -1 if there is none. */
  firstOpen() {
    return this.groups.findIndex((_, number) => this.placeIn(number) === -1);
  }

  /** The group that has the focus, -1 if none has. */
  groupInFocus() {
    return this.groups.findIndex(({ element }) => element.contains(document.activeElement));
  }

  /** A digit chooses in the group that has the focus, or in the first that is open; the focus goes on to the next.
   *  @param {string} sign */
  type(sign) {
    const focused = this.groupInFocus();
    const number = focused === -1 ? Math.max(0, this.firstOpen()) : focused;
    const input = this.groups[number].inputs[Number(sign) - 1];
    if (input === undefined) return false;
    input.click();
    const next = this.groups.findIndex((_, other) => other > number && this.placeIn(other) === -1);
    const { inputs } = this.groups[next === -1 ? number : next];
    (inputs.find((each) => each.checked) ?? inputs[0]).focus();
    return true;
  }
}

/** A rank for each translation, 1 for the best. */
class RanksField extends RankingField {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    const ranks = [...Array(this.columns).keys()].map(() => "");
    for (let column = 0; column < this.columns; column += 1) {
      this.group(say("rank-of", { name: columnName(column) }), ranks, (place) => this.take(this.with(column, place + 1)));
    }
    this.element.append(make("p", { class: "quiet" }, say(this.rules.ties ? "ranks-how-ties" : "ranks-how")));
    this.draw();
  }

  /** @param {number} column
   *  @param {number} rank */
  with(column, rank) {
    return [...Array(this.columns).keys()].map((other) => (other === column ? rank : this.ranks[other]));
  }

  /** @param {number} column */
  elementOf(column) {
    return this.groups[column].element;
  }

  /** @param {number} column */
  placeIn(column) {
    return (this.ranks[column] ?? 0) - 1;
  }

  firstOpen() {
    return this.wanted.find((column) => this.placeIn(column) === -1) ?? -1;
  }

  /** @param {Ranks} [ranks]
   *  @returns {string | null} */
  lack(ranks = []) {
    const open = this.wanted.filter((column) => ranks[column] === undefined);
    if (open.length > 0) return say("lacks-rank", { name: columnName(open[0]) });
    const given = this.wanted.map((column) => ranks[column]);
    return !this.rules.ties && new Set(given).size < given.length ? say("lacks-order") : null;
  }
}

/** Which translation is best; perhaps none is, or all are alike. */
class BestField extends RankingField {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    const all = [...Array(this.columns).keys()];
    /** The ranks that each option stands for.
     *  @type {number[][]} */
    this.options = all.map((best) => all.map((column) => (column === best ? BEST : NOT_BEST)));
    const words = all.map(columnName);
    if (this.rules.ties) {
      this.options.push(all.map(() => BEST));
      words.push(say("no-difference"));
    }
    if (this.rules.none) {
      this.options.push(all.map(() => NOT_BEST));
      words.push(say(this.columns === 2 ? "both-bad" : "all-bad"));
    }
    this.element.append(this.group(say("best-how"), words, (place) => this.take(this.options[place])));
    this.draw();
  }

  placeIn() {
    return this.options.findIndex((ranks) => ranks.every((rank, column) => rank === this.ranks[column]));
  }

  /** @param {Ranks} [ranks]
   *  @returns {string | null} */
  lack(ranks = []) {
    return this.wanted.some((column) => ranks[column] === undefined) ? say("lacks-best") : null;
  }
}

/** Which translation is best, and which is worst. */
class BestWorstField extends RankingField {
  /** @param {Setting} setting */
  constructor(setting) {
    super(setting);
    const words = [...Array(this.columns).keys()].map(columnName);
    const end = (/** @type {number} */ rank) => (/** @type {number} */ place) => this.take(this.with(place, rank));
    this.element.append(this.group(say("best"), words, end(BEST)), this.group(say("worst"), words, end(WORST)));
    this.draw();
  }

  /** One translation becomes the best or the worst; once both are known, the rest lies between.
   *  @param {number} chosen
   *  @param {number} rank
   *  @returns {Ranks} */
  with(chosen, rank) {
    const ends = [...Array(this.columns).keys()].map((column) => {
      if (column === chosen) return rank;
      const before = this.ranks[column];
      return before === rank || before === NOT_BEST ? undefined : before;
    });
    const both = ends.includes(BEST) && ends.includes(WORST);
    return ends.map((end) => (both ? (end ?? NOT_BEST) : end));
  }

  /** @param {number} group */
  placeIn(group) {
    return this.ranks.indexOf(group === 0 ? BEST : WORST);
  }

  /** @param {Ranks} [ranks]
   *  @returns {string | null} */
  lack(ranks = []) {
    if (!ranks.includes(BEST)) return say("lacks-best");
    return ranks.includes(WORST) ? null : say("lacks-worst");
  }
}
