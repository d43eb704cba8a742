/** Notes in the host's storage: one row each, the newest first, found by their words; deleted ones wait in the trash. */

import { pagesIn } from "../shared/markdown.js";
import { nameOf, searchText, wordsOf } from "./words.js";

const ORDER = [
  { field: "isPinned", direction: "desc" },
  { field: "updatedAt", direction: "desc" },
];
const PAGE = 100;
/** More than anybody scrolls through: who has so many narrows the list down. */
const MOST_SHOWN = 300;
/** A notebook of this many notes is read whole where that is needed: for its titles, and to export it. */
const MOST_NOTES = 5_000;
export const DAYS_IN_TRASH = 30;
const DAY_MS = 86_400_000;

export class Notes {
  #lime;
  #rows;
  #trash;
  #now;

  constructor(lime, { now = () => new Date().toISOString() } = {}) {
    this.#lime = lime;
    this.#rows = lime.storage.table("note");
    this.#trash = lime.storage.table("trash");
    this.#now = now;
  }

  /** The notes that hold every word of a query and have a tag, where one is named. */
  async find({ query = "", tag = null } = {}) {
    const words = wordsOf(query);
    const needles = tag === null ? words : [...words, `#${tag}`];
    const fits = (note) => words.every((word) => note.text.includes(word)) && (tag === null || note.tags.includes(tag));
    return this.#read(whereHolds(needles), fits, MOST_SHOWN);
  }

  /** Every note there is, to write them all down. */
  all() {
    return this.#read({}, () => true, MOST_NOTES);
  }

  /** The notes whose text links to a title. */
  async linkingTo(title) {
    const wanted = title.toLowerCase();
    const links = ({ body }) => pagesIn(body).some((page) => page.toLowerCase() === wanted);
    return title === "" ? [] : this.#read({ text: { contains: `[[${wanted}` } }, links, MOST_SHOWN);
  }

  get(id) {
    return this.#rows.get(id);
  }

  /** A new note that is not kept yet. */
  begin(fields = {}) {
    const at = this.#now();
    return { id: crypto.randomUUID(), title: "", body: "", tags: [], isPinned: false, summary: "", createdAt: at, updatedAt: at, ...fields };
  }

  async add(fields = {}) {
    const note = this.begin(fields);
    return this.#rows.insert({ ...note, text: searchText(note) });
  }

  async save(note) {
    return this.#rows.upsert({ ...note, updatedAt: this.#now(), text: searchText(note) });
  }

  /** Move a note to the trash: in one step, so that it is never in both places and never in none. */
  async discard(note) {
    await this.#lime.storage.transaction({
      operations: [
        { op: "upsert", table: "trash", row: { ...note, text: searchText(note), deletedAt: this.#now() } },
        { op: "deleteRow", table: "note", id: note.id },
      ],
    });
  }

  /** Take a note out of the trash, as it was. */
  async restore(id) {
    const { deletedAt: _, ...kept } = await this.#trash.get(id);
    // What an older version threw away may lie there without the words that it is found by.
    const note = { ...kept, text: searchText(kept) };
    await this.#lime.storage.transaction({
      operations: [
        { op: "upsert", table: "note", row: note },
        { op: "deleteRow", table: "trash", id },
      ],
    });
    return note;
  }

  /** What lies in the trash, deleted last first. */
  async discarded() {
    const { rows } = await this.#trash.query({ orderBy: [{ field: "deletedAt", direction: "desc" }], limit: PAGE });
    return rows;
  }

  /** What has been in the trash for longer than it stays there. */
  async expired() {
    const before = new Date(Date.parse(this.#now()) - DAYS_IN_TRASH * DAY_MS).toISOString();
    return (await this.discarded()).filter(({ deletedAt }) => deletedAt < before);
  }

  /** Delete for good. */
  erase(id) {
    return this.#trash.delete(id);
  }

  /** Take notes back that were just added, such as an import that nobody wanted. */
  async remove(ids) {
    for (const id of ids) await this.#rows.delete(id);
  }

  async #read(where, fits, most) {
    const found = [];
    let cursor;
    do {
      const page = await this.#rows.query({ where, orderBy: ORDER, limit: PAGE, cursor });
      found.push(...page.rows.filter(fits));
      cursor = page.nextCursor;
    } while (cursor !== undefined && found.length < most);
    return found.slice(0, most);
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

/** How many days a note still stays in the trash. */
export function daysLeft({ deletedAt }, now = Date.now()) {
  return Math.max(1, Math.ceil(DAYS_IN_TRASH - (now - Date.parse(deletedAt)) / DAY_MS));
}

/** The titles of notes, each with its id; of two alike the newer counts. */
export const titlesOf = (notes) => new Map(notes.toReversed().map((note) => [nameOf(note).toLowerCase(), { id: note.id, name: nameOf(note) }]));
