/** The open note: what can be done with it, its words, its files and its summary. */

import { button, h, show } from "../html.js";
import { MOST_CHARACTERS } from "../work/summing_up.js";
import { tagsOf } from "../work/words.js";
import { attachmentList } from "./attachments.js";
import { progress } from "./progress.js";
import { problemBox } from "./problem_box.js";

export class EditorScreen {
  #notebook;
  #texts;
  #place;
  #parts = {};

  constructor(notebook, texts, place) {
    this.#notebook = notebook;
    this.#texts = texts;
    this.#place = place;
  }

  show(part) {
    if (part === "note") this.#showNote();
    else if (this.#notebook.open !== null || part === "problem") this.#parts[part]?.();
  }

  #showNote() {
    const { open } = this.#notebook;
    this.#parts = {};
    show(this.#place, ...(open === null ? this.#nothing() : this.#note(open)));
    for (const draw of Object.values(this.#parts)) draw();
  }

  #nothing() {
    const texts = this.#texts();
    return [
      this.#live("problem", () => problemBox(this.#notebook, "note", texts)),
      h(
        "section",
        { className: "welcome" },
        h("h2", {}, texts("note.none")),
        h("p", {}, texts("note.noneNext")),
        button(texts("list.new"), () => this.#notebook.add(), { className: "primary", keys: "Control+N" }),
        h("p", { className: "hint" }, texts("note.keys")),
      ),
    ];
  }

  #note(note) {
    const texts = this.#texts();
    return [
      this.#tools(note),
      this.#live("problem", () => problemBox(this.#notebook, "note", texts)),
      this.#field("title", "input", note.title, (title) => ({ title }), { maxLength: 300 }),
      this.#field("labels", "input", note.tags.join(", "), (typed) => ({ tags: tagsOf(typed) })),
      this.#live("summary", () => this.#summary()),
      this.#field("body", "textarea", note.body, (body) => ({ body }), { spellcheck: true }),
      this.#live("attachments", () => attachmentList(this.#notebook, texts)),
    ];
  }

  #tools(note) {
    const texts = this.#texts();
    const notebook = this.#notebook;
    return h(
      "header",
      { className: "tools", role: "toolbar", "aria-label": texts("note.tools") },
      button(texts(note.isPinned ? "note.unpin" : "note.pin"), () => notebook.pin(), { id: "pin", "aria-pressed": note.isPinned }),
      button(texts("note.attach"), () => notebook.attach(), { id: "attach" }),
      button(texts("note.sumUp"), () => notebook.sumUp(), { id: "sum-up" }),
      button(texts("note.export"), () => notebook.exportNote(), { id: "export" }),
      button(texts("note.delete"), () => notebook.remove(), { id: "delete", keys: "Control+Shift+Backspace" }),
      h("span", { className: "spring" }),
      this.#live("status", () => this.#status()),
    );
  }

  #status() {
    const { busy, saving } = this.#notebook;
    // One thing at a time: what would have to wait says so by not being there to press.
    for (const id of ["sum-up", "export"]) document.getElementById(id).disabled = busy !== null;
    return h("span", { className: "saving", role: "status" }, this.#texts()(`saving.${saving}`));
  }

  #field(name, tag, value, changes, more = {}) {
    const label = this.#texts()(`note.${name}`);
    const edit = (event) => this.#notebook.edit(changes(event.target.value));
    return h(tag, { id: name, className: name, value, placeholder: label, "aria-label": label, oninput: edit, autocomplete: "off", ...more });
  }

  #summary() {
    const texts = this.#texts();
    const { busy, open } = this.#notebook;
    if (busy?.kind === "summary") return progress(this.#notebook, texts("note.summing"), texts);
    if (!open.summary) return "";
    return h(
      "section",
      { className: "card", "aria-label": texts("note.summary") },
      h("h2", {}, texts("note.summary")),
      h("p", { id: "summary" }, open.summary),
      open.body.length > MOST_CHARACTERS && h("p", { className: "hint" }, texts("note.summaryOfPart", { count: MOST_CHARACTERS })),
      h("footer", {}, button(texts("note.dropSummary"), () => this.#notebook.dropSummary())),
    );
  }

  /** A part that is drawn again by itself, so that what is being typed elsewhere stays as it is. */
  #live(part, draw) {
    const place = h("div", { className: `part part-${part}` });
    this.#parts[part] = () => show(place, draw());
    return place;
  }
}
