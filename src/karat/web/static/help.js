// What lies at hand and not in the way: guidelines, the keys, and the way out.

import { guidelines } from "./screens.js";
import { button, byId, make, say } from "./text.js";

/** @typedef {import("./server.js").State} State */
/** What a rater has chosen, and keeps.
 *  @typedef {{get: () => boolean, set: (on: boolean) => void}} Wish */

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
const KEYS_OF_MARKS = [
  ["← → ↑ ↓", "key-mark-arrows"],
  ["Shift ← →", "key-mark-extend"],
  ["Ctrl ← →", "key-mark-signs"],
  ["1–9", "key-mark-severity"],
  ["A–Z", "key-mark-category"],
  ["Del", "key-mark-delete"],
];
const KEYS_OF_COVERED = [["N", "key-next-word"]];

/** The keys of a campaign, with those that only some questions have.
 *  @param {State} state */
function keysOf({ questions }) {
  const marks = questions.some(({ widget }) => widget === "spans") ? KEYS_OF_MARKS : [];
  const covered = questions.some(({ reveal }) => reveal) ? KEYS_OF_COVERED : [];
  return [...marks, ...covered, ...KEYS];
}

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

/** @param {State} state
 *  @param {Wish} beside whether guidelines stand beside the task, where there is room */
export function showGuidelines(state, beside) {
  const turn = () => {
    beside.set(!beside.get());
    placeGuidelines(state, beside.get());
    closeDialog();
  };
  const pin = button(say(beside.get() ? "guidelines-away" : "guidelines-beside"), turn, { class: "wide-only" });
  show(say("guidelines"), ...guidelines(state), make("div", { class: "actions" }, pin));
}

/** Puts the guidelines beside the task, or takes them away.
 *  @param {State} state
 *  @param {boolean} beside */
export function placeGuidelines(state, beside) {
  const place = byId("aside");
  place.hidden = !beside;
  place.replaceChildren(...(beside ? [make("h2", {}, say("guidelines")), ...guidelines(state)] : []));
}

/** @param {State} state
 *  @param {Wish} singleKeys whether letters and digits work alone
 *  @param {() => void} withdraw */
export function showHelp(state, singleKeys, withdraw) {
  const box = make("input", { type: "checkbox" });
  box.checked = singleKeys.get();
  box.addEventListener("change", () => singleKeys.set(box.checked));
  const rows = keysOf(state).flatMap(([key, text]) => [make("dt", {}, make("kbd", { dir: "ltr" }, key)), make("dd", {}, say(text))]);
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
