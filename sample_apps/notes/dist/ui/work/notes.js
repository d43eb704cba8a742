/** Notes in the host's storage: one row each, the newest first, found by their words. */

import { searchText, wordsOf } from "./words.js";

const ORDER = [
  { field: "isPinned", direction: "desc" },
  { field: "updatedAt", direction: "desc" },
];
const PAGE = 100;
/** More than anybody scrolls through: who has so many narrows the list down. */
const MOST_SHOWN = 300;

export class Notes {
  #rows;
  #now;

  constructor(lime, { now = () => new Date().toISOString() } = {}) {
    this.#rows = lime.storage.table("note");
    this.#now = now;
  }

  /** The notes that hold every word of a query and have a tag, where one is named. */
  async find({ query = "", tag = null } = {}) {
    const words = wordsOf(query);
    const needles = tag === null ? words : [...words, `#${tag}`];
    const fits = (note) => words.every((word) => note.text.includes(word)) && (tag === null || note.tags.includes(tag));
    return this.#all(whereHolds(needles), fits);
  }

  get(id) {
    return this.#rows.get(id);
  }

  async add(fields = {}) {
    const at = this.#now();
    const note = { title: "", body: "", tags: [], isPinned: false, summary: "", ...fields, createdAt: at, updatedAt: at };
    return this.#rows.insert({ ...note, id: crypto.randomUUID(), text: searchText(note) });
  }

  async save(note) {
    return this.#rows.upsert({ ...note, updatedAt: this.#now(), text: searchText(note) });
  }

  /** Put a deleted note back as it was. */
  restore(note) {
    return this.#rows.upsert(note);
  }

  remove(id) {
    return this.#rows.delete(id);
  }

  async #all(where, fits) {
    const found = [];
    let cursor;
    do {
      const page = await this.#rows.query({ where, orderBy: ORDER, limit: PAGE, cursor });
      found.push(...page.rows.filter(fits));
      cursor = page.nextCursor;
    } while (cursor !== undefined && found.length < MOST_SHOWN);
    return found.slice(0, MOST_SHOWN);
  }
}

/** A query asks for one text in a field: the longest word says most, and the page looks for the others itself. */
function whereHolds(needles) {
  const [longest] = [...needles].sort((one, other) => other.length - one.length);
  return longest === undefined ? {} : { text: { contains: longest } };
}

/** Every tag with how many notes have it, the most used first. */
export function countTags(notes) {
  const counts = new Map();
  for (const tag of notes.flatMap(({ tags }) => tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([one, few], [other, many]) => many - few || one.localeCompare(other));
}
