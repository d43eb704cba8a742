/** The way to the engine. Knows the host only through the object it is given, so tests can give it another. */

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Have the engine count. Gives what it found, or null where `signal` stopped it. */
export async function countWords(lime, text, { onProgress = () => {}, signal, pauseMs = 200 } = {}) {
  let run;
  try {
    run = await lime.tools.invoke({ key: "engine/count", input: { text } }, { signal });
  } catch (error) {
    // Stopped while the person was still asked about the program: the question is gone, too.
    if (signal?.aborted) return null;
    throw error;
  }
  while (run.status === "running") {
    onProgress(run.progress);
    if (signal?.aborted) {
      await lime.terminal.cancel({ runId: run.invocationId });
      return null;
    }
    await pause(pauseMs);
    run = await lime.tools.getProgress({ invocationId: run.invocationId });
  }
  if (run.status === "failed") throw new Error(run.message);
  return run.status === "succeeded" ? run.output : null;
}
