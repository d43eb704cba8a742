/** The open note: its words, how they read, where it is linked from, its files and its summary. */

import { button, h, icon, iconButton, show } from "../shared/html.js";
import { markdownView } from "../shared/markdown_view.js";
import { DAYS_IN_TRASH, daysLeft } from "../work/notes.js";
import { MOST_CHARACTERS } from "../work/summarizing.js";
import { nameOf, tagsOf, wordsOf } from "../work/words.js";
import { attachmentList } from "./attachments.js";
import { Completion } from "./completion.js";
import { problemBox } from "./problem_box.js";
import { helpTyping } from "./typing.js";
import { working } from "./working.js";

const ELSEWHERE = ["import", "export"];

export class EditorScreen {
  #notebook;
  #texts;
  #place;
  #openAddress;
  #parts = {};
  #drawing = 0;

  constructor(notebook, texts, place, { openAddress }) {
    this.#notebook = notebook;
    this.#texts = texts;
    this.#place = place;
    this.#openAddress = openAddress;
  }

  show(part) {
    if (part === "note") this.#showNote();
    else if (part === "written") this.#startWriting();
    else if (part === "body") this.#showBody();
    else this.#parts[part]?.();
  }

  /** Bring the keyboard to where one writes. */
  focus() {
    const field = document.getElementById("body");
    if (field?.checkVisibility()) field.focus();
    else document.getElementById("preview")?.focus();
  }

  /** Show how the note reads, or only its text; the keyboard goes along, and the caret comes back to its place. */
  async togglePreview() {
    if (this.#notebook.open === null || this.#notebook.isInTrash) return;
    const kept = this.#notebook.preview();
    // At once: who goes on typing elsewhere must not be called back when the choice is stored.
    this.focus();
    await kept;
  }

  /** A new note: the keyboard is where its first word goes. */
  #startWriting() {
    if (this.#notebook.isPreviewed && !document.getElementById("body")?.checkVisibility()) this.#notebook.preview(false);
    document.getElementById(this.#notebook.open.title === "" ? "title" : "body")?.focus();
  }

  #showNote() {
    const { open, isInTrash } = this.#notebook;
    this.#parts = {};
    show(this.#place, ...(open === null ? this.#nothing() : isInTrash ? this.#discarded(open) : this.#note(open)));
    for (const draw of Object.values(this.#parts)) draw();
  }

  #problem() {
    return this.#live("problem", () => problemBox(this.#notebook, "note", this.#texts()));
  }

  #work() {
    const texts = this.#texts();
    return this.#live("status", () => {
      const { busy } = this.#notebook;
      return ELSEWHERE.includes(busy?.kind) ? working(this.#notebook, texts(`${busy.kind}.working`), texts) : "";
    });
  }

  #nothing() {
    const texts = this.#texts();
    const notebook = this.#notebook;
    if (notebook.isInTrash) return [this.#problem(), h("section", { className: "empty" }, h("div", { className: "sign" }, icon("bin")), h("h2", {}, texts("trash.empty")), h("p", {}, texts("trash.about", { count: DAYS_IN_TRASH })))];
    if (!notebook.isLoaded) return [this.#problem()];
    return [
      this.#problem(),
      this.#work(),
      h(
        "section",
        { className: "empty" },
        h("div", { className: "sign" }, icon("note")),
        h("h2", {}, texts("note.none")),
        h("p", {}, texts("note.noneNext")),
        h("div", { className: "row" }, button(texts("note.first"), () => notebook.add(), { id: "first", className: "primary", keys: "Ctrl+N" })),
        button(texts("import.offer"), () => notebook.importFolder(), { className: "link" }),
      ),
    ];
  }

  #discarded(note) {
    const texts = this.#texts();
    return [
      this.#problem(),
      h(
        "div",
        { className: "tell row" },
        h("span", {}, texts("trash.here", { count: daysLeft(note) })),
        h("span", { className: "spring" }),
        button(texts("trash.restore"), () => this.#notebook.restore(note.id), { id: "restore", className: "primary" }),
      ),
      h("div", { className: "sheet" }, h("h1", { className: "title" }, nameOf(note) || texts("list.untitled")), markdownView(note.body, {}, { tabIndex: 0 })),
    ];
  }

  #note(note) {
    const texts = this.#texts();
    const body = this.#field("body", "textarea", note.body, (value) => ({ body: value }), { id: "body", spellcheck: true });
    const completion = new Completion(body, (typed) => this.#notebook.completions(typed), texts("note.completions"));
    for (const part of ["list", "links"]) this.#parts[part] = () => completion.lookAgain();
    helpTyping(body);
    body.addEventListener("input", () => this.#drawSoon());
    const title = this.#field("title", "input", note.title, (value) => ({ title: value }), { id: "title", maxLength: 300 });
    title.addEventListener("keydown", (event) => {
      if (event.isComposing || !["Enter", "ArrowDown"].includes(event.key)) return;
      event.preventDefault();
      this.focus();
    });
    const sheet = h(
      "div",
      { className: "sheet" },
      title,
      this.#field("labels", "input", note.tags.join(", "), (typed) => ({ tags: tagsOf(typed) }), { id: "labels" }),
      this.#live("summary", () => this.#summary()),
      h("div", { className: "halves" }, body, completion.element, this.#live("preview", () => this.#preview())),
      this.#live("links", () => this.#links()),
      this.#live("attachments", () => attachmentList(this.#notebook, texts)),
    );
    return [this.#tools(note), this.#problem(), this.#work(), sheet];
  }

  #tools(note) {
    const texts = this.#texts();
    const notebook = this.#notebook;
    return h(
      "header",
      { className: "tools", role: "toolbar", "aria-label": texts("note.tools") },
      this.#live("saving", () => h("span", { className: "saving", role: "status" }, texts(`saving.${notebook.saving}`))),
      h("span", { className: "spring" }),
      button(texts("note.summarize"), () => notebook.summarize(), { id: "summarize", className: "quiet" }),
      button(texts("note.preview"), () => this.togglePreview(), { id: "show-preview", className: "quiet", keys: "Ctrl+E", "aria-pressed": notebook.isPreviewed }),
      iconButton("pin", texts(note.isPinned ? "note.unpin" : "note.pin"), () => notebook.pin(), { id: "pin", "aria-pressed": note.isPinned }),
      iconButton("file", texts("note.attach"), () => notebook.attach(), { id: "attach" }),
      iconButton("out", texts("note.export"), () => notebook.exportNote(), { id: "export" }),
      iconButton("bin", texts("note.delete"), () => notebook.discard(), { id: "delete", keys: "Ctrl+Shift+Backspace" }),
    );
  }

  #field(name, tag, value, changes, more = {}) {
    const label = this.#texts()(`note.${name}`);
    const edit = (event) => this.#notebook.edit(changes(event.target.value));
    return h(tag, { className: name, value, placeholder: label, "aria-label": label, oninput: edit, autocomplete: "off", ...more });
  }

  #showBody() {
    const field = document.getElementById("body");
    if (field) field.value = this.#notebook.open.body;
    this.#parts.preview?.();
  }

  /** Once for many letters: a long note takes a moment to draw. */
  #drawSoon() {
    cancelAnimationFrame(this.#drawing);
    this.#drawing = requestAnimationFrame(() => this.#notebook.isPreviewed && this.#parts.preview?.());
  }

  #preview() {
    const { open, isPreviewed, query } = this.#notebook;
    const texts = this.#texts();
    this.#place.classList.toggle("previewed", isPreviewed);
    document.getElementById("show-preview")?.setAttribute("aria-pressed", String(isPreviewed));
    if (!isPreviewed) return "";
    const links = {
      openAddress: this.#openAddress,
      openPage: (title) => this.#notebook.follow(title),
      hasPage: (title) => this.#notebook.hasTitle(title),
      tick: (line, isDone) => this.#notebook.tick(line, isDone),
      words: wordsOf(query),
    };
    const more = { id: "preview", tabIndex: 0, role: "region", "aria-label": texts("note.preview") };
    return open.body.trim() === "" ? h("p", { ...more, className: "hint" }, texts("note.previewNothing")) : markdownView(open.body, links, more);
  }

  #links() {
    const texts = this.#texts();
    const { backlinks } = this.#notebook;
    this.#parts.preview?.();
    if (backlinks.length === 0) return "";
    const chips = backlinks.map((note) => button(nameOf(note), () => this.#notebook.choose(note.id), { className: "chip" }));
    return h("section", { className: "row", "aria-label": texts("note.backlinks") }, h("h3", {}, texts("note.backlinks")), chips);
  }

  #summary() {
    const texts = this.#texts();
    const { busy, open } = this.#notebook;
    // One thing at a time: what would have to wait says so by not being there to press.
    for (const id of ["summarize", "export"]) document.getElementById(id)?.toggleAttribute("disabled", busy !== null);
    if (busy?.kind === "summary") return working(this.#notebook, texts("note.summarizing"), texts);
    if (!open.summary) return "";
    return h(
      "section",
      { className: "summary", "aria-label": texts("note.summary") },
      h("h3", {}, texts("note.summary"), iconButton("close", texts("note.dropSummary"), () => this.#notebook.dropSummary())),
      markdownView(open.summary, {}, { id: "summary" }),
      open.body.length > MOST_CHARACTERS && h("p", { className: "hint" }, texts("note.summaryOfPart", { count: MOST_CHARACTERS })),
    );
  }

  /** A part that is drawn again by itself, so that what is being typed elsewhere stays as it is. */
  #live(part, draw) {
    const place = h("div", { className: `part part-${part}` });
    const before = this.#parts[part];
    this.#parts[part] = () => {
      before?.();
      show(place, draw());
    };
    return place;
  }
}
