/**
 * A report or an email from what was found: written by a model from the passages alone, or put together by a template where no
 * model does. A draft always says which.
 */

import { runTask } from "../shared/tasks.js";

export const KINDS = ["report", "mail"];
const LONGEST_DOCUMENT = 24_000;

/** Where a passage stands, in a person's words. Pure. */
export function placeOf({ name, page, section }, texts) {
  if (page !== undefined) return texts("cite.page", { name, page });
  return section ? texts("cite.section", { name, section }) : name;
}

/** A passage on one line; of a table, its rows and cells are told apart. Pure. */
const oneLine = (text) => (text.includes("\t") ? cellsApart(text).replaceAll("\n", "; ") : text.replace(/\s+/gu, " ")).trim();

/** The rows of a passage from a table, as a person reads them. Pure. */
export const cellsApart = (text) => text.replaceAll("\t", " · ");

/** Have a model write. The material goes along as data, and the answer must rest on it. */
export async function writeDraft(lime, kind, material, texts, hooks) {
  const { question, answer, sources, figure } = material;
  const request = {
    title: titleOf(kind, question, texts),
    taskKind: "write-document",
    prompt: `${texts(`prompt.${kind}`)} ${texts("prompt.rules")}`,
    input: {
      question,
      ...(answer && { answer }),
      passages: sources.map((source, index) => ({ number: index + 1, place: placeOf(source, texts), text: oneLine(source.snippet) })),
      ...(figure && { figure }),
    },
    knowledge: [],
    expectedOutput: { grounded: true },
  };
  const { text, taskId } = await runTask(lime, request, hooks);
  return { markdown: `${bare(text)}\n\n${sourceList(sources, texts)}`, taskId };
}

/** Have a model change a document as the person says. Nothing is changed by this: a proposal comes back. */
export async function proposeChange(lime, document, instruction, texts, hooks) {
  const request = {
    title: instruction.slice(0, 200),
    taskKind: "revise-document",
    prompt: texts("prompt.revise"),
    input: { instruction, document: document.slice(0, LONGEST_DOCUMENT) },
    knowledge: [],
    expectedOutput: { grounded: true },
  };
  const { text, taskId } = await runTask(lime, request, hooks);
  return { markdown: bare(text), taskId };
}

export const canBeRevised = (markdown) => markdown.trim() !== "" && markdown.length <= LONGEST_DOCUMENT;

/** Models like to put a whole text into a fence of code. Pure. */
const bare = (text) => /^```(?:markdown|md)?\n([\s\S]*?)\n```\s*$/u.exec(text.trim())?.[1].trim() ?? text.trim();

/** The same material by template: nothing is added to what the documents say. Pure. */
export function assembled(kind, { question, answer, sources, figure }, texts) {
  const passages = sources.map(({ snippet }, index) => `> ${oneLine(snippet)} [${index + 1}]`).join("\n\n");
  const parts =
    kind === "mail"
      ? [texts("template.subject", { question }), texts("template.hello"), texts("template.says", { question }), answer, passages, figure, texts("template.regards")]
      : [`## ${texts("template.asked")}`, question, answer && `## ${texts("template.answer")}`, answer, `## ${texts("template.passages")}`, passages || texts("template.none"), figure && `## ${texts("template.figure")}`, figure];
  return [...parts.filter(Boolean), sourceList(sources, texts)].filter(Boolean).join("\n\n");
}

const sourceList = (sources, texts) =>
  sources.length === 0 ? "" : `## ${texts("template.sources")}\n\n${sources.map((source, index) => `${index + 1}. ${placeOf(source, texts)}`).join("\n")}`;

export const titleOf = (kind, question, texts) => texts(`draft.titles.${kind}`, { question: oneLine(question).slice(0, 120) });
