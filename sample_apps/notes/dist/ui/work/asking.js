/** Questions answered from the notes. What is cited comes from the search, never from the model. */

import { runTask } from "../shared/tasks.js";

const TEMPLATE = "notes";
const PASSAGES = 5;
/** What fits less than this part of the best is there by a word that everybody uses. */
const LEAST_FIT = 0.25;

/** The notes that speak of a question, best first, each with the passage that does. */
export async function findSources(lime, question) {
  const { records } = await lime.knowledge.search({ query: question, template: TEMPLATE, topK: PASSAGES });
  const least = Math.max(...records.map(({ score }) => score)) * LEAST_FIT;
  const sources = new Map();
  for (const { rowId, title, snippet } of records.filter(({ score }) => score >= least)) {
    if (!sources.has(rowId)) sources.set(rowId, { noteId: rowId, title, snippet });
  }
  return [...sources.values()];
}

/** Have an agent answer; the host gives it the passages that the search finds for the same words. */
export async function answer(lime, question, hooks) {
  const request = {
    title: question.slice(0, 200),
    taskKind: "ask-notes",
    prompt: question,
    knowledge: [{ key: TEMPLATE, mode: "retrieval" }],
  };
  return runTask(lime, request, hooks);
}
