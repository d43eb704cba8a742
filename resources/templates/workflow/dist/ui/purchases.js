/** Requests for purchases: begun as runs of the workflow, and how each stands. Knows the host only through `lime`. */

const WORKFLOW = "purchase";
const SHOWN = 20;
const ENDED = ["succeeded", "failed", "cancelled"];

/** Begin a run; the host leads it on, whatever is open. */
export async function request(lime, { what, amount }) {
  const { workflowRunId } = await lime.workflow.start({ key: WORKFLOW, input: { what: what.trim(), amount } });
  return workflowRunId;
}

/** The newest requests: what is wanted, how its run stands, and where its receipt is. */
export async function readRequests(lime) {
  const runs = await lime.workflow.list({ key: WORKFLOW, limit: SHOWN });
  return Promise.all(runs.map(async ({ workflowRunId }) => told(await lime.workflow.get({ workflowRunId }))));
}

/** What was booked, newest first. */
export async function readBooked(lime) {
  const { rows } = await lime.storage.table("purchases").query({ orderBy: [{ field: "requestedAt", direction: "desc" }] });
  return rows;
}

/** Try again what failed and waits for it. */
export async function tryAgain(lime, workflowRunId) {
  await lime.workflow.retry({ workflowRunId });
}

function told({ workflowRunId, status, waitsFor, input, output }) {
  const standing = status === "waiting" && waitsFor ? `waiting.${waitsFor}` : status;
  const { what, amount } = output?.purchase ?? input;
  return { workflowRunId, standing, what, amount, isOver: ENDED.includes(status), receipt: output?.receipt ?? null };
}
