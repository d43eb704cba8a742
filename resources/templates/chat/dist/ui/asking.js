/** One question to an agent, from its start to its answer. Knows the host only through `lime`. */

/** The agent ended without an answer. */
export class NoAnswer extends Error {
  constructor({ subtype, error }) {
    super(error?.message ?? "The agent gave no answer.");
    this.name = "NoAnswer";
    this.isStopped = subtype === "cancelled";
  }
}

/**
 * Ask, and give the whole answer.
 * @param {{onText?: (soFar: string) => void, onQuestion?: () => void, signal?: AbortSignal}} [hooks]
 */
export async function ask(lime, question, { onText = () => {}, onQuestion = () => {}, signal } = {}) {
  const request = { title: question.slice(0, 200), taskKind: "answer", prompt: question };
  const { taskId } = await lime.agent.startTask(request, { signal, onPending: onQuestion });
  const stop = () => lime.agent.cancelTask({ taskId }).catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  let text = "";
  // Not ended by the signal: a task that was stopped still says how it ended.
  for await (const { type, payload } of lime.agent.events(taskId)) {
    if (type === "assistant:delta") onText((text += payload.delta));
    if (type === "approval:requested") onQuestion();
  }
  const { result } = await lime.agent.getTask({ taskId });
  if (result.subtype !== "success") throw new NoAnswer(result);
  return (result.text || text).trim();
}
