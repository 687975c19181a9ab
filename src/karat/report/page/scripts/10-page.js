(() => {
  const root = document.documentElement;
  root.classList.add("with-scripts");

  /**
   * What is saved of a table: its records, of which the names of fields may stand apart.
   * @param {string} id
   */
  const records = (id) => {
    const element = document.getElementById(`${id}-data`);
    const data = element === null ? [] : JSON.parse(element.textContent ?? "[]");
    if (!Array.isArray(data.names) || !Array.isArray(data.rows)) return data;
    /** @type {string[]} */
    const names = data.names;
    return data.rows.map((/** @type {unknown[]} */ row) => Object.fromEntries(names.map((name, i) => [name, row[i]])));
  };

  const PAINTS = ["fill", "stroke"];

  const NAMES = 150;

  /**
   * A chart that is as wide as its place, with a width of its own and the names that rows of a table had beside it.
   * @param {SVGElement} fluid
   */
  const unbound = (fluid) => {
    const [width, height] = [Number(fluid.dataset.width), Number(fluid.dataset.height)];
    const size = { width: NAMES + width + 12, height: height + 12 };
    const whole = drawn("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}` });
    whole.append(...fluid.querySelectorAll(":scope > title, :scope > desc"));
    for (const [name, value] of Object.entries({ x: NAMES, y: 6, width, height, overflow: "visible" }))
      fluid.setAttribute(name, String(value));
    whole.append(fluid);
    return whole;
  };

  /**
   * A chart as a file of its own: the colours of the page written into it.
   * @param {SVGElement} chart
   */
  const standalone = (chart) => {
    const copy = /** @type {SVGElement} */ (chart.cloneNode(true));
    const originals = [chart, ...chart.querySelectorAll("*")];
    const copies = [copy, ...copy.querySelectorAll("*")];
    originals.forEach((original, i) => {
      for (const name of PAINTS) {
        if (original.getAttribute(name)?.includes("var(")) {
          copies[i].setAttribute(name, getComputedStyle(original).getPropertyValue(name));
        }
      }
    });
    const whole = copy.dataset.width === undefined ? copy : unbound(copy);
    const ground = drawn("rect", { width: "100%", height: "100%" });
    ground.setAttribute("fill", getComputedStyle(root).getPropertyValue("--ground").trim());
    whole.insertBefore(ground, whole.querySelector(":scope > :not(title, desc)"));
    return new XMLSerializer().serializeToString(whole);
  };

  document.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-save]") : null;
    if (!(button instanceof HTMLElement)) return;
    const { save: form = "", of = "" } = button.dataset;
    if (form === "svg") {
      const chart = document.querySelector(`#${CSS.escape(of)} svg`);
      if (chart instanceof SVGElement) saveFile(`${of}.svg`, "image/svg+xml", standalone(chart));
    } else if (form === "csv") {
      saveFile(`${of}.csv`, "text/csv;charset=utf-8", csvText(records(of)));
    } else {
      saveFile(`${of}.json`, "application/json", jsonText(records(of)));
    }
  });

  /**
   * A table of records, for charts whose numbers are not in the page as one.
   * @param {HTMLElement} place
   */
  const tabulate = (place) => {
    const lines = /** @type {Record<string, unknown>[]} */ (records(place.dataset.table ?? ""));
    const table = document.createElement("table");
    const names = Object.keys(lines[0] ?? {});
    const head = table.createTHead().insertRow();
    for (const name of names) {
      const heading = document.createElement("th");
      heading.scope = "col";
      heading.textContent = name.replaceAll("_", " ");
      head.append(heading);
    }
    const body = table.createTBody();
    for (const line of lines) {
      const row = body.insertRow();
      for (const name of names) {
        const shown = row.insertCell();
        const value = line[name];
        shown.textContent = typeof value === "number" ? String(Number(value.toPrecision(4))) : String(value);
        if (typeof value === "number") shown.className = "number";
      }
    }
    place.replaceChildren(table);
  };
  document.addEventListener(
    "toggle",
    (event) => {
      const place = event.target instanceof Element ? event.target.querySelector("[data-table]:empty") : null;
      if (place instanceof HTMLElement) tabulate(place);
    },
    true,
  );

  const baseline = /** @type {HTMLSelectElement | null} */ (document.getElementById("baseline"));
  const measure = /** @type {HTMLSelectElement | null} */ (document.getElementById("measure"));
  const pick = () => {
    document.querySelectorAll(".board").forEach((board, i) => {
      board.toggleAttribute("hidden", String(i) !== (measure?.value ?? "0"));
      for (const part of board.querySelectorAll("[data-baseline]"))
        part.toggleAttribute("hidden", part.getAttribute("data-baseline") !== baseline?.value);
    });
  };
  baseline?.addEventListener("change", pick);
  measure?.addEventListener("change", pick);

  const ranking = /** @type {HTMLTableElement | null} */ (document.getElementById("ranking"));

  /** @param {number} column */
  const order = (column) => {
    const body = ranking?.tBodies[0];
    if (ranking === null || body === undefined) return;
    /** @param {HTMLTableRowElement} row */
    const place = (row) => /** @type {HTMLElement[]} */ ([...row.querySelectorAll("[data-place]")])[column].dataset;
    const rows = [...body.rows].sort((a, b) => Number(place(a).place) - Number(place(b).place));
    rows.forEach((row, i) => {
      row.classList.toggle("ruled", i > 0 && place(row).cluster !== place(rows[i - 1]).cluster);
      body.append(row);
    });
    ranking.querySelectorAll("button.order").forEach((button, i) => {
      const heading = button.closest("th");
      if (i === column) heading?.setAttribute("aria-sort", "ascending");
      else heading?.removeAttribute("aria-sort");
    });
  };
  ranking?.querySelectorAll("button.order").forEach((button, i) => button.addEventListener("click", () => order(i)));

  addEventListener("beforeprint", () => document.querySelector(".every-metric")?.setAttribute("open", ""));

  const theme = document.getElementById("theme");
  const dark = () =>
    (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const tell = () => theme?.setAttribute("aria-pressed", String(dark()));
  theme?.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    tell();
  });
  tell();
})();
