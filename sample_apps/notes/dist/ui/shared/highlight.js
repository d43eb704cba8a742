/** Words of a search, marked where they stand in a text. */

import { h } from "./html.js";

/** Words that stand in every question and say nothing about what is meant. */
const EVERYDAY = new Set(
  ("a about an and any are as at be by can do does did for from had has have how i in is it its me my of on or our shall should " +
    "that the their there these they this to was we were what when where which who whom whose why will with you your").split(" "),
);
const HAN = /\p{Script=Han}/u;

/** The words of a question that are worth marking: everyday words left out, Chinese in pairs as a search reads it. */
export function wordsIn(question) {
  const words = question.toLowerCase().match(/\p{Script=Han}+|[\p{L}\p{N}]+/gu) ?? [];
  const found = words.flatMap((word) => (HAN.test(word) ? pairsOf(word) : EVERYDAY.has(word) || word.length < 2 ? [] : [word]));
  return [...new Set(found)];
}

const pairsOf = (word) => (word.length < 3 ? [word] : Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2)));

/**
 * A text in parts, each marked or not. Pure.
 * @returns {{text: string, isMarked: boolean}[]}
 */
export function partsOf(text, words) {
  const wanted = words.filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (wanted.length === 0) return [{ text, isMarked: false }];
  // With the ending that a word has in this text: who asked for “leave” sees “leaves” whole.
  const pattern = new RegExp(`(?:${wanted.toSorted((one, other) => other.length - one.length).join("|")})+(?:(?<=[a-z])[a-z]{1,3}(?!\\p{L}))?`, "giu");
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    if (found.index > at) parts.push({ text: text.slice(at, found.index), isMarked: false });
    parts.push({ text: found[0], isMarked: true });
    at = found.index + found[0].length;
  }
  if (at < text.length || parts.length === 0) parts.push({ text: text.slice(at), isMarked: false });
  return parts;
}

/** The same as what an element holds. */
export const marked = (text, words) => partsOf(text, words).map(({ text: part, isMarked }) => (isMarked ? h("mark", {}, part) : part));
