// Scores of summed rows: the formulas of metrics whose rows the page has.

/** @typedef {{kind: string, smooth?: string, smooth_value?: number | null, max_order?: number,
 *   effective_order?: boolean, weights?: number[] | null, beta?: number, eps_smoothing?: boolean}} Formula */

const LOG_OF_ZERO = -9999999999;
const EPSILON = 1e-16;

/**
 * The score of a summed row; null where the page knows no formula.
 * @param {Formula} formula
 * @param {number[]} sums
 * @returns {number | null}
 */
function scoreOf(formula, sums) {
  if (formula.kind === "bleu") return bleuOf(formula, sums);
  if (formula.kind === "chrf") return chrfOf(formula, sums);
  if (formula.kind === "rate") return sums[1] > 0 ? (100 * sums[0]) / sums[1] : sums[0] > 0 ? 100 : 0;
  if (formula.kind === "mean") return sums[1] > 0 ? sums[0] / sums[1] : null;
  return null;
}

/**
 * @param {Formula} formula
 * @param {number[]} sums
 * @returns {number}
 */
function bleuOf(formula, sums) {
  const orders = formula.max_order || 4;
  const correct = sums.slice(2, 2 + orders);
  const total = sums.slice(2 + orders, 2 + 2 * orders);
  if (!correct.some((count) => count > 0)) return 0;
  const value = formula.smooth_value || 0;
  let possible = true;
  let missing = 0;
  let logs = 0;
  let weights = 0;
  for (let n = 0; n < orders; n++) {
    const added = formula.smooth === "add-k" && n > 0 ? value : 0;
    const matches = correct[n] + added;
    const count = total[n] + added;
    possible = possible && count > 0;
    if (!possible && formula.effective_order) continue;
    let precision = 0;
    if (possible && matches > 0) precision = (100 * matches) / count;
    else if (possible && formula.smooth === "exp") precision = 100 / (2 ** ++missing * count);
    else if (possible && formula.smooth === "floor") precision = (100 * value) / count;
    const weight = formula.weights ? formula.weights[n] : 1;
    logs += weight * (precision > 0 ? Math.log(precision) : LOG_OF_ZERO);
    weights += weight;
  }
  const [hypothesis, reference] = sums;
  const penalty = hypothesis >= reference ? 1 : hypothesis > 0 ? Math.exp(1 - reference / hypothesis) : 0;
  return weights > 0 ? penalty * Math.exp(logs / weights) : 0;
}

/**
 * @param {Formula} formula
 * @param {number[]} sums
 * @returns {number}
 */
function chrfOf(formula, sums) {
  const factor = (formula.beta || 0) ** 2;
  const mean = (/** @type {number} */ precision, /** @type {number} */ recall, /** @type {number} */ empty) => {
    const denominator = factor * precision + recall;
    return denominator > 0 ? ((1 + factor) * precision * recall) / denominator : empty;
  };
  let precisions = 0;
  let recalls = 0;
  let scores = 0;
  let counted = 0;
  for (let k = 0; k < sums.length; k += 3) {
    const [hypothesis, reference, match] = sums.slice(k, k + 3);
    const both = hypothesis > 0 && reference > 0;
    scores += mean(hypothesis > 0 ? match / hypothesis : EPSILON, reference > 0 ? match / reference : EPSILON, EPSILON);
    precisions += both ? match / hypothesis : 0;
    recalls += both ? match / reference : 0;
    counted += both ? 1 : 0;
  }
  if (formula.eps_smoothing) return (100 * scores) / (sums.length / 3);
  const orders = Math.max(counted, 1);
  return 100 * mean(precisions / orders, recalls / orders, 0);
}
