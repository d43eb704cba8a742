/** What was just done, with the way back for ten seconds. */

import { Notice } from "../shared/notice.js";

export class DoneScreen {
  #notebook;
  #texts;
  #notice;

  constructor(notebook, texts, place) {
    this.#notebook = notebook;
    this.#texts = texts;
    this.#notice = new Notice(place);
  }

  show(part) {
    if (part !== "done") return;
    const { done } = this.#notebook;
    if (done === null) return this.#notice.clear();
    const texts = this.#texts();
    const undo = done.undo && (() => this.#notebook.undo());
    this.#notice.say(wordsFor(done, texts), { undo, label: texts("done.undo"), keys: "Ctrl+Shift+Z", gone: () => this.#notebook.letGo() });
  }
}

function wordsFor({ kind, values }, texts) {
  if (kind !== "imported") return texts(`done.${kind}`, values);
  const more = ["same", "unread"].filter((each) => values[each] > 0).map((each) => texts(`done.${each}`, { count: values[each] }));
  return [texts("done.imported", values), ...more].join(" ");
}
