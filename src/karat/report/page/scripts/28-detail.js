// One segment: its source, references and outputs, with what is marked in them and said about them.

/** @typedef {{start: number, end: number, tag: string, class: string, title?: string}} Marking */
/** @typedef {{at: number, text: string}} Missing words that a text lacks, before one of its characters */

/**
 * A text whose ranges are marked; where ranges overlap, a piece has the marks of all.
 * @param {string} text
 * @param {Marking[]} ranges
 * @param {Missing[]} missing
 * @returns {Node[]}
 */
function markedText(text, ranges, missing) {
  const cuts = new Set([0, text.length]);
  for (const range of ranges) cuts.add(range.start).add(range.end);
  for (const words of missing) cuts.add(words.at);
  const edges = [...cuts].filter((cut) => cut >= 0 && cut <= text.length).sort((one, other) => one - other);
  const lacking = new Map(missing.map((words) => [words.at, words.text]));
  /** @type {Node[]} */
  const nodes = [];
  edges.forEach((start, place) => {
    const words = lacking.get(start);
    if (words !== undefined) nodes.push(element("del", {}, ...textNodes(words)));
    const end = edges[place + 1];
    if (end === undefined) return;
    const over = ranges.filter((range) => range.start <= start && range.end >= end);
    /** @type {Node[]} */
    let piece = textNodes(text.slice(start, end));
    for (const range of over) piece = [element(range.tag, { class: range.class || null, title: range.title }, ...piece)];
    nodes.push(...piece);
  });
  return nodes;
}

/**
 * What differs from another text: ranges of words that it lacks, and words that it has instead.
 * @param {{text: string, words: Word[]}} own
 * @param {{text: string, words: Word[]}} other
 * @returns {{ranges: Marking[], missing: Missing[], tooLong: boolean}}
 */
function differenceMarks(own, other) {
  const steps = differences(own.words.map((word) => word.text), other.words.map((word) => word.text));
  if (steps === null) return { ranges: [], missing: [], tooLong: true };
  /** @type {Marking[]} */
  const ranges = [];
  /** @type {Missing[]} */
  const missing = [];
  /** @type {Step | null} */
  let before = null;
  for (const step of steps) {
    if (step.kind === "extra") {
      const word = own.words[step.left];
      const last = ranges[ranges.length - 1];
      // Neighbours are one mark, with the space between them.
      if (last && before && before.kind === "extra") last.end = word.end;
      else ranges.push({ start: word.start, end: word.end, tag: "ins", class: "" });
    } else if (step.kind === "missing") {
      const at = step.left < own.words.length ? own.words[step.left].start : own.text.length;
      const word = other.words[step.right];
      const last = missing[missing.length - 1];
      const gap = step.right > 0 ? other.text.slice(other.words[step.right - 1].end, word.start) : "";
      if (last && last.at === at) last.text += gap + word.text;
      else missing.push({ at, text: word.text });
    }
    before = step;
  }
  return { ranges, missing, tooLong: false };
}

/**
 * Places counted in code points as places in a string of JavaScript.
 * @param {string} text
 * @param {number} codePoints
 * @returns {number}
 */
function unitsOf(text, codePoints) {
  let units = 0;
  for (const character of text) {
    if (codePoints-- <= 0) break;
    units += character.length;
  }
  return units;
}

/**
 * @param {string} text
 * @param {RegExp | null} wanted
 * @returns {Marking[]}
 */
function hits(text, wanted) {
  if (!wanted) return [];
  return [...text.matchAll(wanted)].map((found) => ({
    start: found.index,
    end: found.index + found[0].length,
    tag: "mark",
    class: "",
  }));
}

/**
 * One line of the detail: whose text it is, the text, and what is said about it.
 * @param {string} title
 * @param {Node[]} text
 * @param {string | null} language
 * @param {string} kind
 * @param {Node[]} [beside]
 * @param {Node[]} [below]
 * @returns {HTMLElement}
 */
function textBlock(title, text, language, kind, beside = [], below = []) {
  const heading = element("h4", { dir: "auto" }, ...textNodes(title));
  return element(
    "section",
    { class: `segment-text ${kind}` },
    element("header", {}, heading, ...beside),
    ...(text.length ? [element("p", { class: "text", dir: "auto", lang: language }, ...text)] : []),
    ...below,
  );
}

/**
 * @template T
 * @template K
 * @param {T[]} those
 * @param {(one: T) => K} key
 * @returns {Map<K, T[]>}
 */
function groupedBy(those, key) {
  /** @type {Map<K, T[]>} */
  const groups = new Map();
  for (const one of those) {
    const group = groups.get(key(one));
    if (group) group.push(one);
    else groups.set(key(one), [one]);
  }
  return groups;
}

class SegmentDetail {
  /**
   * @param {SegmentData} data
   * @param {(facet: number, value: string) => void} filter
   */
  constructor(data, filter) {
    this.data = data;
    this.filter = filter;
    this.labels = data.facets.map((facet) => {
      /** @type {Map<number, string[]>} */
      const known = new Map();
      facet.members.forEach((members, value) => {
        for (const place of members) known.set(place, [...(known.get(place) || []), facet.values[value]]);
      });
      return known;
    });
    this.remarks = groupedBy(data.remarks, (remark) => remark[0]);
    this.judgements = groupedBy(data.judgements, (one) => one.segment);
  }

  /**
   * The label of a segment under the first facet of a key.
   * @param {string} key
   * @param {number} place
   * @returns {string}
   */
  label(key, place) {
    const facet = this.data.facets.findIndex((one) => one.key === key);
    return facet < 0 ? "" : (this.labels[facet].get(place) || [""])[0];
  }

  /**
   * Everything about a segment.
   * @param {number} place
   * @param {Query} query
   * @returns {HTMLElement[]}
   */
  blocks(place, query) {
    const { data } = this;
    const wanted = finder(query.find);
    const blocks = [this.chips(place), ...this.notes(place, -1)];
    const [sourceLanguage, targetLanguage] = data.languages;
    const errors = (this.judgements.get(place) || []).flatMap((one) => one.errors);
    for (const { marked } of textsOf(data, place, "source")) {
      const { text } = cutText(marked, data.mark);
      const ranges = [...hits(text, wanted), ...errorRanges(text, errors, "source")];
      blocks.push(textBlock("Source", markedText(text, ranges, []), sourceLanguage, "source"));
    }
    for (const { name, marked } of textsOf(data, place, "reference")) {
      const { text } = cutText(marked, data.mark);
      blocks.push(textBlock(name, markedText(text, hits(text, wanted), []), targetLanguage, "reference"));
    }
    const others = data.systems.map((_, system) => system).filter((system) => system !== query.a && system !== query.b);
    for (const system of [...new Set([query.a, query.b]), ...others])
      blocks.push(this.output(place, query, system, wanted));
    return blocks;
  }

  /**
   * The labels of a segment, each a button that filters by it.
   * @param {number} place
   * @returns {HTMLElement}
   */
  chips(place) {
    const list = element("ul", { class: "chips" });
    this.data.facets.forEach((facet, index) => {
      for (const value of this.labels[index].get(place) || []) {
        const button = element("button", { type: "button", class: "chip" }, `${facet.title}: `);
        button.append(element("bdi", {}, ...textNodes(value)));
        button.addEventListener("click", () => this.filter(index, value));
        list.append(element("li", {}, button));
      }
    });
    list.hidden = !list.children.length;
    return list;
  }

  /**
   * The output of one system.
   * @param {number} place
   * @param {Query} query
   * @param {number} system
   * @param {RegExp | null} wanted
   * @returns {HTMLElement}
   */
  output(place, query, system, wanted) {
    const { data } = this;
    const name = data.systems[system];
    const marked = textOf(data, place, "output", name);
    const judged = (this.judgements.get(place) || []).filter((one) => one.system === system);
    const below = [...this.notes(place, system), ...[...groupedBy(judged, (one) => one.rater).values()].map(judgementLine)];
    const edited = textOf(data, place, "post-edit", name);
    const own = marked === null ? null : cutText(marked, data.mark);
    if (edited !== null) {
      const { text } = cutText(edited, data.mark);
      below.unshift(element("p", { class: "remark" }, "Post-edited: ", element("span", { class: "text", dir: "auto", lang: data.languages[1] }, ...textNodes(text))));
    }
    const which = system === query.a ? "of-a" : system === query.b ? "of-b" : "";
    if (own === null)
      return textBlock(name, [], null, `output ${which}`, [this.scores(place, system)], below);
    const shown = this.marks(place, query, system, own, judged);
    if (shown.tooLong) below.unshift(element("p", { class: "remark" }, "Too long to be compared word by word."));
    const ranges = [...hits(own.text, wanted), ...shown.ranges];
    const text = markedText(own.text, ranges, shown.missing);
    return textBlock(name, text, data.languages[1], `output ${which}`, [this.scores(place, system)], below);
  }

  /**
   * What is marked in an output.
   * @param {number} place
   * @param {Query} query
   * @param {number} system
   * @param {{text: string, words: Word[]}} own
   * @param {Judgement[]} judged
   * @returns {{ranges: Marking[], missing: Missing[], tooLong: boolean}}
   */
  marks(place, query, system, own, judged) {
    const { data } = this;
    /** @type {Marking[]} */
    const ranges = [...errorRanges(own.text, judged.flatMap((one) => one.errors), "target")];
    ranges.push(...this.wordClasses(place, system, own));
    if (query.matched) {
      const references = textsOf(data, place, "reference").map(({ marked }) => cutText(marked, data.mark));
      const orders = matchedOrders(own.words.map((word) => word.text), references.map((one) => one.words.map((word) => word.text)));
      orders.forEach((order, word) => {
        if (order) ranges.push({ start: own.words[word].start, end: own.words[word].end, tag: "span", class: `matched n${order}` });
      });
    }
    const other = this.compared(place, query, system);
    if (other === null) return { ranges, missing: [], tooLong: false };
    const found = differenceMarks(own, cutText(other, data.mark));
    return { ...found, ranges: [...found.ranges, ...ranges] };
  }

  /**
   * The words of an output that are errors of some class; none where words were cut in another way.
   * @param {number} place
   * @param {number} system
   * @param {{text: string, words: Word[]}} own
   * @returns {Marking[]}
   */
  wordClasses(place, system, own) {
    const codes = this.data.classes.length ? this.data.classes[place][system] : null;
    if (!codes || codes.length !== own.words.length) return [];
    const [[right], ...wrong] = this.data.class_names;
    const names = new Map(wrong);
    return own.words.flatMap(({ start, end }, word) =>
      codes[word] === right ? [] : [{ start, end, tag: "span", class: "word-class", title: names.get(codes[word]) }],
    );
  }

  /**
   * The text that an output is compared with; null where there is none.
   * @param {number} place
   * @param {Query} query
   * @param {number} system
   * @returns {string | null}
   */
  compared(place, query, system) {
    const { data } = this;
    if (query.against === "none" || query.against === againstSystem(data.systems[system])) return null;
    const other = data.systems.find((name) => againstSystem(name) === query.against);
    if (other !== undefined) return textOf(data, place, "output", other);
    const closest = data.closest[system];
    const columns = data.columns.filter(([kind]) => kind === "reference");
    const chosen = closest ? columns[closest[place]] : columns[0];
    const own = chosen ? textOf(data, place, "reference", chosen[1]) : null;
    return own === null ? textOf(data, place, "post-edit", data.systems[system]) : own;
  }

  /**
   * @param {number} place
   * @param {number} system
   * @returns {HTMLElement}
   */
  scores(place, system) {
    const list = element("dl", { class: "scores" });
    this.data.measures.forEach((measure, index) => {
      const score = segmentScore(this.data, index, system, place);
      if (score !== null)
        list.append(element("div", {}, element("dt", {}, withSigns(measure.name)), element("dd", {}, score.toFixed(measure.digits))));
    });
    return list;
  }

  /**
   * @param {number} place
   * @param {number} system
   * @returns {HTMLElement[]}
   */
  notes(place, system) {
    const remarks = (this.remarks.get(place) || []).filter((remark) => remark[1] === system);
    return remarks.map(([, , label, text]) => {
      const line = element("p", { class: "remark" }, element("strong", {}, ...textNodes(label)));
      if (text) line.append(": ", element("bdi", {}, ...textNodes(text)));
      return line;
    });
  }
}

/**
 * @param {string} text
 * @param {MarkedError[]} errors
 * @param {string} side
 * @returns {Marking[]}
 */
function errorRanges(text, errors, side) {
  /** @type {Marking[]} */
  const ranges = [];
  for (const { start, end, side: where, category, severity } of errors) {
    if (where !== side || start === null || end === null) continue;
    const title = withSigns([category, severity].filter(Boolean).join(", "));
    ranges.push({ start: unitsOf(text, start), end: unitsOf(text, end), tag: "span", class: "error-span", title });
  }
  return ranges;
}

/**
 * What one person said about an output, in a line.
 * @param {Judgement[]} judged
 * @returns {HTMLElement}
 */
function judgementLine(judged) {
  const line = element("p", { class: "remark" }, element("bdi", {}, ...textNodes(judged[0].rater)), ": ");
  judged.forEach((one, place) => {
    if (place) line.append("; ");
    const answer = [one.value === null ? null : String(one.value), one.label].filter(Boolean).join(", ");
    line.append(...textNodes(one.criterion), " ", element("strong", {}, ...textNodes(answer || "–")));
    const errors = one.errors.map((error) => [error.category, error.severity].filter(Boolean).join(" "));
    if (errors.length) line.append(` (${withSigns(errors.join("; "))})`);
    if (one.comment) line.append(" ", element("q", { dir: "auto" }, ...textNodes(one.comment)));
  });
  return line;
}
