// Tries until it works: without a network, with a server that is away, and after the link was opened once more.

import * as server from "./server.js";

const SHORTEST = 1000;
const LONGEST = 15_000;

/** Another rater's link has been opened in this browser, so that nothing here may be sent as that rater's. */
export class SomebodyElse extends Error {}

/** Does something that needs the server, again and again while there is no connection.
 *  @template T
 *  @param {() => Promise<T>} work
 *  @param {(error: Error) => void} waiting is told each time
 *  @param {string | null} owner whose page this is
 *  @returns {Promise<T>} */
export async function persist(work, waiting, owner = null) {
  let renewed = false;
  for (let round = 0; ; round += 1) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof server.Refusal && error.status === 403 && !renewed) {
        renewed = true;
        await persist(async () => refuseOther(await server.state(), owner), waiting, owner);
        continue;
      }
      const passing = error instanceof server.Unreachable || (error instanceof server.Refusal && error.passing);
      if (!passing) throw error;
      waiting(error);
    }
    await aWhile(Math.min(LONGEST, SHORTEST * 2 ** round));
  }
}

/** @param {server.State} state
 *  @param {string | null} owner
 *  @returns {server.State} */
export function refuseOther(state, owner) {
  if (owner !== null && state.key !== owner) throw new SomebodyElse();
  return state;
}

/** Some time, or less where the network comes back before.
 *  @param {number} time
 *  @returns {Promise<void>} */
function aWhile(time) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    };
    const timer = setTimeout(done, time);
    window.addEventListener("online", done);
  });
}
