// The segments: unpacked from the page, and what is asked of them.

/** @typedef {{spec: string, name: string, arrow: string, higher: boolean, digits: number,
 *   scores: ((number | null)[] | null)[], formula: Formula | null, bases?: number[],
 *   rows?: (number[] | null)[][]}} Measure */
/** @typedef {{key: string, title: string, values: string[], members: number[][]}} Facet */
/** @typedef {{start: number | null, end: number | null, side: string, category: string | null,
 *   severity: string | null}} MarkedError */
/** @typedef {{segment: number, system: number, rater: string, criterion: string, value: number | null,
 *   label: string | null, comment: string | null, errors: MarkedError[]}} Judgement */
/** @typedef {[number, number, string, string]} Remark segment, system or -1, label, text */
/** @typedef {{numbers: number[], left_out: number, ids: string[] | null, systems: string[], languages: (string | null)[], mark: string,
 *   columns: [string, string][], texts: (string | null)[][], closest: (number[] | null)[], measures: Measure[],
 *   facets: Facet[], remarks: Remark[], judgements: Judgement[], classes: (string | null)[][],
 *   class_names: [string, string][]}} SegmentData `classes` has a letter for each word of each output */

/**
 * @param {string} packed
 * @returns {Promise<SegmentData>}
 */
async function unpackSegments(packed) {
  const binary = atob(packed.trim());
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  /** @type {SegmentData} */
  const data = JSON.parse(await new Response(stream).text());
  for (const measure of data.measures) shareColumns(measure, data.measures);
  for (const measure of data.measures) sumSteps(measure);
  for (const facet of data.facets)
    for (const members of facet.members) for (let i = 1; i < members.length; i++) members[i] += members[i - 1];
  return data;
}

/**
 * Columns that an earlier measure has, too, were packed once; each measure gets its own, for steps are summed in place.
 * @param {Measure} measure
 * @param {Measure[]} measures
 */
function shareColumns(measure, measures) {
  (measure.rows || []).forEach((column, place) => {
    if (Array.isArray(column)) return;
    const shared = /** @type {{measure: number, column: number}} */ (/** @type {unknown} */ (column));
    const original = (measures[shared.measure].rows || [])[shared.column];
    /** @type {(number[] | null)[][]} */ (measure.rows)[place] = original.map((values) => values && [...values]);
  });
}

/**
 * Columns that were packed as steps from the one before, as they are.
 * @param {Measure} measure
 */
function sumSteps(measure) {
  (measure.rows || []).forEach((column, place) => {
    const base = (measure.bases || [])[place];
    if (base < 0) return;
    column.forEach((values, system) => {
      const before = (measure.rows || [])[base][system];
      if (values && before) for (let i = 0; i < values.length; i++) values[i] += before[i];
    });
  });
}

/**
 * The score of a system on some segments together; null where the page cannot tell.
 * @param {Measure} measure
 * @param {number} system
 * @param {Int32Array | number[]} places
 * @returns {number | null}
 */
function subsetScore(measure, system, places) {
  if (!measure.formula || !places.length) return null;
  if (measure.formula.kind === "mean") {
    const scores = measure.scores[system];
    if (!scores) return null;
    const sums = [0, 0];
    for (const place of places) {
      const score = scores[place];
      if (score === null) continue;
      sums[0] += score;
      sums[1]++;
    }
    return scoreOf(measure.formula, sums);
  }
  if (!measure.rows || !measure.rows[0][system]) return null;
  const sums = measure.rows.map((column) => {
    const values = column[system] || [];
    let sum = 0;
    for (const place of places) sum += values[place];
    return sum;
  });
  return scoreOf(measure.formula, sums);
}

/**
 * The score of one segment.
 * @param {SegmentData} data
 * @param {number} measure
 * @param {number} system
 * @param {number} place
 * @returns {number | null}
 */
function segmentScore(data, measure, system, place) {
  const scores = data.measures[measure] ? data.measures[measure].scores[system] : null;
  return scores ? scores[place] : null;
}

/**
 * The texts of a segment of one kind, with the names of their columns.
 * @param {SegmentData} data
 * @param {number} place
 * @param {string} kind
 * @returns {{name: string, marked: string}[]}
 */
function textsOf(data, place, kind) {
  /** @type {{name: string, marked: string}[]} */
  const found = [];
  const texts = data.texts[place] || [];
  data.columns.forEach(([columnKind, name], column) => {
    const marked = texts[column];
    if (columnKind === kind && marked !== null && marked !== undefined) found.push({ name, marked });
  });
  return found;
}

/**
 * One text of a segment; null where there is none.
 * @param {SegmentData} data
 * @param {number} place
 * @param {string} kind
 * @param {string} name
 * @returns {string | null}
 */
function textOf(data, place, kind, name) {
  const column = data.columns.findIndex(([columnKind, columnName]) => columnKind === kind && columnName === name);
  return column < 0 || !data.texts[place] ? null : data.texts[place][column];
}

/**
 * The id of a segment, where it is not its number.
 * @param {SegmentData} data
 * @param {number} place
 * @returns {string}
 */
function idOf(data, place) {
  return data.ids ? data.ids[place] : String(data.numbers[place]);
}
