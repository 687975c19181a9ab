// Where raters say that something is broken, and what.

import { button, make, say } from "./text.js";

export class Flag {
  /** @param {number} part
   *  @param {string | null} broken
   *  @param {boolean} stays whether it cannot be taken back
   *  @param {(broken: string | null) => void} changed */
  constructor(part, broken, stays, changed) {
    this.id = `broken-${part}`;
    this.broken = broken;
    this.stays = stays;
    this.changed = changed;
    this.element = make("div", { class: "flag" });
    this.draw();
  }

  draw() {
    const { broken } = this;
    if (broken === null) this.element.replaceChildren(button(say("flag"), () => this.set(""), { class: "plain" }));
    else this.element.replaceChildren(...this.reason(broken));
  }

  /** @param {string | null} broken */
  set(broken) {
    this.broken = broken;
    this.draw();
    this.changed(broken);
    (this.area ?? this.element.querySelector("button"))?.focus();
  }

  /** @param {string} broken */
  reason(broken) {
    const area = make("textarea", { id: this.id, rows: "2", maxlength: "5000", dir: "auto" });
    area.value = broken;
    area.addEventListener("input", () => {
      this.broken = area.value;
      this.clearLack();
      this.changed(area.value);
    });
    const back = this.stays ? make("p", { class: "quiet" }, say("stayed")) : button(say("flag-close"), () => this.set(null), { class: "plain" });
    return [make("label", { for: this.id }, say("flag-reason")), area, back];
  }

  get area() {
    return this.element.querySelector("textarea");
  }

  /** Opens it, or goes to what has been written. */
  open() {
    if (this.area === null) this.set("");
    else this.area.focus();
  }

  /** @param {string} reason */
  showLack(reason) {
    this.clearLack();
    this.area?.setAttribute("aria-invalid", "true");
    this.area?.after(make("p", { class: "lack" }, reason));
  }

  clearLack() {
    this.area?.removeAttribute("aria-invalid");
    this.element.querySelector(".lack")?.remove();
  }
}
