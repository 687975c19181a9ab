// Text of others: shown as it is, with signs for what is not seen; and its words.

const UNSEEN =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\p{Surrogate}/gu;

/**
 * What stands for a character that is not seen.
 * @param {string} character
 * @returns {string}
 */
function signOf(character) {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "␡" : `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}

/**
 * The text with signs, for names, options and labels.
 * @param {string} text
 * @returns {string}
 */
function withSigns(text) {
  return text.replace(UNSEEN, signOf);
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * A name that keeps its place where nothing but text can stand, also if it is read from right to left.
 * @param {string} name
 * @returns {string}
 */
function isolated(name) {
  return RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
}

/**
 * Nodes that show a text, its signs set apart.
 * @param {string} text
 * @returns {Node[]}
 */
function textNodes(text) {
  const nodes = [];
  let end = 0;
  for (const found of text.matchAll(UNSEEN)) {
    if (found.index > end) nodes.push(document.createTextNode(text.slice(end, found.index)));
    nodes.push(element("span", { class: "sign" }, signOf(found[0])));
    end = found.index + found[0].length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/**
 * An element with attributes and children; text of others goes through `textNodes` or `withSigns` first.
 * @param {string} tag
 * @param {Record<string, string | number | boolean | null | undefined>} [attributes]
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {}))
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value));
  made.append(...children);
  return made;
}

const BLANK = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

/** @typedef {{start: number, end: number, text: string}} Word */

/**
 * A text without the marks where it is cut, and its words by their places in it.
 * @param {string} marked
 * @param {string} mark
 * @returns {{text: string, words: Word[]}}
 */
function cutText(marked, mark) {
  const words = [];
  let text = "";
  for (const piece of marked.split(mark)) {
    for (const found of piece.matchAll(/[^\t-\r ]+/g))
      if (!BLANK.test(found[0])) {
        const start = text.length + found.index;
        words.push({ start, end: start + found[0].length, text: found[0] });
      }
    text += piece;
  }
  return { text, words };
}
