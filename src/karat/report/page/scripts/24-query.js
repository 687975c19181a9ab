// What a reader asks for: kept in the address, and answered with the places of segments.

/** @typedef {{find: string, a: number, b: number, metric: number, sort: string, filters: (string | null)[],
 *   from: number | null, to: number | null, against: string, matched: boolean, segment: number | null,
 *   absent: [string, string] | null}} Query
 *   `filters` has the chosen value of each facet; `against` is "reference", "none" or what stands for a system; `absent` is
 *   what was asked for, by name and value, and is in no segment of this page */

const ASKED_OF_ALL = ["find", "a", "b", "metric", "sort", "from", "to", "against", "matched", "segment"];
const SORTS = ["", "a", "b", "difference", "size"];

/**
 * The query of an address such as `#segments?find=word&sort=-difference`.
 * @param {SegmentData} data
 * @param {string} hash
 * @returns {Query}
 */
function readQuery(data, hash) {
  const given = new URLSearchParams(hash.includes("?") ? hash.slice(hash.indexOf("?") + 1) : "");
  const place = (/** @type {string[]} */ names, /** @type {string} */ key, /** @type {number} */ otherwise) => {
    const found = names.indexOf(given.get(key) || "");
    return found < 0 ? otherwise : found;
  };
  const a = place(data.systems, "a", 0);
  const sort = given.get("sort") || "";
  const number = Number(given.get("segment"));
  const segment = given.has("segment") ? data.numbers.indexOf(number) : -1;
  const against = given.get("against") || "reference";
  const filters = data.facets.map((facet) => givenValue(facet, valuesFor(given, facet.key)));
  return {
    find: given.get("find") || "",
    a,
    b: place(data.systems, "b", data.systems.length > 1 ? (a === 1 ? 0 : 1) : 0),
    metric: place(data.measures.map((measure) => measure.spec), "metric", 0),
    sort: SORTS.includes(sort.replace(/^-/, "")) ? sort : "",
    filters,
    absent: absentIn(data, given),
    from: numberOrNull(given.get("from")),
    to: numberOrNull(given.get("to")),
    against: ["reference", "none", ...data.systems.map(againstSystem)].includes(against) ? against : "reference",
    matched: given.get("matched") === "1",
    segment: segment < 0 ? null : segment,
  };
}

/**
 * How a query says that words are compared with those of a system; one may be called "none".
 * @param {string} name
 * @returns {string}
 */
function againstSystem(name) {
  return ["reference", "none"].includes(name) || name.startsWith("system ") ? `system ${name}` : name;
}

/**
 * What an address asks for that no facet has; a group may have lost all its segments when the page was made.
 * @param {SegmentData} data
 * @param {URLSearchParams} given
 * @returns {[string, string] | null}
 */
function absentIn(data, given) {
  for (const [key, value] of given)
    if (!ASKED_OF_ALL.includes(key)) {
      const about = data.facets.filter((facet) => valuesFor(given, facet.key).includes(value));
      if (!about.some((facet) => givenValue(facet, [value]) !== null)) return [key, value];
    }
  return null;
}

/**
 * What an address says about a facet; documents and domains are buckets, too.
 * @param {URLSearchParams} given
 * @param {string} key
 * @returns {string[]}
 */
function valuesFor(given, key) {
  return [...given.getAll(key), ...(key === "document" || key === "domain" ? given.getAll("bucket") : [])];
}

/**
 * @param {Facet} facet
 * @param {string[]} values
 * @returns {string | null}
 */
function givenValue(facet, values) {
  for (const value of values) {
    if (facet.values.includes(value)) return value;
    const title = `${facet.title}: `;
    const rest = value.slice(title.length);
    if (value.slice(0, title.length).toLowerCase() === title.toLowerCase() && facet.values.includes(rest)) return rest;
  }
  return null;
}

/**
 * @param {string | null} text
 * @returns {number | null}
 */
function numberOrNull(text) {
  return text === null || text === "" || Number.isNaN(Number(text)) ? null : Number(text);
}

/**
 * The address of a query; what is as usual is left out.
 * @param {SegmentData} data
 * @param {Query} query
 * @returns {string}
 */
function writeQuery(data, query) {
  const usual = readQuery(data, "");
  const told = new URLSearchParams();
  if (query.find) told.set("find", query.find);
  data.facets.forEach((facet, place) => {
    const value = query.filters[place];
    if (value !== null) told.append(facet.key, sharesKey(data, facet, value) ? `${facet.title}: ${value}` : value);
  });
  if (query.absent !== null) told.append(...query.absent);
  if (query.from !== null) told.set("from", String(query.from));
  if (query.to !== null) told.set("to", String(query.to));
  if (query.sort) told.set("sort", query.sort);
  if (query.metric !== usual.metric) told.set("metric", data.measures[query.metric].spec);
  if (query.a !== usual.a || query.b !== usual.b) {
    told.set("a", data.systems[query.a]);
    told.set("b", data.systems[query.b]);
  }
  if (query.against !== usual.against) told.set("against", query.against);
  if (query.matched) told.set("matched", "1");
  if (query.segment !== null) told.set("segment", String(data.numbers[query.segment]));
  return [...told.keys()].length ? `#segments?${told}` : "#segments";
}

/**
 * Whether another facet of the same key has that value.
 * @param {SegmentData} data
 * @param {Facet} facet
 * @param {string} value
 * @returns {boolean}
 */
function sharesKey(data, facet, value) {
  return data.facets.some((other) => other !== facet && other.key === facet.key && other.values.includes(value));
}

/**
 * An expression that finds a text whatever its case, or null where nothing is looked for.
 * @param {string} find
 * @returns {RegExp | null}
 */
function finder(find) {
  return find ? new RegExp(find.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu") : null;
}

/**
 * The segments that a query asks for, but for the bar of the histogram, in the order of the test set.
 * @param {SegmentData} data
 * @param {Query} query
 * @returns {number[]}
 */
function matchingSegments(data, query) {
  if (query.absent !== null) return [];
  /** @type {number[]} */
  let places = data.numbers.map((_, place) => place);
  query.filters.forEach((value, facet) => {
    if (value === null) return;
    const members = new Set(data.facets[facet].members[data.facets[facet].values.indexOf(value)]);
    places = places.filter((place) => members.has(place));
  });
  const found = finder(query.find);
  return found ? places.filter((place) => holds(data, place, found)) : places;
}

/**
 * @param {SegmentData} data
 * @param {number} place
 * @param {RegExp} wanted
 * @returns {boolean}
 */
function holds(data, place, wanted) {
  const texts = (data.texts[place] || []).map((text) => (text === null ? "" : text.replaceAll(data.mark, "")));
  return [idOf(data, place), ...texts].some((text) => text.search(wanted) >= 0);
}

/**
 * The difference of two systems on a segment; null where one has no score.
 * @param {SegmentData} data
 * @param {Query} query
 * @param {number} place
 * @returns {number | null}
 */
function differenceAt(data, query, place) {
  const a = segmentScore(data, query.metric, query.a, place);
  const b = segmentScore(data, query.metric, query.b, place);
  return a === null || b === null ? null : a - b;
}

/**
 * Whether a difference lies in the chosen bar of the histogram.
 * @param {Query} query
 * @param {number | null} difference
 * @returns {boolean}
 */
function inBar(query, difference) {
  if (query.from === null && query.to === null) return true;
  if (difference === null) return false;
  return (query.from === null || difference >= query.from) && (query.to === null || difference < query.to);
}

/**
 * Places in the order asked for; segments without a score come last.
 * @param {SegmentData} data
 * @param {Query} query
 * @param {number[]} places
 * @returns {number[]}
 */
function sortedSegments(data, query, places) {
  const by = query.sort.replace(/^-/, "");
  if (!by) return query.sort ? [...places].reverse() : places;
  const direction = query.sort.startsWith("-") ? -1 : 1;
  /** @type {Map<number, number | null>} */
  const keys = new Map(places.map((place) => [place, sortKey(data, query, by, place)]));
  return [...places].sort((one, other) => {
    const left = keys.get(one) ?? null;
    const right = keys.get(other) ?? null;
    if (left === null || right === null) return Number(left === null) - Number(right === null) || one - other;
    return direction * (left - right) || one - other;
  });
}

/**
 * @param {SegmentData} data
 * @param {Query} query
 * @param {string} by
 * @param {number} place
 * @returns {number | null}
 */
function sortKey(data, query, by, place) {
  if (by === "a" || by === "b") return segmentScore(data, query.metric, query[by], place);
  const difference = differenceAt(data, query, place);
  return by === "size" && difference !== null ? Math.abs(difference) : difference;
}
