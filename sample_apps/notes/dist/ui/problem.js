/** What went wrong, in a person's words: what happened, what to do, and the code for whoever helps them. */

/** What the host refused, what became of an agent's task, or what the person stopped. Anything else is a fault of this page. */
export const isExpected = (error) => ["LimeError", "TaskEnded", "AbortError"].includes(error?.name);

/** @returns {{title: string, action: string, report: string, isQuiet: boolean}} */
export function describe(error, texts) {
  const fine = error.appErrorCode ?? "";
  const code = error.name === "AbortError" ? "cancelled" : error.code;
  const known = [fine, code].find((each) => texts(`errors.${each}`, {}, "") !== "") ?? "other";
  return {
    title: texts(`errors.${known}`),
    action: texts(`actions.${known}`, {}, texts("actions.other")),
    // Codes and ids only: a report is copied to other people, and notes are nobody's business.
    report: ["notes", fine || code, error.causeCode, error.traceId].filter(Boolean).join(" · "),
    // Who stops a task, says no or closes a dialog needs no alarm, and what is not set up is no fault.
    isQuiet: code === "cancelled" || ["no_model", "interrupted", "APP_E027", "APP_E109", "APP_E130", "APP_E131"].includes(known),
    isStopped: code === "cancelled",
  };
}
