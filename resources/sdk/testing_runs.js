/** The runs of workflows that the mock host keeps: begun, listed, stopped. Those move whose workflow a test gives; how far another is a test answers. */

import { MovingRun } from "./testing_workflows.js";

/**
 * @typedef {import("./testing.d.ts").MockAnswer} MockAnswer
 * @typedef {(appErrorCode: string, details?: Record<string, unknown>) => Error} Refuse
 */

const OPEN = ["running", "waiting", "paused"];

/**
 * @param {string} appId @param {Refuse} refuse @param {Record<string, any>} workflows what moves, by its key
 * @param {(change: {workflowRunId: string, status: string}) => void} tell whoever has subscribed
 * @returns {{answers: Record<string, MockAnswer>, lead: (command: string, given: any) => Promise<any>}}
 */
export function runsInMemory(appId, refuse, workflows, tell) {
  /** @type {Map<string, any>} */
  const runs = new Map();
  /** @type {Map<string, MovingRun>} */
  const moving = new Map();
  let plan = {};
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
  /** @type {Record<string, MockAnswer>} */
  const answers = {
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
      if (run.key in workflows) moving.set(run.workflowRunId, new MovingRun(run, workflows[run.key], plan));
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
    "lime.workflow.retry": (input) => (moving.get(found(input).workflowRunId)?.retry(), told(found(input))),
    "lime.workflow.signal": (input) => (moving.get(found(input).workflowRunId)?.signal(input.event, input.data ?? null), told(found(input))),
    "lime.workflow.cancel": turned("cancelled", OPEN),
    "lime.workflow.checkpoint": (input) => {
      const run = found(input);
      if (!OPEN.includes(run.status)) throw refuse("APP_E301");
      run.checkpoint = `${run.workflowRunId}-checkpoint`;
      return { workflowRunId: run.workflowRunId, checkpoint: run.checkpoint, savedAt: new Date().toISOString() };
    },
  };
  /** How each run stood when it was last told of. @type {Map<string, string>} */
  const toldOf = new Map();
  const tellChanges = () => {
    for (const { workflowRunId, status, state, waitsFor, steps } of runs.values()) {
      const stands = JSON.stringify([status, state, waitsFor, steps.length]);
      if (toldOf.get(workflowRunId) !== stands) tell({ workflowRunId, status });
      toldOf.set(workflowRunId, stands);
    }
  };
  const telling = (/** @type {MockAnswer} */ act) => (/** @type {any} */ given) => {
    try {
      return act(given);
    } finally {
      tellChanges();
    }
  };
  for (const [name, act] of Object.entries(answers)) answers[name] = telling(act);
  const lead = async (/** @type {string} */ command, /** @type {any} */ given) => {
    if (command === "plan") return void (plan = given.plan);
    if (command === "start") {
      const usual = plan;
      plan = given.plan;
      try {
        return await lead("read", { runId: (/** @type {any} */ (answers["lime.workflow.start"](given))).workflowRunId });
      } finally {
        plan = usual;
      }
    }
    const newest = [...runs.values()].filter(({ key }) => key === given.key).at(-1);
    const run = moving.get(command === "newest" ? newest?.workflowRunId : given.runId);
    if (run === undefined) throw new Error("No such run moves: give its workflow to createMockHost({ workflows }).");
    if (command === "facts") return structuredClone(run.facts);
    telling(() => COMMANDS[command]?.(run, given))(given);
    return run.told();
  };
  return { answers, lead };
}

/** @type {Record<string, (run: MovingRun, given: any) => void>} */
const COMMANDS = {
  step: (run) => run.step(),
  hold: (run, { isHeld }) => run.hold(isHeld),
  skipWait: (run, { seconds }) => run.skipWait(seconds),
  forceBranch: (run, { state, leadsTo }) => run.forceBranch(state, leadsTo),
  failState: (run, { state, failure }) => run.failState(state, failure),
  answer: (run, { answer }) => run.answer(answer),
  signal: (run, { event, data }) => run.signal(event, data),
  retry: (run) => run.retry(),
  cancel: (run) => run.cancel(),
};

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
