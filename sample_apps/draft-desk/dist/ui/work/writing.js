/** Have an agent write: start the task, follow it, stop it, and take its output only where it has its form. */

import { taskFor } from "./brief.js";

/** A task that ended without a draft; `subtype` says why in the standard's words. */
export class NoDraft extends Error {
  constructor({ subtype, error }) {
    super(error?.message ?? subtype);
    this.name = "NoDraft";
    this.subtype = subtype;
    this.code = error?.code;
  }
}

/**
 * Write a draft from a brief. `onProgress` hears how many characters there are; aborting the signal cancels the task.
 * @returns {Promise<{content: object, taskId: string}>}
 */
export async function writeDraft(lime, brief, { onProgress = () => {}, signal } = {}) {
  const { taskId } = await lime.agent.startTask(taskFor(brief));
  // The task ends by itself when it is cancelled, and says so in its last event.
  const stop = () => void lime.agent.cancelTask({ taskId }).catch(() => {});
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  try {
    return { content: await outputOf(lime, taskId, onProgress), taskId };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function outputOf(lime, taskId, onProgress) {
  let written = 0;
  for await (const event of lime.agent.events(taskId)) {
    if (event.type === "assistant:delta") onProgress((written += event.payload?.delta?.length ?? 0));
    if (event.type !== "result") continue;
    if (event.subtype !== "success") throw new NoDraft(event.payload);
    return event.payload.output;
  }
  throw new NoDraft({ subtype: "cancelled" });
}
