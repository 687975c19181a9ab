// Two pictures of the segments asked for: a histogram of differences, and the scores of one system against another's.

const SVG = "http://www.w3.org/2000/svg";
const MOST_BARS = 21;

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...(Node | string)} children
 * @returns {SVGElement}
 */
function drawn(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return /** @type {SVGElement} */ (made);
}

/**
 * @param {Record<string, string | number>} attributes
 * @param {string} text
 * @returns {SVGElement}
 */
function label(attributes, text) {
  return drawn("text", { fill: "var(--muted)", "font-size": 11, "font-family": "system-ui, sans-serif", ...attributes }, text);
}

/** @typedef {{from: number, to: number, places: number[]}} Bar */

/**
 * A step of 1, 2 or 5 times a power of ten that is at least so large.
 * @param {number} least
 * @returns {number}
 */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * 0.999999) || 10);
}

/**
 * Segments sorted into bars by the difference of two systems; 0 is where one bar ends and another begins.
 * @param {SegmentData} data
 * @param {Query} query
 * @param {number[]} places
 * @returns {Bar[]}
 */
function histogram(data, query, places) {
  /** @type {[number, number][]} */
  const known = [];
  for (const place of places) {
    const difference = differenceAt(data, query, place);
    if (difference !== null) known.push([place, difference]);
  }
  if (!known.length) return [];
  const least = known.reduce((low, [, value]) => Math.min(low, value), 0);
  const most = known.reduce((high, [, value]) => Math.max(high, value), 0);
  const step = most > least ? roundStep((most - least) / (MOST_BARS - 1)) : 1;
  const first = Math.floor(least / step);
  let count = Math.floor(most / step) - first + 1;
  // What division rounds down may be where the last bar ends, which it does not hold.
  while (rounded((first + count) * step) <= most) count++;
  const bars = Array.from({ length: count }, (_, bar) => ({
    from: rounded((first + bar) * step),
    to: rounded((first + bar + 1) * step),
    places: /** @type {number[]} */ ([]),
  }));
  for (const [place, difference] of known) {
    const bar = bars.find((one) => difference < one.to) || bars[bars.length - 1];
    bar.places.push(place);
  }
  return bars;
}

/**
 * @param {number} value
 * @returns {number}
 */
function rounded(value) {
  return Number(value.toPrecision(12)) + 0;
}

const CHART = { width: 360, height: 200, left: 34, right: 8, top: 8, bottom: 26 };

/**
 * The histogram; a bar is a button that filters.
 * @param {SegmentData} data
 * @param {Query} query
 * @param {Bar[]} bars
 * @param {(bar: Bar | null) => void} choose
 * @returns {SVGElement}
 */
function histogramChart(data, query, bars, choose) {
  const svg = drawn("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, class: "chart", role: "group" });
  const title = `Histogram of differences, ${counted(bars.length, "bar")}`;
  const [first, second] = [withSigns(data.systems[query.a]), withSigns(data.systems[query.b])];
  const name = data.measures[query.metric] ? `${withSigns(data.measures[query.metric].name)} of ` : "";
  svg.setAttribute("aria-label", title);
  svg.append(drawn("title", {}, title), drawn("desc", {}, `How many segments have which difference: ${name}${isolated(first)} less that of ${isolated(second)}.`));
  const highest = Math.max(1, ...bars.map((bar) => bar.places.length));
  const width = (CHART.width - CHART.left - CHART.right) / Math.max(bars.length, 1);
  const floor = CHART.height - CHART.bottom;
  const scale = (floor - CHART.top) / highest;
  svg.append(
    drawn("line", { x1: CHART.left, x2: CHART.width - CHART.right, y1: floor, y2: floor, stroke: "var(--rule)", fill: "none" }),
    label({ x: CHART.left - 5, y: CHART.top + 9, "text-anchor": "end" }, highest.toLocaleString("en")),
  );
  bars.forEach((bar, place) => {
    const left = CHART.left + place * width;
    const height = bar.places.length * scale;
    const pressed = query.from === bar.from && query.to === bar.to;
    const colour = (bar.from >= 0) === data.measures[query.metric].higher ? "var(--blue)" : "var(--orange)";
    const button = drawn(
      "g",
      { role: "button", tabindex: bar.places.length || pressed ? 0 : -1, class: "column", "aria-pressed": String(pressed) },
      drawn("rect", { x: left, y: CHART.top, width, height: floor - CHART.top, fill: "transparent" }),
      drawn("rect", { x: left + 1, y: floor - height, width: Math.max(width - 2, 1), height, fill: colour, opacity: pressed || query.from === null ? 1 : 0.35 }),
    );
    button.setAttribute("aria-label", `${bar.from} to ${bar.to}: ${counted(bar.places.length, "segment")}`);
    button.append(drawn("title", {}, `${bar.from} to ${bar.to}: ${counted(bar.places.length, "segment")}`));
    const act = () => choose(pressed ? null : bar);
    button.addEventListener("click", act);
    button.addEventListener("keydown", (event) => {
      if (!(event instanceof KeyboardEvent) || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      act();
    });
    svg.append(button);
    if (bar.from === 0 || place === 0)
      svg.append(label({ x: left, y: floor + 16, "text-anchor": "middle" }, String(bar.from)));
  });
  const last = bars[bars.length - 1];
  if (last) svg.append(label({ x: CHART.width - CHART.right, y: floor + 16, "text-anchor": "end" }, String(last.to)));
  return svg;
}

/**
 * Scores of one system against those of the other; a click goes to the nearest segment.
 * @param {SegmentData} data
 * @param {Query} query
 * @param {number[]} places
 * @param {(place: number) => void} choose
 * @returns {{svg: SVGElement, points: {place: number, a: number, b: number}[], mark: (place: number | null) => void}}
 *   the picture, its numbers, and how to mark another segment in it
 */
function scatterChart(data, query, places, choose) {
  const measure = data.measures[query.metric];
  /** @type {{place: number, a: number, b: number}[]} */
  const points = [];
  for (const place of places) {
    const a = segmentScore(data, query.metric, query.a, place);
    const b = segmentScore(data, query.metric, query.b, place);
    if (a !== null && b !== null) points.push({ place, a, b });
  }
  const least = points.reduce((low, point) => Math.min(low, point.a, point.b), Infinity);
  const most = points.reduce((high, point) => Math.max(high, point.a, point.b), -Infinity);
  const span = most > least ? most - least : 1;
  const across = (/** @type {number} */ score) =>
    CHART.left + ((score - least) / span) * (CHART.width - CHART.left - CHART.right);
  const up = (/** @type {number} */ score) =>
    CHART.height - CHART.bottom - ((score - least) / span) * (CHART.height - CHART.top - CHART.bottom);
  const svg = drawn("svg", { viewBox: `0 0 ${CHART.width} ${CHART.height}`, class: "chart scatter", role: "img" });
  const [a, b] = [withSigns(data.systems[query.a]), withSigns(data.systems[query.b])];
  const title = `${measure.name} of ${counted(points.length, "segment")}: ${isolated(a)} across, ${isolated(b)} upwards`;
  const shown = (/** @type {number} */ score) => score.toFixed(span < 10 ? measure.digits : 0);
  svg.setAttribute("aria-label", title);
  svg.append(drawn("title", {}, title), drawn("desc", {}, `Above the diagonal ${b} has the higher score.`));
  if (!points.length) return { svg, points, mark: () => {} };
  const low = { x: across(least), y: up(least) };
  const high = { x: across(least + span), y: up(least + span) };
  svg.append(
    drawn("path", { d: `M${low.x} ${high.y}V${low.y}H${high.x}`, stroke: "var(--rule)", fill: "none" }),
    drawn("path", { d: `M${low.x} ${low.y}L${high.x} ${high.y}`, stroke: "var(--grid)", fill: "none" }),
    label({ x: low.x, y: low.y + 16 }, shown(least)),
    label({ x: high.x, y: low.y + 16, "text-anchor": "end" }, `${isolated(a)} ${shown(most)}`),
    label({ x: low.x - 5, y: low.y, "text-anchor": "end" }, shown(least)),
    label({ x: low.x + 5, y: high.y + 9 }, b),
    // One path of points without length, which round caps make dots: thousands of circles would be slow.
    drawn("path", { d: points.map((p) => `M${across(p.a).toFixed(1)} ${up(p.b).toFixed(1)}h0`).join(""), stroke: "var(--blue)", "stroke-width": 4, "stroke-linecap": "round", "stroke-opacity": 0.45 }),
  );
  const ring = drawn("circle", { r: 5, fill: "none", stroke: "var(--orange)", "stroke-width": 2.5 });
  svg.append(ring);
  const mark = (/** @type {number | null} */ place) => {
    const chosen = points.find((point) => point.place === place);
    ring.setAttribute("visibility", chosen ? "visible" : "hidden");
    if (!chosen) return;
    ring.setAttribute("cx", String(across(chosen.a)));
    ring.setAttribute("cy", String(up(chosen.b)));
  };
  mark(query.segment);
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width) * CHART.width;
    const y = ((event.clientY - box.top) / box.height) * CHART.height;
    const distance = (/** @type {{a: number, b: number}} */ point) => (across(point.a) - x) ** 2 + (up(point.b) - y) ** 2;
    choose(points.reduce((best, point) => (distance(point) < distance(best) ? point : best)).place);
  });
  return { svg, points, mark };
}

/**
 * @param {number} count
 * @param {string} what
 * @returns {string}
 */
function counted(count, what) {
  return `${count.toLocaleString("en")} ${what}${count === 1 ? "" : "s"}`;
}
