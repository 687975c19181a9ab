// The list: as many rows as fit are drawn, and say which of how many they are.

const SPARE_ROWS = 8;

class SegmentList {
  /**
   * @param {HTMLElement} box the listbox
   * @param {(place: number) => HTMLElement[]} fill what stands in a row
   * @param {(place: number) => void} choose
   * @param {() => void} read go to the segment that is chosen
   */
  constructor(box, fill, choose, read) {
    this.box = box;
    this.fill = fill;
    this.choose = choose;
    this.read = read;
    this.space = element("div", { class: "segment-list-space", role: "presentation" });
    /** @type {number[]} */
    this.places = [];
    /** @type {Map<number, number>} */
    this.rows = new Map();
    /** @type {number | null} */
    this.chosen = null;
    box.replaceChildren(this.space);
    box.addEventListener("scroll", () => this.draw());
    box.addEventListener("keydown", (event) => this.key(event));
    box.addEventListener("click", (event) => {
      const row = event.target instanceof Element ? event.target.closest("[data-place]") : null;
      if (row) this.choose(Number(row.getAttribute("data-place")));
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /** @returns {number} */
  get rowHeight() {
    return parseFloat(getComputedStyle(this.box).getPropertyValue("--row")) * 16 || 56;
  }

  /** @param {number[]} places */
  show(places) {
    this.places = places;
    this.rows = new Map(places.map((place, row) => [place, row]));
    this.space.style.height = `${places.length * this.rowHeight}px`;
    this.draw(true);
  }

  /**
   * @param {number | null} place
   * @param {boolean} [reveal]
   */
  mark(place, reveal = true) {
    this.chosen = place;
    const row = place === null ? undefined : this.rows.get(place);
    if (row !== undefined && reveal) {
      const top = row * this.rowHeight;
      const { scrollTop, clientHeight } = this.box;
      if (top < scrollTop) this.box.scrollTop = top;
      else if (top + this.rowHeight > scrollTop + clientHeight) this.box.scrollTop = top + this.rowHeight - clientHeight;
    }
    this.draw(true);
  }

  /** @param {boolean} [again] draw rows that are there already, too */
  draw(again = false) {
    const height = this.rowHeight;
    const first = Math.max(0, Math.floor(this.box.scrollTop / height) - SPARE_ROWS);
    const last = Math.min(this.places.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / height) + SPARE_ROWS);
    /** @type {Map<string, HTMLElement>} */
    const there = new Map();
    for (const row of /** @type {HTMLCollectionOf<HTMLElement>} */ (this.space.children)) there.set(row.id, row);
    const wanted = [];
    for (let row = first; row < last; row++) {
      const known = there.get(`row-${this.places[row]}`);
      wanted.push(known && !again ? known : this.row(row, height));
    }
    const active = this.chosen !== null && this.rows.get(this.chosen);
    if (typeof active === "number" && active >= first && active < last)
      this.box.setAttribute("aria-activedescendant", `row-${this.chosen}`);
    else this.box.removeAttribute("aria-activedescendant");
    this.space.replaceChildren(...wanted);
  }

  /**
   * @param {number} row
   * @param {number} height
   * @returns {HTMLElement}
   */
  row(row, height) {
    const place = this.places[row];
    const made = element(
      "div",
      {
        id: `row-${place}`,
        class: "segment-row",
        role: "option",
        "data-place": place,
        "aria-setsize": this.places.length,
        "aria-posinset": row + 1,
        "aria-selected": place === this.chosen ? "true" : "false",
      },
      ...this.fill(place),
    );
    made.style.transform = `translateY(${row * height}px)`;
    return made;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.read();
      return;
    }
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.rowHeight) - 1);
    const here = this.chosen === null ? -1 : (this.rows.get(this.chosen) ?? -1);
    /** @type {Record<string, number>} */
    const targets = {
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      PageDown: here + page,
      PageUp: here - page,
      Home: 0,
      End: this.places.length - 1,
    };
    if (!(event.key in targets) || !this.places.length) return;
    event.preventDefault();
    this.choose(this.places[Math.min(this.places.length - 1, Math.max(0, targets[event.key]))]);
  }

  /**
   * The segment so many rows after the chosen one, or null at either end.
   * @param {number} step
   * @returns {number | null}
   */
  neighbour(step) {
    const here = this.chosen === null ? -1 : (this.rows.get(this.chosen) ?? -1);
    return this.places[here + step] ?? null;
  }
}
