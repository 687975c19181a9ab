// What lies at hand and not in the way: guidelines, the keys, and the way out.

import { guidelines } from "./screens.js";
import { button, byId, make, say } from "./text.js";

/** @typedef {import("./server.js").State} State */

const KEYS = [
  ["0–9", "key-digits"],
  ["← →", "key-arrows"],
  ["Tab", "key-tab"],
  ["Enter", "key-enter"],
  ["Ctrl Enter", "key-submit"],
  ["U", "key-undo"],
  ["B", "key-back"],
  ["F", "key-flag"],
  ["G", "key-guidelines"],
  ["P", "key-pause"],
  ["?", "key-help"],
];

/** @param {string} heading
 *  @param {...Node} children */
function show(heading, ...children) {
  const dialog = byId("dialog");
  if (!(dialog instanceof HTMLDialogElement)) return;
  const close = button(say("close"), () => dialog.close());
  dialog.replaceChildren(make("h2", { id: "dialog-title" }, heading), ...children, make("div", { class: "actions" }, close));
  dialog.showModal();
  dialog.scrollTop = 0;
  close.focus({ preventScroll: true });
}

/** @param {State} state */
export const showGuidelines = (state) => show(say("guidelines"), ...guidelines(state));

/** @param {State} state
 *  @param {{get: () => boolean, set: (on: boolean) => void}} singleKeys whether letters and digits work alone
 *  @param {() => void} withdraw */
export function showHelp(state, singleKeys, withdraw) {
  const box = make("input", { type: "checkbox" });
  box.checked = singleKeys.get();
  box.addEventListener("change", () => singleKeys.set(box.checked));
  const rows = KEYS.flatMap(([key, text]) => [make("dt", {}, make("kbd", { dir: "ltr" }, key)), make("dd", {}, say(text))]);
  const leave = make(
    "details",
    {},
    make("summary", {}, say("withdraw")),
    make("p", {}, say("withdraw-sure", { count: state.done })),
    button(say("withdraw-yes"), withdraw, { class: "alarm" }),
  );
  show(say("help"), make("h3", {}, say("keys")), make("dl", { class: "keys" }, ...rows), make("label", { class: "choice" }, box, ` ${say("single-keys")}`), leave);
}

export function closeDialog() {
  const dialog = byId("dialog");
  if (dialog instanceof HTMLDialogElement) dialog.close();
}
