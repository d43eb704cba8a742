/** The list of notes: search, tags, and what was found. */

import { h, show } from "../html.js";
import { momentIn } from "../texts.js";
import { excerptOf, nameOf, wordsOf } from "../work/words.js";

const MOST_TAGS = 12;

export class ListScreen {
  #notebook;
  #texts;
  #places;

  constructor(notebook, texts, places) {
    this.#notebook = notebook;
    this.#texts = texts;
    this.#places = places;
    places.add.addEventListener("click", () => notebook.add());
    places.search.addEventListener("input", () => notebook.search(places.search.value));
    places.notes.addEventListener("keydown", (event) => this.#step(event));
  }

  show(part) {
    if (part !== "list") return;
    if (document.activeElement !== this.#places.search) this.#places.search.value = this.#notebook.query;
    show(this.#places.tags, this.#tags());
    show(this.#places.notes, this.#notes());
  }

  #tags() {
    const { tags, tag: chosen } = this.#notebook;
    return tags.slice(0, MOST_TAGS).map(([tag, count]) => {
      const isChosen = tag === chosen;
      const choose = () => this.#notebook.search(this.#notebook.query, isChosen ? null : tag);
      const words = `#${tag}`;
      return h("button", { id: `tag-${tag}`, type: "button", className: "chip", onclick: choose, "aria-pressed": isChosen }, words, h("small", {}, String(count)));
    });
  }

  #notes() {
    const { notes } = this.#notebook;
    return notes.length > 0 ? notes.map((note) => this.#note(note)) : [this.#empty()];
  }

  #note(note) {
    const texts = this.#texts();
    const isOpen = note.id === this.#notebook.open?.id;
    const name = nameOf(note) || texts("list.untitled");
    return h(
      "li",
      {},
      h(
        "button",
        { id: `note-${note.id}`, type: "button", className: "note", onclick: () => this.#notebook.choose(note.id), "aria-current": isOpen },
        h("strong", {}, note.isPinned ? `★ ${name}` : name),
        h("time", { dateTime: note.updatedAt }, momentIn(texts, note.updatedAt)),
        h("span", {}, excerptOf(note, wordsOf(this.#notebook.query)) || texts("list.noText")),
      ),
    );
  }

  #empty() {
    const texts = this.#texts();
    const { query, tag } = this.#notebook;
    const key = query === "" && tag === null ? "list.none" : "list.noneFound";
    return h("li", { className: "empty" }, h("p", {}, texts(key, { query: query || `#${tag}` })));
  }

  /** Up and down walk the list. */
  #step(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    const all = [...this.#places.notes.querySelectorAll("button")];
    const next = all[all.indexOf(document.activeElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  }
}
