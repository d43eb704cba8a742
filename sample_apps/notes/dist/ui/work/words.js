/** What a note is found by: its words and its tags. Pure. */

import { plainOf } from "../shared/markdown.js";

/** The text that the search field looks through; the same that migration 001 wrote for older notes. */
export const searchText = ({ title, body, tags }) =>
  [title, body, tags.map((tag) => `#${tag}`).join(" ")].join("\n").toLowerCase();

/** The words of a query, each of which a note must hold. */
export const wordsOf = (query) => query.toLowerCase().split(/\s+/u).filter(Boolean);

/** Tags as a person types them: with or without `#`, between spaces, commas or their Chinese sisters; each once. */
export function tagsOf(typed) {
  const tags = typed.split(/[\s,，、;；]+/u).map((tag) => tag.replace(/^#+/u, "").toLowerCase());
  return [...new Set(tags.filter(Boolean))].slice(0, 20);
}

/** How a note is called in lists: its title, or else its first line. */
export const nameOf = ({ title, body }) => title.trim() || plainOf(body).trim().split("\n", 1)[0].slice(0, 80);

/** A line of a note to show below its name: around the first word that was searched for, or from its beginning. */
export function excerptOf({ title, body }, words = [], length = 140) {
  const plain = plainOf(body).replace(/\s+/gu, " ").trim();
  const at = Math.min(...words.map((word) => plain.toLowerCase().indexOf(word)).filter((place) => place >= 0));
  const start = Number.isFinite(at) ? Math.max(0, at - 24) : 0;
  const rest = title.trim() === "" && start === 0 ? plain.slice(nameOf({ title, body }).length).trim() : plain.slice(start);
  return `${start > 0 ? "…" : ""}${rest.slice(0, length)}${rest.length > length ? "…" : ""}`;
}
