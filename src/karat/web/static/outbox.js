// Answers on their way: kept on the device until the server has said that they are stored.

/** @typedef {import("./server.js").Submit} Submit */

const NAME = "karat";
const STORE = "outbox";

/** Where the browser keeps nothing, the page does, for as long as it is open.
 *  @type {Map<string, Submit>} */
const inThePage = new Map();

/** @returns {Promise<IDBDatabase>} */
function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: "uuid" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @template T
 *  @param {IDBTransactionMode} mode
 *  @param {(store: IDBObjectStore) => IDBRequest<T>} work
 *  @returns {Promise<T>} */
async function within(mode, work) {
  const database = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const request = work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @param {Submit} submit
 *  @returns {Promise<boolean>} whether it would outlive the page */
export async function keep(submit) {
  inThePage.set(submit.uuid, submit);
  try {
    await within("readwrite", (store) => store.put(submit));
    return true;
  } catch {
    return false;
  }
}

/** @param {string} uuid
 *  @returns {Promise<void>} */
export async function drop(uuid) {
  inThePage.delete(uuid);
  try {
    await within("readwrite", (store) => store.delete(uuid));
  } catch {
    // What could not be kept need not be dropped; what was is sent again, and counts once.
  }
}

/** What is kept for a rater: others may have used this browser.
 *  @param {string} owner
 *  @returns {Promise<Submit[]>} */
export async function kept(owner) {
  const all = new Map(inThePage);
  try {
    for (const submit of await within("readonly", (store) => store.getAll())) all.set(submit.uuid, submit);
  } catch {
    // Then there is what the page holds.
  }
  return [...all.values()].filter((submit) => submit.owner === owner);
}

/** A name that no other submit has; `crypto.randomUUID` is missing where a page came without HTTPS.
 *  @returns {string} */
export function newUuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
