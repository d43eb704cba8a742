/** A note in three sentences. */

import { runTask } from "../shared/tasks.js";

/** What a small model reads in a few seconds; the rest of a longer note is left out, and the page says so. */
export const MOST_CHARACTERS = 4_000;

export async function summarize(lime, note, texts, hooks) {
  const request = {
    title: texts("tasks.summary", { name: note.title || texts("list.untitled") }),
    taskKind: "summarize-note",
    prompt: texts("prompts.summary"),
    input: note.body.slice(0, MOST_CHARACTERS),
    // The note is all there is to read: nothing is looked up beside it.
    knowledge: [],
  };
  return (await runTask(lime, request, hooks)).text;
}
