/** What lies in the folder, how far it is read, and the drafts that were made from it. */

import { describe } from "/shared/problem.js";
import { button, h, icon, iconButton, show } from "/shared/html.js";
import { trouble } from "/shared/parts.js";
import { momentIn, sizeIn } from "/shared/texts.js";

const ICONS = { pdf: "file", table: "table", note: "note", document: "file" };

export class FilesScreen {
  #desk;
  #texts;
  #place;

  constructor(desk, texts, place) {
    this.#desk = desk;
    this.#texts = texts;
    this.#place = place;
  }

  show(part) {
    if (part === "reading") return this.#showReading();
    if (part !== "files") return;
    const { folder, drafts, problem } = this.#desk;
    const texts = this.#texts();
    // Scrolled lists stay where they are when a line changes.
    const at = this.#scrolled();
    show(this.#place, folder && this.#folder(texts), folder && problem?.place === "folder" && trouble(problem, describe(problem, texts), texts), drafts.length > 0 && this.#drafts(texts));
    for (const [index, section] of this.#sections().entries()) section.scrollTop = at[index] ?? 0;
  }

  #sections() {
    return [...this.#place.querySelectorAll(":scope > section")];
  }

  #scrolled() {
    return this.#sections().map(({ scrollTop }) => scrollTop);
  }

  #folder(texts) {
    const { folder, files, others, reading, busy } = this.#desk;
    const isBusy = busy !== null;
    return h(
      "section",
      { "aria-labelledby": "folder-name" },
      h(
        "header",
        {},
        h("h2", { id: "folder-name", title: folder.name }, folder.name),
        iconButton("folder", texts("folder.other"), () => this.#desk.choose(), { id: "choose", disabled: isBusy }),
        iconButton("close", texts("folder.close"), () => this.#desk.closeFolder(), { id: "close-folder", disabled: isBusy }),
      ),
      reading.isDone ? this.#state(texts) : this.#progress(texts),
      files.length === 0 && reading.isDone && h("p", { className: "hint" }, texts("files.none")),
      h("ul", { id: "file-list" }, files.map((file) => this.#file(file, texts))),
      others > 0 && h("p", { className: "hint" }, texts("files.others", { count: others })),
    );
  }

  /** Only what changed: a button that is drawn anew while it is pressed is never pressed. */
  #showReading() {
    const { line, share } = this.#far(this.#texts());
    const [words, bar] = [this.#place.querySelector("#reading small"), this.#place.querySelector("#reading progress")];
    if (words === null) return;
    words.textContent = line;
    bar.setAttribute("aria-label", line);
    if (share !== undefined) bar.value = share;
  }

  /** How far the folder is read, in words and as a share. What is read again counts as unread. */
  #far(texts) {
    const { files, reading } = this.#desk;
    const all = reading.left > 0 ? Math.max(files.length, reading.left) : 0;
    if (all === 0) return { line: texts("files.looking"), share: undefined };
    return { line: texts("files.reading", { read: all - reading.left, all }), share: (all - reading.left) / all };
  }

  #progress(texts) {
    const { line, share } = this.#far(texts);
    const bar = h("progress", { "aria-label": line, max: 1 });
    if (share !== undefined) bar.value = share;
    return h(
      "div",
      { id: "reading", className: "working" },
      h("div", { className: "row" }, h("small", { role: "status" }, line), h("span", { className: "spring" }), button(texts("page.cancel"), () => this.#desk.stopReading(), { id: "stop-reading", className: "quiet" })),
      bar,
    );
  }

  #state(texts) {
    const { files, reading } = this.#desk;
    return h(
      "p",
      { id: "folder-state", className: "hint", role: "status" },
      texts(reading.unread > 0 ? "files.count" : "files.read", { count: files.length }),
      reading.unread > 0 && ` ${texts("files.unread", { count: reading.unread })}`,
    );
  }

  #file({ path, name, kind, sizeBytes }, texts) {
    const { document } = this.#desk;
    const inside = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
    return h(
      "li",
      {},
      h(
        "button",
        { type: "button", className: "file", "data-path": path, "aria-current": document?.path === path ? "true" : null, title: path, onclick: () => this.#desk.openDocument(path) },
        icon(ICONS[kind]),
        h("span", { className: "name" }, name),
        h("small", {}, inside || sizeIn(texts, sizeBytes)),
      ),
    );
  }

  #drafts(texts) {
    const { drafts, draft } = this.#desk;
    const one = ({ id, title, kind, updatedAt }) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", className: "file draft", "aria-current": draft?.id === id ? "true" : null, title, onclick: () => this.#desk.openDraft(id) },
          icon(kind === "mail" ? "out" : "note"),
          h("span", { className: "name" }, title),
          h("small", { className: "seen-by-readers" }, momentIn(texts, updatedAt)),
        ),
      );
    return h("section", { "aria-labelledby": "drafts-name" }, h("header", {}, h("h2", { id: "drafts-name" }, texts("drafts.name"))), h("ul", { id: "draft-list" }, drafts.map(one)));
  }
}
