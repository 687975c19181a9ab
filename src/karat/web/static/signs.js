// Digits and letters as people write them, on any keyboard.

/** Digits of any script as those of ASCII, and signs as a program reads them.
 * @param {string} text */
export function plainNumber(text) {
  return text
    .normalize("NFKC")
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0))
    .replace(/[,\u066b]/g, ".")
    .replace(/\u2212/g, "-")
    .trim();
}

/** A digit, also one above which something else is written, or a sign of a number.
 *  @param {KeyboardEvent} event
 *  @param {boolean} box whether it is written into a box
 *  @returns {string | null} */
export function signOf(event, box) {
  const key = event.key.length === 1 ? plainNumber(event.key) : "";
  if (/^[\d.-]$/.test(key)) return key;
  const place = /^(?:Digit|Numpad)(\d)$/.exec(event.code);
  return place !== null && !event.shiftKey && !box && event.key.length === 1 ? place[1] : null;
}

/** The letter of a key, on keyboards without Latin letters that of its place.
 *  @param {KeyboardEvent} event */
export function letterOf(event) {
  if (/^[\u061f\uff1f]$/.test(event.key)) return "?";
  if (/^[\x21-\x7e]$/.test(event.key)) return event.key.toLowerCase();
  return event.code.replace(/^Key/, "").toLowerCase();
}
