/** What went wrong, in a person's words: what happened, what to do, and the code for whoever helps them. */

/** What the host refused, or what became of an agent's task. Anything else is a fault of this page. */
export const isExpected = (error) => ["LimeError", "TaskEnded"].includes(error?.name);

/** @returns {{title: string, action: string, report: string, isQuiet: boolean}} */
export function describe(error, texts) {
  const fine = error.appErrorCode ?? "";
  const known = [fine, error.code].find((code) => texts(`errors.${code}`, {}, "") !== "") ?? "other";
  return {
    title: texts(`errors.${known}`),
    action: texts(`actions.${known}`, {}, texts("actions.other")),
    // Codes and ids only: a report is copied to other people, and notes are nobody's business.
    report: ["notes", fine || error.code, error.causeCode, error.traceId].filter(Boolean).join(" · "),
    // Who stops a task or closes a dialog needs no alarm.
    isQuiet: error.code === "cancelled",
  };
}
