/** What was done and when, for later proof. The app tells its own steps; the host adds what it saw itself. */

const SHOWN_CALLS = 10;

/** Keep a fact about a draft. */
export const record = (lime, draft, kind, message, refs = []) =>
  lime.evidence.record({ kind, message, subject: draft.id, refs });

/**
 * The evidence beside a draft, newest first: its own steps and tasks, and the calls that the host recorded by itself. A
 * call knows the app and not the draft, so those are the newest of all drafts.
 */
export async function evidenceOf(lime, draft) {
  const records = await lime.evidence.list({ limit: 500 });
  const subjects = new Set([draft.id, ...draft.taskIds]);
  return {
    steps: records.filter(({ subject }) => subjects.has(subject)),
    calls: records.filter(({ kind }) => kind === "capability-call").slice(0, SHOWN_CALLS),
  };
}
