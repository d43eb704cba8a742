/** The line at the bottom that offers to undo a deletion, for a while. */

import { button, h, show } from "../html.js";
import { nameOf } from "../work/words.js";

const STAYS_MS = 10_000;

export class NoticeScreen {
  #notebook;
  #texts;
  #place;
  #timer;

  constructor(notebook, texts, place) {
    this.#notebook = notebook;
    this.#texts = texts;
    this.#place = place;
  }

  show(part) {
    if (part !== "notice") return;
    clearTimeout(this.#timer);
    const { deleted } = this.#notebook;
    show(this.#place, deleted === null ? "" : this.#offer(deleted));
    if (deleted !== null) this.#timer = setTimeout(() => this.#notebook.letGo(), STAYS_MS);
  }

  #offer({ note }) {
    const texts = this.#texts();
    const name = nameOf(note) || texts("list.untitled");
    const undo = button(texts("notice.undo"), () => this.#notebook.undo(), { id: "undo", keys: "Control+Shift+Z" });
    return h("div", { className: "notice" }, texts("notice.deleted", { name }), undo);
  }
}
