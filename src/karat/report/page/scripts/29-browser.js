// The segment browser: controls, pictures, list and detail, kept in step with the address.

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${id}`);
  return found;
}

/**
 * @param {HTMLSelectElement} select
 * @param {[string, string][]} options values and what is shown for them
 */
function fillSelect(select, options) {
  select.replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
}

const SUBSET_COLUMNS = 8;

class SegmentBrowser {
  /** @param {SegmentData} data */
  constructor(data) {
    this.data = data;
    this.query = readQuery(data, "");
    this.find = byId("segment-find", HTMLInputElement);
    this.selects = {
      a: byId("segment-a", HTMLSelectElement),
      b: byId("segment-b", HTMLSelectElement),
      metric: byId("segment-metric", HTMLSelectElement),
      sort: byId("segment-sort", HTMLSelectElement),
      against: byId("segment-against", HTMLSelectElement),
    };
    this.matched = byId("segment-matched", HTMLInputElement);
    this.article = byId("segment-detail", HTMLElement);
    this.heading = byId("segment-heading", HTMLElement);
    this.detail = new SegmentDetail(data, (facet, value) => this.filterBy(facet, value));
    this.list = new SegmentList(
      byId("segment-list", HTMLElement),
      (place) => this.row(place),
      (place) => this.choose(place),
      () => this.heading.focus(),
    );
    /** @type {number[]} */
    this.places = [];
    /** @type {Bar[]} */
    this.bars = [];
    /** @type {HTMLSelectElement[]} */
    this.facets = [];
    /** @type {(place: number | null) => void} */
    this.markScatter = () => {};
    this.telling = 0;
    this.fillControls();
    this.listen();
  }

  fillControls() {
    const { data, selects } = this;
    const systems = /** @type {[string, string][]} */ (data.systems.map((name, place) => [String(place), withSigns(name)]));
    fillSelect(selects.a, systems);
    fillSelect(selects.b, systems);
    fillSelect(selects.metric, data.measures.map((measure, place) => [String(place), `${withSigns(measure.name)} ${measure.arrow}`]));
    const references = data.columns.filter(([kind]) => kind === "reference").length;
    fillSelect(selects.against, [
      ["none", "nothing"],
      ["reference", references > 1 ? "the closest reference" : "the reference"],
      .../** @type {[string, string][]} */ (data.systems.map((name) => [againstSystem(name), withSigns(name)])),
    ]);
    const box = byId("segment-facets", HTMLElement);
    this.facets = data.facets.map((facet, place) => {
      const select = /** @type {HTMLSelectElement} */ (element("select", { id: `segment-facet-${place}` }));
      const shown = /** @type {[string, string][]} */ (
        facet.values.map((value, index) => [String(index), `${withSigns(value)} (${facet.members[index].length.toLocaleString("en")})`])
      );
      fillSelect(select, [["", "any"], ...shown]);
      select.addEventListener("change", () => this.filterBy(place, select.value === "" ? null : facet.values[Number(select.value)]));
      box.append(element("div", { class: "field" }, element("label", { for: select.id }, withSigns(facet.title)), select));
      return select;
    });
    box.hidden = !data.facets.length;
    for (const select of [selects.metric, selects.sort])
      if (select.parentElement) select.parentElement.hidden = !data.measures.length;
    byId("segment-marks", HTMLElement).hidden = !data.columns.length;
    for (const of_two of [selects.b.parentElement, ...document.querySelectorAll("#segment-overview figure:not(#segment-subset)")])
      if (of_two instanceof HTMLElement) of_two.hidden = !this.several;
  }

  /** Whether there are two systems to look at. */
  get several() {
    return this.data.systems.length > 1;
  }

  listen() {
    const { selects } = this;
    for (const key of /** @type {("a" | "b" | "metric")[]} */ (["a", "b", "metric"]))
      selects[key].addEventListener("change", () => this.ask({ [key]: Number(selects[key].value), from: null, to: null }));
    // Whoever sorts wants to read what comes first.
    selects.sort.addEventListener("change", () => this.ask({ sort: selects.sort.value, segment: null }));
    selects.against.addEventListener("change", () => this.ask({ against: selects.against.value }));
    this.matched.addEventListener("change", () => this.ask({ matched: this.matched.checked }));
    let waiting = 0;
    this.find.addEventListener("input", () => {
      window.clearTimeout(waiting);
      waiting = window.setTimeout(() => this.ask({ find: this.find.value }), 150);
    });
    byId("segment-controls", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      this.ask({ find: this.find.value });
    });
    const on = (/** @type {string} */ id, /** @type {() => void} */ act) =>
      byId(id, HTMLButtonElement).addEventListener("click", act);
    on("segment-clear", () => this.ask({ find: "", from: null, to: null, absent: null, filters: this.data.facets.map(() => null) }));
    on("segment-previous", () => this.step(-1));
    on("segment-next", () => this.step(1));
    on("segment-csv", () => saveFile("segments.csv", "text/csv;charset=utf-8", csvText(segmentRecords(this.data, this.places))));
    on("segment-json", () =>
      saveFile("segments.json", "application/json", jsonText(segmentRecords(this.data, this.places))),
    );
    this.article.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.list.box.focus();
    });
    window.addEventListener("hashchange", () => this.readAddress());
    // Without scripts there are no two systems to look at, and the plain address is one of the page itself.
    for (const link of document.querySelectorAll("a[data-beside]"))
      link.setAttribute("href", link.getAttribute("data-beside") || "");
  }

  /**
   * Take the query or the segment that the address names.
   * @returns {boolean} whether it is about segments at all
   */
  readAddress() {
    const hash = decodedHash();
    const named = /^#s(\d+)(\?|$)/.exec(hash);
    if (named) {
      const place = this.data.numbers.indexOf(Number(named[1]));
      const { metric } = this.query;
      const { a, b } = named[2] ? readQuery(this.data, location.hash) : this.query;
      this.query = { ...readQuery(this.data, ""), a, b, metric, segment: place < 0 ? null : place };
      if (place < 0) this.query.absent = ["number", named[1]];
    } else if (/^#segments(\?|$)/.test(hash)) this.query = readQuery(this.data, location.hash);
    else return false;
    window.clearTimeout(this.telling);
    this.update();
    const one = named && this.query.absent === null;
    (one ? this.article : byId("segments", HTMLElement)).scrollIntoView();
    // Whoever follows a link by keys goes on from where it led.
    (one ? this.heading : this.list.box).focus({ preventScroll: true });
    return true;
  }

  /** @param {Partial<Query>} change */
  ask(change) {
    // What was typed a moment ago counts, too.
    this.query = { ...this.query, find: this.find.value, ...change };
    this.update();
    this.tellAddress();
  }

  /** Browsers refuse an address that changes with every press of a key. */
  tellAddress() {
    window.clearTimeout(this.telling);
    this.telling = window.setTimeout(() => history.replaceState(null, "", writeQuery(this.data, this.query)), 150);
  }

  /**
   * @param {number} facet
   * @param {string | null} value
   */
  filterBy(facet, value) {
    this.ask({ absent: null, filters: this.query.filters.map((known, place) => (place === facet ? value : known)) });
  }

  /** @param {number} step */
  step(step) {
    const place = this.list.neighbour(step);
    if (place !== null) this.choose(place);
  }

  /** @param {number} place */
  choose(place) {
    this.query = { ...this.query, segment: place };
    this.list.mark(place);
    this.showDetail();
    this.markScatter(place);
    this.tellAddress();
  }

  update() {
    const { data, query } = this;
    const matching = matchingSegments(data, query);
    const hasScores = data.measures.length > 0 && this.several;
    this.bars = hasScores ? histogram(data, query, matching) : [];
    this.places = sortedSegments(data, query, matching.filter((place) => inBar(query, differenceAt(data, query, place))));
    if (query.segment === null || !this.places.includes(query.segment)) query.segment = this.places[0] ?? null;
    this.showControls();
    this.list.show(this.places);
    this.list.mark(query.segment);
    this.showDetail();
    this.showSubset();
    if (hasScores) {
      this.showHistogram();
      this.showScatter();
    }
  }

  showControls() {
    const { data, query, selects } = this;
    if (this.find.value !== query.find) this.find.value = query.find;
    selects.a.value = String(query.a);
    selects.b.value = String(query.b);
    selects.metric.value = String(query.metric);
    const [a, b] = [withSigns(data.systems[query.a] ?? ""), withSigns(data.systems[query.b] ?? "")];
    const difference = `${isolated(a)} − ${isolated(b)}`;
    /** @type {[string, string][]} */
    const orders = [
      ["", "test set order"],
      ["-difference", `${difference}, highest first`],
      ["difference", `${difference}, lowest first`],
      ["-size", "largest difference first"],
      ["size", "smallest difference first"],
      ["a", `${isolated(a)}, lowest first`],
      ["-a", `${isolated(a)}, highest first`],
      ["b", `${isolated(b)}, lowest first`],
      ["-b", `${isolated(b)}, highest first`],
    ];
    fillSelect(selects.sort, this.several ? orders : orders.filter(([key]) => !key || /^-?a$/.test(key)));
    selects.sort.value = query.sort;
    selects.against.value = query.against;
    this.matched.checked = query.matched;
    this.facets.forEach((select, place) => {
      const value = query.filters[place];
      select.value = value === null ? "" : String(data.facets[place].values.indexOf(value));
    });
    const filtered = this.places.length < data.numbers.length;
    const all = data.left_out
      ? `${data.numbers.length.toLocaleString("en")} of ${counted(data.numbers.length + data.left_out, "segment")}`
      : counted(data.numbers.length, "segment");
    const bar = query.from === null ? "" : `, difference from ${query.from} to ${query.to}`;
    byId("segment-status", HTMLElement).textContent = query.absent !== null
      ? `No segment of this page has ${withSigns(query.absent.join(" "))}; it has ${all}`
      : filtered
      ? `${counted(this.places.length, "segment")} of ${data.numbers.length.toLocaleString("en")}${bar}${data.left_out ? ` (this page has ${all})` : ""}`
      : all;
    byId("segment-clear", HTMLElement).hidden = !filtered;
    const measure = data.measures[query.metric];
    const caption = byId("segment-list-caption", HTMLElement);
    caption.hidden = !measure;
    if (measure)
      caption.replaceChildren(
        `${withSigns(measure.name)} ${measure.arrow} of `,
        element("bdi", { class: "of-a" }, a),
        ...(this.several ? [" and ", element("bdi", { class: "of-b" }, b)] : []),
      );
  }

  /**
   * @param {number} place
   * @returns {HTMLElement[]}
   */
  row(place) {
    const { data, query } = this;
    const measure = data.measures[query.metric];
    const number = element("span", { class: "row-number" }, String(data.numbers[place]));
    const top = element("span", { class: "row-top" }, number);
    const label = this.detail.label("document", place);
    if (label) top.append(element("bdi", { class: "row-label" }, withSigns(label)));
    const show = (/** @type {number | null} */ score) => (score === null ? "–" : score.toFixed(measure.digits));
    /** @type {("a" | "b")[]} */
    const looked = this.several ? ["a", "b"] : ["a"];
    if (measure)
      for (const side of looked)
        top.append(element("span", { class: `row-score of-${side}` }, show(segmentScore(data, query.metric, query[side], place))));
    const marked = textOf(data, place, "output", data.systems[query.a]) ?? (data.texts[place] || [])[0] ?? "";
    const text = withSigns(marked.slice(0, 400).replaceAll(data.mark, "").slice(0, 160));
    return [top, element("span", { class: "row-text", dir: "auto", lang: data.languages[1] }, text)];
  }

  showDetail() {
    const { data, query } = this;
    const place = query.segment;
    this.article.hidden = place === null;
    if (place === null) return;
    const number = data.numbers[place];
    const link = byId("segment-permalink", HTMLAnchorElement);
    link.href = `#s${number}`;
    this.heading.textContent = `Segment ${number}`;
    const id = idOf(data, place);
    byId("segment-id", HTMLElement).textContent = id === String(number) ? "" : withSigns(id);
    byId("segment-blocks", HTMLElement).replaceChildren(...this.detail.blocks(place, query));
    for (const [button, step] of /** @type {[string, number][]} */ ([["segment-previous", -1], ["segment-next", 1]]))
      byId(button, HTMLButtonElement).disabled = this.list.neighbour(step) === null;
  }

  showSubset() {
    const { data, query, places } = this;
    const box = byId("segment-subset", HTMLElement);
    const measures = data.measures.filter((measure) => measure.formula).slice(0, SUBSET_COLUMNS);
    box.hidden = !measures.length;
    byId("segment-subset-note", HTMLElement).textContent =
      `Exploratory, n = ${places.length.toLocaleString("en")}; sums over the segments shown, without intervals.`;
    const names = measures.map((measure) => element("th", { scope: "col" }, `${withSigns(measure.name)} ${measure.arrow}`));
    const head = element("tr", {}, element("th", { scope: "col" }, "System"), ...names);
    const order = [...new Set([query.a, query.b, ...data.systems.keys()])];
    const rows = order.map((system) => {
      const which = system === query.a ? "of-a" : system === query.b ? "of-b" : null;
      const cells = measures.map((measure) => {
        const score = subsetScore(measure, system, places);
        return element("td", {}, score === null ? "–" : score.toFixed(measure.digits));
      });
      return element("tr", { class: which }, element("th", { scope: "row" }, element("bdi", {}, withSigns(data.systems[system]))), ...cells);
    });
    byId("segment-subset-table", HTMLTableElement).replaceChildren(
      element("thead", {}, head),
      element("tbody", {}, ...rows),
    );
  }

  showHistogram() {
    const { data, query } = this;
    const { bars } = this;
    const focused = document.activeElement instanceof SVGElement ? document.activeElement.getAttribute("aria-label") : null;
    const chart = histogramChart(data, query, bars, (bar) => this.ask({ from: bar ? bar.from : null, to: bar ? bar.to : null }));
    byId("segment-histogram", HTMLElement).replaceChildren(chart);
    // The bars are drawn anew: the one that was pressed keeps the focus.
    for (const bar of chart.querySelectorAll("g")) if (focused && bar.getAttribute("aria-label") === focused) bar.focus();
    const [a, b] = [query.a, query.b].map((system) => element("bdi", {}, withSigns(data.systems[system])));
    const metric = `${withSigns(data.measures[query.metric].name)}: `;
    byId("segment-histogram-title", HTMLElement).replaceChildren(metric, a, " − ", b);
    const rows = bars.map((bar) =>
      element("tr", {}, element("td", {}, String(bar.from)), element("td", {}, String(bar.to)), element("td", {}, String(bar.places.length))),
    );
    const head = ["From", "To before", "Segments"].map((title) => element("th", { scope: "col" }, title));
    byId("segment-histogram-table", HTMLTableElement).replaceChildren(
      element("thead", {}, element("tr", {}, ...head)),
      element("tbody", {}, ...rows),
    );
  }

  /**
   * The numbers of the scatter plot, written when they are looked at: there may be thousands.
   * @param {{place: number, a: number, b: number}[]} points
   */
  showScatterNumbers(points) {
    const { data, query } = this;
    const table = byId("segment-scatter-table", HTMLTableElement);
    const folded = /** @type {HTMLDetailsElement} */ (table.closest("details"));
    const write = () => {
      if (!folded.open) return;
      const names = ["Segment", withSigns(data.systems[query.a]), withSigns(data.systems[query.b])];
      const head = names.map((name) => element("th", { scope: "col" }, name));
      const { digits } = data.measures[query.metric];
      const rows = points.map(({ place, a, b }) =>
        element("tr", {}, element("td", {}, String(data.numbers[place])), element("td", {}, a.toFixed(digits)), element("td", {}, b.toFixed(digits))),
      );
      table.replaceChildren(element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...rows));
    };
    folded.ontoggle = write;
    write();
  }

  showScatter() {
    const { data, query } = this;
    const { svg, points, mark } = scatterChart(data, query, this.places, (place) => this.choose(place));
    this.markScatter = mark;
    byId("segment-scatter", HTMLElement).replaceChildren(svg);
    this.showScatterNumbers(points);
  }
}

/** @returns {string} */
function decodedHash() {
  try {
    return decodeURIComponent(location.hash);
  } catch {
    return location.hash;
  }
}

/** Show the browser in place of the first segments, once all are unpacked. */
async function startSegmentBrowser() {
  const packed = document.getElementById("segment-data");
  if (!packed || typeof DecompressionStream === "undefined") return;
  const data = await unpackSegments(packed.textContent || "");
  const browser = new SegmentBrowser(data);
  document.getElementById("segment-first")?.remove();
  byId("segment-browser", HTMLElement).hidden = false;
  byId("segment-overview", HTMLDetailsElement).open = window.innerWidth > 700;
  byId("segment-overview", HTMLDetailsElement).hidden = !data.measures.length;
  if (!browser.readAddress()) browser.update();
}

document.addEventListener("DOMContentLoaded", () => void startSegmentBrowser());
