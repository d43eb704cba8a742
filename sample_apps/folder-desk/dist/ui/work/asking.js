/** Questions answered from the folder. What is cited comes from the search, never from the model. */

import { runTask } from "../shared/tasks.js";
import { TEMPLATE } from "./folder.js";

/** As many as the host gives a model, in the same order: so a number in an answer is the number of a passage here. */
const PASSAGES = 6;
/** What fits less than this part of the best is there by a word that everybody uses; it is shown only where an answer cites it. */
const LEAST_FIT = 0.25;
const CITATION = /\[(\d{1,2})\]/gu;

/**
 * The passages that speak of a question, best first.
 * @returns {Promise<{sources: object[], unread: number}>} `unread`: files that the host has not read yet
 */
export async function findSources(lime, question) {
  const { records, isPartial, pending } = await lime.knowledge.search({ query: question, template: TEMPLATE, topK: PASSAGES });
  const least = Math.max(0, ...records.map(({ score }) => score)) * LEAST_FIT;
  const sources = records.map(({ id, title, path, page, section, snippet, score }) => ({ id, name: title, path, page, section, snippet, isWeak: score < least }));
  return { sources, unread: isPartial ? Math.max(1, pending) : 0 };
}

/** Have an agent answer; the host gives it the passages that the search finds for the same words. */
export const answer = (lime, question, hooks) =>
  runTask(lime, { title: question.slice(0, 200), taskKind: "ask-folder", prompt: question, knowledge: [{ key: TEMPLATE, mode: "retrieval" }] }, hooks);

/** The numbers that an answer cites and that there are, each once, in its order. Pure. */
export const citedIn = (text, sources) =>
  [...new Set([...text.matchAll(CITATION)].map(([, number]) => Number(number)))].filter((number) => number >= 1 && number <= sources.length);

/** The passages to show, with their numbers. Pure. */
export function shownSources(text, sources) {
  const cited = citedIn(text, sources);
  return sources.map((source, index) => ({ ...source, number: index + 1 })).filter(({ number, isWeak }) => !isWeak || cited.includes(number));
}

/** A text in parts: words, and numbers of passages. Pure. */
export function citationParts(text, count) {
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(CITATION)) {
    const number = Number(found[1]);
    if (number < 1 || number > count) continue;
    if (found.index > at) parts.push({ text: text.slice(at, found.index) });
    parts.push({ number });
    at = found.index + found[0].length;
  }
  if (at < text.length) parts.push({ text: text.slice(at) });
  return parts;
}

/** The same text for a shorter list of passages: each keeps its citation under its new number, the others lose theirs. Pure. */
export function renumbered(text, sources) {
  const places = new Map(sources.map(({ number }, index) => [number, index + 1]));
  return text.replace(CITATION, (whole, number) => (places.has(Number(number)) ? `[${places.get(Number(number))}]` : "")).replace(/ +([.,;。，；])/gu, "$1");
}
