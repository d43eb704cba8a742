/** One agent task from its start to its end: what it says while it works, and how to stop it. */

/** The App Server ended while the task ran: neither the model nor the question is at fault. */
const INTERRUPTED = "APP_E123";
/** The App Server is away, and starts again by itself. */
const AWAY = "APP_E901";

/** The task ended without what was asked for. */
export class TaskEnded extends Error {
  constructor({ subtype, error, traceId }) {
    super(error?.message ?? subtype);
    this.name = "TaskEnded";
    this.code = error?.code === INTERRUPTED ? "interrupted" : subtype;
    this.appErrorCode = error?.code;
    this.retryable = subtype !== "cancelled";
    this.traceId = traceId;
  }
}

/**
 * Run a task and give what it said.
 * @param {{onText?: (text: string) => void, onQuestion?: () => void, signal?: AbortSignal}} [hooks]
 * @returns {Promise<{taskId: string, text: string, output: unknown}>} `output` where the request asks for a form
 */
export async function runTask(lime, request, hooks = {}) {
  try {
    return await follow(lime, request, hooks);
  } catch (error) {
    if (error.appErrorCode !== AWAY) throw error;
    throw new TaskEnded({ subtype: "interrupted", error: { code: INTERRUPTED, message: error.message }, traceId: error.traceId });
  }
}

async function follow(lime, request, { onText = () => {}, onQuestion = () => {}, signal }) {
  const { taskId } = await lime.agent.startTask(request, { signal, onPending: onQuestion });
  // Not by the signal of the stream: a task that was stopped still tells how it ended.
  const stop = () => lime.agent.cancelTask({ taskId }).catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  let text = "";
  for await (const event of lime.agent.events(taskId)) {
    if (event.type === "assistant:delta") onText((text += event.payload.delta));
    if (event.type === "approval:requested") onQuestion();
  }
  const { result } = await lime.agent.getTask({ taskId });
  if (result.subtype !== "success") throw new TaskEnded(result);
  return { taskId, text: (result.text || text).trim(), output: result.output };
}
