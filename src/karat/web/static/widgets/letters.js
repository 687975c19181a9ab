// Keys for the categories of marks.

/** Letters that mean something on the whole page. */
const TAKEN = new Set("bfgpu");

/** A letter for each name, one of its own if there is one left. Where all letters are gone, names share, and the key goes
 *  from one to the next.
 *  @param {string[]} names
 *  @returns {string[]} */
export function lettersFor(names) {
  const free = new Set([..."abcdefghijklmnopqrstuvwxyz"].filter((letter) => !TAKEN.has(letter)));
  const all = [...free];
  return names.map((name, number) => {
    const own = [...name.slice(name.lastIndexOf("/") + 1).toLowerCase()];
    const letter = own.find((sign) => free.has(sign)) ?? [...free][0] ?? all[number % all.length];
    free.delete(letter);
    return letter;
  });
}
