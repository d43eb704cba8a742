/** A draft: read, edited, changed by a model where the person approves, and saved as a document. */

import { button, h, iconButton, show } from "/shared/html.js";
import { differencesView } from "/shared/differences_view.js";
import { describe } from "/shared/problem.js";
import { plain, primary, trouble, working } from "/shared/parts.js";
import { canBeRevised } from "/work/writing.js";
import { citedText } from "./citations.js";

export class DraftScreen {
  #desk;
  #texts;
  #place;
  #links;
  #isEditing = false;
  #shown = null;
  #wish = "";

  constructor(desk, texts, place, { openAddress }) {
    this.#desk = desk;
    this.#texts = texts;
    this.#place = place;
    this.#links = { openAddress, open: (source) => desk.openSource(source) };
  }

  leave() {
    this.#shown = null;
  }

  show(part) {
    const { draft } = this.#desk;
    if (part === "saving") return this.#showSaving();
    if (part !== "main" && part !== "answer") return;
    if (this.#shown !== draft.id) this.#begin(draft);
    const texts = this.#texts();
    show(this.#place, this.#head(draft, texts), this.#notes(draft, texts), draft.proposal ? this.#proposal(draft, texts) : this.#body(draft, texts), this.#foot(draft, texts));
    this.#showSaving();
  }

  #begin({ id }) {
    this.#shown = id;
    this.#isEditing = false;
    this.#wish = "";
  }

  #showSaving() {
    const place = this.#place.querySelector("#saving");
    if (place) place.textContent = this.#texts()(`draft.saving.${this.#desk.saving}`);
  }

  #head(draft, texts) {
    const title = h("input", { id: "draft-title", value: draft.title, "aria-label": texts("draft.title"), maxLength: 200, oninput: () => this.#desk.edit({ title: title.value }) });
    return h(
      "header",
      { className: "draft-head" },
      iconButton("back", texts("draft.back"), () => this.#desk.closeDraft(), { id: "close-draft" }),
      title,
      h("small", { id: "saving", role: "status" }),
      iconButton("bin", texts("draft.delete"), () => this.#desk.removeDraft(), { id: "delete-draft", disabled: this.#desk.busy !== null }),
    );
  }

  #notes(draft, texts) {
    const { problem, busy } = this.#desk;
    return [
      draft.madeBy === "template" && h("p", { id: "made-by", className: "tell", role: "status" }, texts(`draft.template.${draft.isEdited ? "edited" : draft.why}`)),
      draft.madeBy === "model" && h("p", { id: "made-by", className: "hint" }, texts(draft.why === "changed" ? "draft.changed" : "draft.model")),
      problem?.place === "draft" && trouble(problem, describe(problem, texts), texts),
      busy && ["revise", "save"].includes(busy.kind) && working(texts(busy.isWaiting ? "work.waiting" : `work.${busy.kind}`), undefined, () => this.#desk.stop(), texts("page.stop")),
    ].filter(Boolean);
  }

  #body(draft, texts) {
    if (!this.#isEditing) return h("div", { className: "paper" }, citedText(draft.markdown, draft.sources, texts, this.#links, { id: "draft-text" }), this.#chart(draft, texts));
    const area = h("textarea", { id: "draft-source", "aria-label": texts("draft.text"), spellcheck: true, oninput: () => this.#desk.edit({ markdown: area.value }) });
    area.value = draft.markdown;
    return area;
  }

  /** The chart stands under the text: a text alone cannot hold it. */
  #chart({ picture }, texts) {
    return picture?.png && h("figure", { className: "pictured" }, h("img", { src: `data:image/png;base64,${picture.png}`, alt: texts("draft.chart") }));
  }

  /** What would change: the host's own window shows the same and takes the decision. */
  #proposal(draft, texts) {
    const { before, after, instruction } = draft.proposal;
    const isWaiting = this.#desk.busy?.kind === "decide";
    this.#wish = "";
    const names = { gone: texts("change.gone"), new: texts("change.new") };
    return h(
      "section",
      { id: "proposal", "aria-label": texts("change.title") },
      h("h3", {}, texts("change.title")),
      h("p", { className: "about" }, `“${instruction}”`),
      h("div", { className: "paper differences", tabIndex: 0, role: "region", "aria-label": texts("change.title") }, differencesView(before, after, names)),
      isWaiting
        ? working(texts("change.waiting"), undefined, () => this.#desk.stop(), texts("change.stopWaiting"))
        : h("div", { className: "row" }, primary("decide", texts("change.decide"), () => this.#desk.decide()), plain("drop-proposal", texts("change.drop"), () => this.#desk.dropProposal())),
    );
  }

  #foot(draft, texts) {
    const isBusy = this.#desk.busy !== null;
    const turn = () => {
      this.#isEditing = !this.#isEditing;
      this.show("main");
      if (this.#isEditing) this.#place.querySelector("#draft-source")?.focus();
    };
    const copied = () => {
      const label = this.#place.querySelector("#copy");
      if (label) label.textContent = texts("draft.copied");
    };
    // A window that is not in front may not write to the clipboard: then nothing says that it was copied.
    const copy = () => navigator.clipboard.writeText(draft.markdown).then(copied, () => {});
    const formats = ["markdown", "html", ...(draft.picture?.png ? ["png"] : [])];
    return h(
      "footer",
      {},
      !draft.proposal && this.#wishForm(draft, texts, isBusy),
      h(
        "div",
        { className: "row" },
        primary("save-document", texts("draft.save"), () => this.#desk.saveDocument(), { disabled: isBusy || draft.proposal !== null, keys: "Ctrl+S" }),
        !draft.proposal && button(texts(this.#isEditing ? "draft.read" : "draft.edit"), turn, { id: "edit" }),
        button(texts("draft.copy"), copy, { id: "copy" }),
        draft.artifactId && button(texts("draft.openSaved", { version: draft.version }), () => this.#desk.openSaved(), { id: "open-saved", className: "quiet" }),
        h("span", { className: "spring" }),
        formats.map((format) => button(texts(`draft.formats.${format}`), () => this.#desk.exportDocument(format), { id: `save-${format}`, className: "quiet", disabled: isBusy || draft.proposal !== null })),
      ),
    );
  }

  #wishForm(draft, texts, isBusy) {
    if (!this.#desk.hasModel) return h("p", { id: "no-revision", className: "hint" }, texts("change.noModel"));
    if (!canBeRevised(draft.markdown)) return h("p", { className: "hint" }, texts("change.tooLong"));
    const field = h("input", { id: "wish", value: this.#wish, "aria-label": texts("change.wish"), placeholder: texts("change.wish"), maxLength: 500, autocomplete: "off", disabled: isBusy, oninput: () => (this.#wish = field.value) });
    const propose = (event) => {
      event.preventDefault();
      if (field.value.trim()) this.#desk.revise(field.value.trim());
    };
    return h("form", { className: "asking wish", onsubmit: propose }, field, h("button", { id: "propose", type: "submit", disabled: isBusy }, texts("change.propose")));
  }
}
