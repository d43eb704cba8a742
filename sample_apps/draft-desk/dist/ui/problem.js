/** What went wrong, in a person's words: what happened, what to do, and the code for whoever helps them. */

import { isNoModel as isAboutModel, isUngrounded } from "./shared/models.js";

/** A person was asked, and said no. */
const REFUSED = "APP_E027";
/** A person has said never, or has not given the permission: asking again changes nothing. */
const NOT_ALLOWED = "APP_E002";

/** @returns {{title: string, action: string, code: string, isQuiet: boolean, isNoModel: boolean}} */
export function describe({ step, error }, texts) {
  const key = error.name === "AbortError" ? "cancelled" : error.code;
  const isNoModel = isAboutModel(error);
  // The host gives no text that stands on nothing: that is no stop.
  const isWithheld = isUngrounded(error);
  const isRefused = error.appErrorCode === REFUSED;
  const isUnpublished = isRefused && step === "publish";
  const isNotAllowed = error.appErrorCode === NOT_ALLOWED;
  const word = isNotAllowed ? "not_allowed" : isNoModel ? "no_model" : isWithheld ? "withheld" : isUnpublished ? "not_published" : key;
  return {
    title: texts(`errors.${word}`, {}, texts("errors.other")),
    action: texts(`actions.${word}`, {}, error.userAction ?? texts("actions.other")),
    code: [error.appErrorCode ?? key, error.traceId].filter(Boolean).join(" · "),
    // Who stops a task or says no needs no alarm, and what is not set up is no fault.
    isQuiet: ["cancelled", "interrupted"].includes(key) || isNoModel || isWithheld || isRefused || isNotAllowed,
    isNoModel,
  };
}
