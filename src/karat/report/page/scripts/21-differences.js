// How two texts differ word by word, and which words are part of n-grams that a reference has.

const MOST_CELLS = 4e6;

/** @typedef {{kind: "same" | "extra" | "missing", left: number, right: number}} Step */

/**
 * The steps from one sequence of words to another over a longest common subsequence: words of the left one that are
 * the same or extra, and words of the right one that are missing. Null where both are too long to compare.
 * @param {string[]} left
 * @param {string[]} right
 * @returns {Step[] | null}
 */
function differences(left, right) {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  const middle = middleSteps(left, right, start, leftEnd, rightEnd);
  if (middle === null) return null;
  /** @type {Step[]} */
  const steps = [];
  for (let i = 0; i < start; i++) steps.push({ kind: "same", left: i, right: i });
  steps.push(...middle);
  for (let i = leftEnd; i < left.length; i++) steps.push({ kind: "same", left: i, right: i - leftEnd + rightEnd });
  return steps;
}

/**
 * @param {string[]} left
 * @param {string[]} right
 * @param {number} start
 * @param {number} leftEnd
 * @param {number} rightEnd
 * @returns {Step[] | null}
 */
function middleSteps(left, right, start, leftEnd, rightEnd) {
  const rows = leftEnd - start;
  const width = rightEnd - start + 1;
  if (rows * width > MOST_CELLS) return null;
  // common[i * width + j] is the longest common subsequence of what follows i and j.
  const common = new Uint16Array((rows + 1) * width);
  for (let i = rows - 1; i >= 0; i--)
    for (let j = width - 2; j >= 0; j--)
      common[i * width + j] =
        left[start + i] === right[start + j]
          ? common[(i + 1) * width + j + 1] + 1
          : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  /** @type {Step[]} */
  const steps = [];
  let i = 0;
  let j = 0;
  while (i < rows || j < width - 1) {
    const here = { left: start + i, right: start + j };
    if (i < rows && j < width - 1 && left[here.left] === right[here.right]) {
      steps.push({ kind: "same", ...here });
      i++;
      j++;
    } else if (j >= width - 1 || (i < rows && common[(i + 1) * width + j] >= common[i * width + j + 1])) {
      steps.push({ kind: "extra", ...here });
      i++;
    } else {
      steps.push({ kind: "missing", ...here });
      j++;
    }
  }
  return steps;
}

const LONGEST_NGRAM = 4;

/**
 * For each word, the order of the longest n-gram with it that some reference has too; 0 for none.
 * @param {string[]} words
 * @param {string[][]} references
 * @returns {number[]}
 */
function matchedOrders(words, references) {
  const orders = new Array(words.length).fill(0);
  for (let order = 1; order <= LONGEST_NGRAM; order++) {
    const known = new Set(references.flatMap((reference) => ngrams(reference, order)));
    ngrams(words, order).forEach((ngram, start) => {
      if (known.has(ngram)) orders.fill(order, start, start + order);
    });
  }
  return orders;
}

/**
 * @param {string[]} words
 * @param {number} order
 * @returns {string[]}
 */
function ngrams(words, order) {
  const found = [];
  for (let start = 0; start + order <= words.length; start++) found.push(words.slice(start, start + order).join(" "));
  return found;
}
