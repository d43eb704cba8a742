/** The process: run by the host where it can, led through by hand where it cannot. Knows the host only through `lime`. */

/** The steps of `workflows/publish.yaml`, in their order. */
export const STEPS = ["draft", "review", "publish"];
const WORKFLOW = "publish";
const KEY = "done";
const RUN = "run";
const NO_ENGINE = "APP_E305";

/** Start the process; `by` says who carries it out: the host, or the person at the page. */
export async function startProcess(lime) {
  await lime.storage.set({ key: KEY, value: [] });
  try {
    const { workflowRunId } = await lime.workflow.start({ key: WORKFLOW });
    await lime.storage.set({ key: RUN, value: workflowRunId });
    return { by: "host", workflowRunId };
  } catch (error) {
    if (error.appErrorCode !== NO_ENGINE) throw error;
    await lime.storage.delete({ key: RUN });
    return { by: "person", why: error.message };
  }
}

/** The run that the host leads on: how it stands, and the steps that are done. Null where it leads none. */
export async function readRun(lime) {
  const workflowRunId = await lime.storage.get({ key: RUN });
  if (workflowRunId === null) return null;
  const { status, steps } = await lime.workflow.get({ workflowRunId });
  const done = steps.filter((step) => step.status === "succeeded").map((step) => step.state);
  const isOver = ["succeeded", "failed", "cancelled"].includes(status);
  return { status, isOver, done: STEPS.filter((key) => done.includes(key)) };
}

/** The keys of the steps that are done; null where no process was started. */
export async function readProgress(lime) {
  return lime.storage.get({ key: KEY });
}

/** Take a step as done. Each can be done only after the one before it. */
export async function finishStep(lime, key) {
  const done = (await readProgress(lime)) ?? [];
  if (nextStep(done) !== key) return done;
  const further = [...done, key];
  await lime.storage.set({ key: KEY, value: further });
  return further;
}

/** The step whose turn it is; undefined at the end. */
export function nextStep(done) {
  return STEPS[done.length];
}
