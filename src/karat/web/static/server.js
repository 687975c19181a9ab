// What is said to the server, and what it answers.

/** @typedef {{value: number, label: string | null}} Point */
/** @typedef {"hypothesis" | "source"} Side */
/** @typedef {{texts: Side[], categories: string[], severities: string[], tokens: string[], overlap: boolean,
 *   unit: "characters" | "words", gaps: boolean}} SpanRules */
/** @typedef {{form: "ranks" | "best" | "best-worst", ties: boolean, none: boolean}} RankingRules */
/** @typedef {{start: "nothing" | "translation", log: boolean, lines: boolean, minimal: boolean}} TextRules */
/** @typedef {{criterion: string, name: string, help: string | null, items: boolean, reveal: boolean,
 *   span_below: number | null, show: string[], widget: string, minimum: number, maximum: number, whole: boolean,
 *   points: Point[], own_labels: boolean, spans: SpanRules | null, ranking: RankingRules | null,
 *   text: TextRules | null}} Question */
/** Offsets count code points; without them, the mark is on a token.
 *  @typedef {{text: Side, start: number | null, end: number | null, category: string | null, severity: string | null,
 *   token: string | null}} OfferedSpan */
/** @typedef {OfferedSpan & {hash: string, fate: "made" | "kept" | "changed" | "removed", offered: number | null}} Span */
/** @typedef {{at: number, start: number, removed: number, inserted: string}} Edit */
/** @typedef {{seconds: number, pauses: number[], keystrokes: number, edits: Edit[]}} Log */
/** @typedef {{text: string, log: Log | null}} Text */
/** @typedef {{values: Record<string, number>, spans?: Record<string, Span[]>, texts?: Record<string, Text>,
 *   words?: Record<string, number>, broken?: string | null}} Settled */
/** @typedef {Settled & {seconds: number, comment?: string | null}} Answer */
/** @typedef {{criterion: string, name: string, text: string, points: Point[]}} Item */
/** @typedef {{source: string | null, translations: string[]}} Context */
/** @typedef {{translation: string | null, title: string | null, source: string | null, reference: string | null,
 *   hashes: {hypothesis: string, source: string | null}, offered: OfferedSpan[], items: Item[]}} Part */
/** @typedef {{passed: boolean, explanation: string | null, expected: Answer[] | null}} Feedback */
/** @typedef {{public: string, version: number, stage: number, columns: number, parts: Part[], before: Context[],
 *   after: Context[], tutorial: boolean, settled: Settled[], answers: Answer[], feedback: Feedback | null}} Task */
/** @typedef {{done: number, planned: number, right: number, needed: number, failed: boolean}} Tutorial */
/** @typedef {{key: string, campaign: string, protocol: string, guidelines: string | null,
 *   guidelines_html: string | null, source_language: string | null, target_language: string | null,
 *   questions: Question[], csrf: string, bilingual: boolean | null, done: number, planned: number, history: string[],
 *   tutorial: Tutorial | null}} State */
/** @typedef {{owner: string, public: string, uuid: string, base_version: number, answers: Answer[]}} Submit */
/** @typedef {{version: number, again: boolean, feedback: Feedback | null, hters: (number | null)[] | null}} Kept */

const LONGEST_WAIT = 10_000;

/** An answer that is not 200: its status, and what it says. */
export class Refusal extends Error {
  /** @param {number} status
   *  @param {any} body */
  constructor(status, body) {
    super(typeof body?.detail === "string" ? body.detail : `${status}`);
    this.status = status;
    this.body = body;
  }

  /** Whether the same may be answered otherwise later. */
  get passing() {
    return this.status >= 500 || this.status === 429;
  }
}

/** No answer at all, or none that could be read to its end. */
export class Unreachable extends Error {}

let csrf = "";

/** One call. Addresses are relative, so that the page may lie anywhere on a site.
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<any>} */
async function call(method, path, body) {
  /** @type {Record<string, string>} */
  const headers = method === "GET" ? {} : { "Content-Type": "application/json", "X-Csrf": csrf };
  const options = { method, headers, signal: AbortSignal.timeout(LONGEST_WAIT) };
  let answer, text;
  try {
    answer = await fetch(path, body === undefined ? options : { ...options, body: JSON.stringify(body) });
    text = await answer.text();
  } catch (error) {
    throw new Unreachable(String(error));
  }
  const known = asJson(text);
  if (!answer.ok) throw new Refusal(answer.status, known ?? { detail: `${answer.status}` });
  // A proxy or a hotel's login page may answer 200 with a page of its own: that is nobody of ours.
  if (known === undefined) throw new Unreachable("not JSON");
  return known;
}

/** @param {string} text
 *  @returns {any} undefined where it is none */
function asJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string | null} language
 *  @returns {Promise<{language: string, messages: Record<string, string>}>} */
export const messages = (language) =>
  call("GET", language ? `api/messages?lang=${encodeURIComponent(language.slice(0, 50))}` : "api/messages");

/** @param {string} secret */
export const enter = (secret) => call("POST", "api/enter", { secret });

/** @returns {Promise<State>} */
export async function state() {
  const found = await call("GET", "api/state");
  csrf = found.csrf;
  return found;
}

/** @returns {Promise<Task | null>} */
export const nextTask = () => call("POST", "api/next", {});

/** @param {string} name
 *  @returns {Promise<Task>} */
export const task = (name) => call("GET", `api/tasks/${encodeURIComponent(name)}`);

/** The task with the texts of a stage, for answers that stay as they are from then on.
 *  @param {string} name
 *  @param {number} stage
 *  @param {Answer[]} answers
 *  @returns {Promise<Task>} */
export const settle = (name, stage, answers) =>
  call("POST", `api/tasks/${encodeURIComponent(name)}/stage`, { stage, answers });

/** @param {Submit} submit
 *  @returns {Promise<Kept>} */
export const send = ({ public: name, uuid, base_version, answers }) =>
  call("POST", `api/tasks/${encodeURIComponent(name)}/answers`, { uuid, base_version, answers });

/** @param {boolean} bilingual */
export const tellBilingual = (bilingual) => call("POST", "api/profile", { bilingual });

/** @returns {Promise<{judgements: number}>} */
export const withdraw = () => call("POST", "api/withdraw", {});
