"use strict";
// Files that a reader keeps: CSV that no spreadsheet runs, JSON and pictures.

/**
 * A cell of CSV; text that a spreadsheet would take for a formula has an apostrophe before it.
 * @param {unknown} value
 * @returns {string}
 */
function csvCell(value) {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  const formula = typeof value === "string" && /^'*[=+\-@\t\r]/.test(text);
  const harmless = formula && !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/**
 * @param {Record<string, unknown>[]} records
 * @returns {string}
 */
function csvText(records) {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => names.map((name) => csvCell(record[name])));
  return [names.map(csvCell), ...rows].map((row) => `${row.join(",")}\n`).join("");
}

/**
 * @param {unknown} value
 * @returns {string}
 */
function jsonText(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}

const BETWEEN_FILES = 150;
const KEPT_FOR = 120_000;
/** @type {Promise<void>} */
let saved = Promise.resolve();

/**
 * Let the reader keep a file. Each waits for the one before: of more than ten in a second Chromium drops the rest.
 * @param {string} name
 * @param {string} type
 * @param {string} text
 */
function saveFile(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  saved = saved.then(() => {
    link.click();
    // A slow machine may read the file long after it was asked for.
    setTimeout(() => URL.revokeObjectURL(link.href), KEPT_FOR);
    return new Promise((go) => setTimeout(go, BETWEEN_FILES));
  });
}
