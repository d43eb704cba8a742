/** The host may still be starting, or starting again: a first look is tried for a while before anybody is told. */

const PAUSES_MS = [300, 700, 1_500, 3_000, 5_000];
const LATER = ["capability_unavailable", "timeout"];

/** Whether an error says only that the host is not there yet. */
export const isOnlyLater = (error) => error?.name === "LimeError" && LATER.includes(error.code);

/** Do something, again and again while the host is only starting; what is still so at the end is thrown. */
export async function patiently(action, { signal, pauses = PAUSES_MS } = {}) {
  for (const pause of [...pauses, null]) {
    try {
      return await action();
    } catch (error) {
      if (pause === null || !isOnlyLater(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
      signal?.throwIfAborted();
    }
  }
}
