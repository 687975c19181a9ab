// Where a text may be cut: between characters as people see them, and around words. Browsers count UTF-16 units, the
// world counts code points.

/** @typedef {{start: number, end: number}} Stretch */

/** White space as the server knows it. */
const WHITE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const RUN = new RegExp(`[^${WHITE}]+`, "g");
const WITHIN = new RegExp(`[^${WHITE}](?:[^]*[^${WHITE}])?`);

/** Offsets of one text in code points, and in the units of the browser. */
export class Offsets {
  /** @param {string} text */
  constructor(text) {
    /** The unit at which each code point begins, and the end.
     *  @type {number[]} */
    this.units = [];
    /** The code point that each unit belongs to, and their number.
     *  @type {number[]} */
    this.points = [];
    for (const sign of text) {
      for (const _ of Array(sign.length)) this.points.push(this.units.length);
      this.units.push(this.points.length - sign.length);
    }
    this.points.push(this.units.length);
    this.units.push(text.length);
  }
}

/** The characters of a text as people see them: a letter with its marks, or a family of emoji, is one.
 *  @param {string} text
 *  @param {string | null} language
 *  @returns {number[]} where they begin, and the end */
export const characterEdges = (text, language) => [...segments(text, language, "grapheme").map(({ index }) => index), text.length];

/** The words and signs of a text in the sense of its language, without the white space between them.
 *  @param {string} text
 *  @param {string | null} language
 *  @returns {Stretch[]} */
export function wordsOf(text, language) {
  const all = segments(text, language, "word").filter(({ segment }) => WITHIN.test(segment));
  return all.map(({ index, segment }) => ({ start: index, end: index + segment.length }));
}

/** The runs of a text without white space.
 *  @param {string} text
 *  @returns {Stretch[]} */
export const runsOf = (text) => [...text.matchAll(RUN)].map(({ 0: run, index }) => ({ start: index, end: index + run.length }));

/** The stretch, widened to such edges, and without white space at its ends; null where nothing is left.
 *  @param {string} text
 *  @param {number[]} edges in order, 0 and the end among them
 *  @param {Stretch} stretch
 *  @returns {Stretch | null} */
export function snapped(text, edges, { start, end }) {
  const within = WITHIN.exec(text.slice(start, end));
  if (within === null) return null;
  const from = start + within.index;
  const to = from + within[0].length;
  return { start: edges.findLast((edge) => edge <= from) ?? 0, end: edges.find((edge) => edge >= to) ?? text.length };
}

/** @param {string} text
 *  @param {string | null} language
 *  @param {"grapheme" | "word"} granularity */
function segments(text, language, granularity) {
  let locale;
  try {
    locale = Intl.getCanonicalLocales(language ?? [])[0];
  } catch {
    locale = undefined; // a language that the browser has no word for is cut like any other
  }
  return [...new Intl.Segmenter(locale, { granularity }).segment(text)];
}
