// Marks as they go to the server, and what became of those that were offered.

/** @typedef {import("../server.js").OfferedSpan} OfferedSpan */
/** @typedef {import("../server.js").Part} Part */
/** @typedef {import("../server.js").Span} Span */

/** @param {OfferedSpan} one
 *  @param {OfferedSpan} other */
const sameSpan = (one, other) =>
  samePlace(one, other) && one.category === other.category && one.severity === other.severity;

/** @param {OfferedSpan} one
 *  @param {OfferedSpan} other */
export const samePlace = (one, other) =>
  one.text === other.text && one.start === other.start && one.end === other.end && one.token === other.token;

/** The marks that a part begins with: those that are offered, as they are.
 *  @param {Part} part
 *  @returns {Span[]} */
export const offeredSpans = (part) =>
  part.offered.map((span, offered) => ({ ...span, hash: part.hashes[span.text] ?? "", fate: "kept", offered }));

/** A mark with other words, and what that makes of it.
 *  @param {Part} part
 *  @param {Span} span
 *  @param {Partial<OfferedSpan>} change
 *  @returns {Span} */
export function changedSpan(part, span, change) {
  const next = { ...span, ...change };
  if (next.offered === null) return next;
  return { ...next, fate: sameSpan(next, part.offered[next.offered]) ? "kept" : "changed" };
}

/** The marks without one; of one that was offered, that it was removed stays on record.
 *  @param {Part} part
 *  @param {Span[]} spans
 *  @param {Span} gone
 *  @returns {Span[]} */
export function withoutSpan(part, spans, gone) {
  const { offered } = gone;
  if (offered === null) return spans.filter((span) => span !== gone);
  return spans.map((span) => (span === gone ? { ...span, ...part.offered[offered], fate: "removed" } : span));
}

/** Whether two marks share a piece of their text.
 *  @param {OfferedSpan} one
 *  @param {OfferedSpan} other */
export function overlapping(one, other) {
  if (one.text !== other.text || one.token !== other.token) return false;
  if (one.start === null || one.end === null || other.start === null || other.end === null) return true;
  if (one.start === one.end || other.start === other.end) return samePlace(one, other);
  return one.start < other.end && other.start < one.end;
}
