// The words of the page, and small pieces of the page.

import * as server from "./server.js";

/** @type {Record<string, string>} */
let messages = {};
let language = "en";
let plurals = new Intl.PluralRules(language);

/** Loads the messages, in the language of the page's `?lang=` or else in one that the browser prefers.
 * @returns {Promise<void>} */
export async function loadMessages() {
  const known = await server.messages(new URLSearchParams(location.search).get("lang"));
  ({ language, messages } = known);
  plurals = new Intl.PluralRules(supported(language) ? language : "en");
  document.documentElement.lang = language;
  document.documentElement.dir = say("direction");
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = say(element.getAttribute("data-text") ?? "");
  }
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", say(element.getAttribute("data-label") ?? ""));
  }
}

/** @param {string} name */
function supported(name) {
  try {
    return Intl.PluralRules.supportedLocalesOf(name).length > 0;
  } catch {
    return false;
  }
}

/** Whether there is a message of that name.
 * @param {string} name */
export const said = (name) => name in messages;

/** A message with its places filled; one that depends on a number has `count` among the values.
 * @param {string} name
 * @param {Record<string, unknown>} [values]
 * @returns {string} */
export function say(name, values = {}) {
  const text =
    messages[name] ??
    ("count" in values ? messages[`${name}.${plurals.select(Number(values.count))}`] : undefined) ??
    messages[`${name}.other`] ??
    name;
  return text.replace(/\{(\w+)\}/g, (_, place) => String(values[place] ?? ""));
}

/** A language in words, as the page's language calls it.
 * @param {string | null} code
 * @returns {string | null} */
export function languageName(code) {
  if (code === null) return null;
  try {
    const name = new Intl.DisplayNames([language, "en"], { type: "language", fallback: "none" }).of(code);
    return name ?? null;
  } catch {
    return null;
  }
}

const RIGHT_TO_LEFT = new Set(["ar", "arc", "ckb", "dv", "fa", "he", "iw", "ks", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"]);
const WRITTEN_SO = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** The direction of a text. Its first letter decides, but not of a text in Arabic that begins with a name in Latin letters.
 * @param {string} text
 * @param {string | null} code
 * @returns {string} */
export function direction(text, code) {
  const known = RIGHT_TO_LEFT.has((code ?? "").toLowerCase().split("-")[0]);
  return known && WRITTEN_SO.test(text) ? "rtl" : "auto";
}

/** An element with attributes and children; strings become text and never markup.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, string | boolean | null | undefined>} [attributes]
 * @param {...(Node | string | null)} children
 * @returns {HTMLElementTagNameMap[K]} */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A button that does something.
 * @param {string} text
 * @param {() => void} work
 * @param {Record<string, string>} [attributes]
 * @returns {HTMLButtonElement} */
export function button(text, work, attributes = {}) {
  const element = make("button", { type: "button", ...attributes }, text);
  element.addEventListener("click", work);
  return element;
}

/** The one element with an id.
 * @param {string} id
 * @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`there is no #${id}`);
  return element;
}

/** What is only heard, by those who hear the page.
 * @param {string} text */
export const announce = (text) => byId("said").replaceChildren(make("p", {}, text));

/** What a translation in a column is called.
 * @param {number} column */
export const columnName = (column) => say("translation-letter", { letter: String.fromCharCode(65 + column) });
