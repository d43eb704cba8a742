/** The runs of workflows that the mock host keeps: begun, listed, stopped. None moves by itself; how far one is a test answers. */

/**
 * @typedef {import("./testing.d.ts").MockAnswer} MockAnswer
 * @typedef {(appErrorCode: string, details?: Record<string, unknown>) => Error} Refuse
 */

const OPEN = ["running", "waiting", "paused"];

/** @param {string} appId @param {Refuse} refuse @returns {Record<string, MockAnswer>} */
export function runAnswers(appId, refuse) {
  /** @type {Map<string, any>} */
  const runs = new Map();
  /** @type {Map<string, string>} */
  const byKey = new Map();
  const found = (/** @type {any} */ input) => {
    const run = runs.get(input.workflowRunId ?? input.runId);
    if (run === undefined) throw refuse("APP_E304");
    return run;
  };
  const told = (/** @type {any} */ { input, steps, ...run }) => run;
  const turned = (/** @type {string} */ status, /** @type {string[]} */ from) => (/** @type {any} */ input) => {
    const run = found(input);
    if (run.status !== status && !from.includes(run.status)) throw refuse("APP_E301");
    run.status = status;
    if (!OPEN.includes(status)) run.finishedAt ??= new Date().toISOString();
    return told(run);
  };
  return {
    "lime.workflow.start": ({ key, workflowKey, input = null, idempotencyKey }) => {
      const known = runs.get(byKey.get(idempotencyKey) ?? "");
      if (known !== undefined) {
        const isSame = known.key === (key ?? workflowKey) && JSON.stringify(known.input) === JSON.stringify(input);
        if (!isSame) throw refuse("APP_E905");
        return told(known);
      }
      const run = newRun(appId, runs.size + 1, key ?? workflowKey, input);
      runs.set(run.workflowRunId, run);
      if (idempotencyKey !== undefined) byKey.set(idempotencyKey, run.workflowRunId);
      return told(run);
    },
    "lime.workflow.get": (input) => found(input),
    "lime.workflow.list": ({ key, status, limit = 100 } = {}) =>
      [...runs.values()]
        .filter((run) => (key ?? run.key) === run.key && (status ?? run.status) === run.status)
        .reverse()
        .slice(0, limit)
        .map(told),
    "lime.workflow.pause": turned("paused", OPEN),
    "lime.workflow.resume": turned("running", ["paused", "failed"]),
    "lime.workflow.cancel": turned("cancelled", OPEN),
    "lime.workflow.checkpoint": (input) => {
      const run = found(input);
      if (!OPEN.includes(run.status)) throw refuse("APP_E301");
      run.checkpoint = `${run.workflowRunId}-checkpoint`;
      return { workflowRunId: run.workflowRunId, checkpoint: run.checkpoint, savedAt: new Date().toISOString() };
    },
  };
}

/** @param {string} appId @param {number} number @param {string} key @param {unknown} input */
function newRun(appId, number, key, input) {
  const workflowRunId = `workflow-run-${number}`;
  return {
    workflowRunId,
    key,
    title: key,
    status: "running",
    state: "",
    states: [],
    output: null,
    costUsd: 0,
    trigger: "call",
    sessionId: `session-${workflowRunId}`,
    startedAt: new Date().toISOString(),
    provenance: { appName: appId },
    input,
    steps: [],
  };
}
