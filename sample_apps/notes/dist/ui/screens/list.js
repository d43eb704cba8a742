/** The list of notes: search, tags, what was found, and the trash. */

import { marked } from "../shared/highlight.js";
import { button, h, icon, iconButton, show } from "../shared/html.js";
import { momentIn } from "../shared/texts.js";
import { daysLeft } from "../work/notes.js";
import { excerptOf, nameOf, wordsOf } from "../work/words.js";

const MOST_TAGS = 12;

export class ListScreen {
  #notebook;
  #texts;
  #places;
  #toggleAsk;
  #field = null;

  constructor(notebook, texts, places, { toggleAsk }) {
    this.#notebook = notebook;
    this.#texts = texts;
    this.#places = places;
    this.#toggleAsk = toggleAsk;
    places.notes.addEventListener("keydown", (event) => this.#step(event));
  }

  show(part) {
    if (part !== "list") return;
    const { isInTrash } = this.#notebook;
    this.#showHead();
    show(this.#places.tags, isInTrash ? [] : this.#tags());
    show(this.#places.notes, isInTrash ? this.#trash() : this.#notes());
    show(this.#places.foot, isInTrash ? this.#trashFoot() : this.#foot());
  }

  /** Bring the keyboard to the search field. */
  search() {
    if (this.#notebook.isInTrash) this.#notebook.showTrash(false);
    document.getElementById("search")?.select();
  }

  /** Drawn once for each language and view: what is being typed into the search stays. */
  #showHead() {
    const texts = this.#texts();
    const { isInTrash, query } = this.#notebook;
    const drawn = `${texts.locale} ${isInTrash}`;
    if (this.#places.head.dataset.drawn !== drawn) {
      this.#places.head.dataset.drawn = drawn;
      show(this.#places.head, isInTrash ? this.#trashHead() : this.#head());
    }
    if (this.#field && document.activeElement !== this.#field) this.#field.value = query;
  }

  #head() {
    const texts = this.#texts();
    const label = texts("list.search");
    this.#field = h("input", { id: "search", type: "search", placeholder: label, "aria-label": label, title: `${label} (Ctrl+Shift+F)`, autocomplete: "off" });
    this.#field.addEventListener("input", () => this.#notebook.search(this.#field.value));
    const add = iconButton("add", texts("list.new"), () => this.#notebook.add(), { id: "new", className: "icon primary", keys: "Ctrl+N" });
    return [h("div", { className: "search" }, icon("search"), this.#field), add];
  }

  #trashHead() {
    const texts = this.#texts();
    this.#field = null;
    return [iconButton("back", texts("trash.back"), () => this.#notebook.showTrash(false), { id: "back" }), h("h2", {}, texts("trash.name"))];
  }

  #tags() {
    const { tags, tag: chosen } = this.#notebook;
    return tags.slice(0, MOST_TAGS).map(([tag, count]) => {
      const isChosen = tag === chosen;
      const choose = () => this.#notebook.search(this.#notebook.query, isChosen ? null : tag);
      return h("button", { id: `tag-${tag}`, type: "button", className: "chip", onclick: choose, "aria-pressed": isChosen }, `#${tag}`, h("small", {}, String(count)));
    });
  }

  #notes() {
    const { notes, isLoaded } = this.#notebook;
    if (!isLoaded) return [h("li", { className: "waiting", "aria-hidden": "true" }), h("li", { className: "waiting", "aria-hidden": "true" })];
    return notes.length > 0 ? notes.map((note) => this.#note(note)) : [this.#empty()];
  }

  #note(note) {
    const texts = this.#texts();
    const words = wordsOf(this.#notebook.query);
    const name = nameOf(note) || texts("list.untitled");
    return this.#row(note, () => this.#notebook.choose(note.id), [
      h("strong", {}, note.isPinned && icon("pin"), note.isPinned && h("span", { className: "seen-by-readers" }, texts("list.pinned")), h("span", {}, marked(name, words))),
      h("time", { dateTime: note.updatedAt }, momentIn(texts, note.updatedAt)),
      h("span", { className: "excerpt" }, marked(excerptOf(note, words) || texts("list.noText"), words)),
    ]);
  }

  #trash() {
    const texts = this.#texts();
    const { trash } = this.#notebook;
    if (trash.length === 0) return [h("li", { className: "nothing" }, texts("trash.empty"))];
    return trash.map((note) =>
      this.#row(note, () => this.#notebook.lookAt(note), [
        h("strong", {}, h("span", {}, nameOf(note) || texts("list.untitled"))),
        h("span", { className: "excerpt" }, texts("trash.left", { count: daysLeft(note) })),
      ]),
    );
  }

  #row(note, onclick, children) {
    const isOpen = note.id === this.#notebook.open?.id;
    return h("li", {}, h("button", { id: `note-${note.id}`, type: "button", className: "note", onclick, "aria-current": isOpen }, ...children));
  }

  #empty() {
    const { query, tag } = this.#notebook;
    const key = query === "" && tag === null ? "list.none" : "list.noneFound";
    return h("li", { className: "nothing" }, this.#texts()(key, { query: query || `#${tag}` }));
  }

  #foot() {
    const texts = this.#texts();
    const notebook = this.#notebook;
    const isBusy = notebook.busy !== null;
    const isAsking = !document.getElementById("ask").hidden;
    return [
      button(texts("ask.open"), () => this.#toggleAsk(), { id: "open-ask", keys: "Ctrl+Shift+L", "aria-expanded": isAsking, "aria-controls": "ask" }),
      h(
        "div",
        { className: "row" },
        button(notebook.trash.length > 0 ? texts("trash.open", { count: notebook.trash.length }) : texts("trash.name"), () => notebook.showTrash(true), { id: "open-trash", className: "quiet" }),
        h("span", { className: "spring" }),
        iconButton("in", texts("import.name"), () => notebook.importFolder(), { id: "import", disabled: isBusy }),
        iconButton("out", texts("export.name"), () => notebook.exportAll(), { id: "export-all", disabled: isBusy || notebook.notes.length === 0 }),
      ),
    ];
  }

  #trashFoot() {
    const count = this.#notebook.trash.length;
    return count === 0 ? [] : [button(this.#texts()("trash.erase"), () => this.#askForErasing(count), { id: "erase", className: "danger" })];
  }

  /** Nothing brings these back, so it is asked. */
  #askForErasing(count) {
    const texts = this.#texts();
    const { sure } = this.#places;
    const close = (act = () => {}) => () => (sure.close(), act());
    show(
      sure,
      h("h2", { id: "sure-title" }, texts("trash.sure", { count })),
      h("p", {}, texts("trash.sureText")),
      h(
        "div",
        { className: "row end" },
        button(texts("trash.keep"), close(), { id: "keep-trash" }),
        button(texts("trash.erase"), close(() => this.#notebook.emptyTrash()), { id: "erase-now", className: "danger" }),
      ),
    );
    sure.showModal();
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
