/** What the tests share: the app's own page, from which alone they speak to the host. */

const frame = () => document.querySelector("iframe").contentWindow;

/** The page's global scope. */
export const app = frame;
/** What the page says and hears. */
export const probe = () => frame().probe;

/** The codes of a refusal; an error where it is none. */
export function refusalIn({ type, payload }) {
  if (type !== "host:error") throw new Error(`It was not refused: ${type} ${JSON.stringify(payload).slice(0, 200)}`);
  return { stable: payload.stableCode, code: payload.details.appErrorCode, rule: payload.details.rule };
}

/** The value of an answer; an error where it was refused. */
export function valueIn({ type, payload }) {
  if (type !== "host:response") throw new Error(`It was refused: ${JSON.stringify(payload).slice(0, 300)}`);
  return payload.value;
}

export function demand(holds, words) {
  if (!holds) throw new Error(words);
}
