/** What went wrong, in a person's words: what happened, what to do, and the code for whoever helps them. */

const NO_MODEL = ["APP_E130", "APP_E131", "no_model"];
/** Nothing is broken: the host is only not there yet. */
const STARTING = ["capability_unavailable", "timeout"];
/** The host gives no answer that stands on nothing: that is no stop, and no fault of anybody's. */
const WITHHELD = "APP_E109";
/** A person was asked, and said no: they know, and nothing is broken. */
const REFUSED = "APP_E027";
/** The App Server ended meanwhile, and starts again by itself. */
const INTERRUPTED = "interrupted";
const STOPPED = ["cancelled", "AbortError"];

/** @returns {{title: string, action: string, code: string, isQuiet: boolean}} */
export function describe({ error }, texts) {
  const key = error.code;
  const isStopped = STOPPED.includes(key) || STOPPED.includes(error.name);
  const isNoModel = NO_MODEL.includes(error.appErrorCode ?? error.code);
  const isWithheld = error.appErrorCode === WITHHELD;
  const word = isStopped ? "cancelled" : isNoModel ? "no_model" : isWithheld ? "withheld" : key;
  return {
    title: texts(`errors.${word}`, {}, texts("errors.other")),
    action: texts(`actions.${word}`, {}, error.userAction ?? texts("actions.other")),
    code: [error.appErrorCode ?? error.code ?? key, error.traceId].filter(Boolean).join(" · "),
    // Who stops something themselves or says no needs no alarm.
    isQuiet: isStopped || isWithheld || error.appErrorCode === REFUSED || key === INTERRUPTED || STARTING.includes(key),
  };
}
