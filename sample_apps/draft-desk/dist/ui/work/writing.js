/** Have a draft written: by an agent, whose text is shown as it comes, or as an outline without one. */

import { runTask } from "../shared/tasks.js";
import { pointsOf, taskFor } from "./brief.js";
import { partialDraft } from "./partial.js";

/**
 * Write a draft from a brief. `onDraft` hears what is there so far; aborting the signal cancels the task.
 * @returns {Promise<{content: object, taskId: string}>}
 */
export async function writeDraft(lime, brief, { onDraft = () => {}, signal } = {}) {
  const { output, taskId } = await runTask(lime, taskFor(brief), { onText: (text) => onDraft(partialDraft(text)), signal });
  return { content: output, taskId };
}

/** A draft to write by hand: the goal is its headline, each point a section. Nothing in it is made up. */
export function outlineOf(brief) {
  const sections = pointsOf(brief).map((point) => ({ heading: point, text: "" }));
  return { headline: brief.goal.trim(), summary: "", sections, questions: [] };
}
