// What keys mean, on any keyboard.

import { letterOf, signOf } from "./signs.js";

/** @typedef {{submit: () => void, undo: () => void, letters: Record<string, () => void>,
 *   type: (sign: string) => boolean, single: () => boolean, open: () => boolean}} Deeds */

/** @param {Deeds} deeds */
export function listenToKeys(deeds) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || !deeds.open()) return;
    if (meant(event, deeds)) event.preventDefault();
  });
}

/** @param {KeyboardEvent} event
 *  @param {Deeds} deeds
 *  @returns {boolean} whether it meant anything here */
function meant(event, deeds) {
  const { target } = event;
  const area = target instanceof HTMLTextAreaElement;
  const box = target instanceof HTMLInputElement && target.type === "text";
  if (event.key === "Enter") return enter(event, deeds, area && !target.hasAttribute("data-single"));
  const command = event.ctrlKey || event.metaKey;
  if (command && !event.altKey && !event.shiftKey && letterOf(event) === "z" && !area) {
    deeds.undo();
    return true;
  }
  // AltGr is Ctrl and Alt in one on some systems: what it writes is no key of ours.
  if (command || event.altKey || area || !deeds.single()) return false;
  const sign = signOf(event, box);
  if (sign !== null) return !box && deeds.type(sign);
  const deed = deeds.letters[letterOf(event)];
  if (deed === undefined || event.repeat) return false;
  deed();
  return true;
}

/** @param {KeyboardEvent} event
 *  @param {Deeds} deeds
 *  @param {boolean} area whether lines are written there
 *  @returns {boolean} */
function enter(event, deeds, area) {
  const { target } = event;
  const command = event.ctrlKey || event.metaKey;
  const own = target instanceof Element && target.closest("button, a, summary, dialog") !== null;
  if (!command && (own || area)) return false;
  // A key that is held down answers nothing twice.
  if (!event.repeat) deeds.submit();
  return true;
}
