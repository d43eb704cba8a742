/** Questions to the notes: the question, the notes that speak of it, the answer, and the answers that were kept. */

import { button, h, show } from "../html.js";
import { momentIn } from "../texts.js";
import { progress } from "./progress.js";
import { problemBox } from "./problem_box.js";

export class AskScreen {
  #notebook;
  #texts;
  #place;
  #close;
  #form = null;
  #result = h("div", { className: "result" });

  constructor(notebook, texts, place, close) {
    this.#notebook = notebook;
    this.#texts = texts;
    this.#place = place;
    this.#close = close;
  }

  show(part) {
    if (part !== "ask" && part !== "problem") return;
    // Drawn once for each language; the question that is being typed stays.
    if (this.#form?.lang !== this.#texts().locale) this.#showForm();
    this.#form.querySelector("button").disabled = this.#notebook.busy !== null;
    show(this.#result, this.#content());
  }

  #showForm() {
    const texts = this.#texts();
    const typed = this.#form?.querySelector("input").value ?? "";
    const field = h("input", { id: "question", value: typed, "aria-label": texts("ask.question"), placeholder: texts("ask.question"), maxLength: 1_000, autocomplete: "off" });
    const ask = (event) => {
      event.preventDefault();
      if (field.value.trim()) this.#notebook.ask(field.value.trim());
    };
    this.#form = h("form", { lang: texts.locale, onsubmit: ask }, field, h("button", { type: "submit", className: "primary" }, texts("ask.ask")));
    const head = h("header", {}, h("h2", {}, texts("ask.name")), h("span", { className: "spring" }), button(texts("ask.close"), this.#close));
    show(this.#place, head, this.#form, this.#result);
  }

  #content() {
    const texts = this.#texts();
    const { asked, busy } = this.#notebook;
    const isWorking = ["answer", "keep"].includes(busy?.kind);
    return [
      asked === null && h("p", { className: "hint" }, texts("ask.next")),
      isWorking && progress(this.#notebook, texts(`ask.${busy.kind}`), texts),
      problemBox(this.#notebook, "ask", texts),
      asked?.sources?.length === 0 && h("p", { className: "empty" }, texts("ask.nothing")),
      asked?.text && !isWorking && this.#answer(asked),
      asked?.sources?.length > 0 && this.#sources(asked.sources),
      this.#kept(),
    ].filter(Boolean);
  }

  #answer(asked) {
    const texts = this.#texts();
    const keep = button(texts("ask.keepThis"), () => this.#notebook.keepAnswer(), { id: "keep", className: "primary" });
    return h(
      "section",
      { className: "card", "aria-label": texts("ask.result") },
      h("p", { id: "answer", className: "said" }, asked.text),
      h("p", { className: "hint" }, texts("ask.check")),
      h("footer", {}, asked.artifactId ? h("span", { role: "status" }, texts("ask.isKept")) : keep),
    );
  }

  #sources(sources) {
    const texts = this.#texts();
    const cite = ({ noteId, title, snippet }, index) =>
      h(
        "li",
        {},
        h("button", { type: "button", className: "source", onclick: () => this.#notebook.choose(noteId) }, h("strong", {}, `[${index + 1}] ${title || texts("list.untitled")}`), h("span", {}, snippet)),
      );
    return h("section", { "aria-label": texts("ask.sources") }, h("h3", {}, texts("ask.sources")), h("ol", {}, sources.map(cite)));
  }

  #kept() {
    const texts = this.#texts();
    const { answers } = this.#notebook;
    if (answers.length === 0) return null;
    const one = ({ id, title, createdAt }) =>
      h(
        "li",
        { className: "row" },
        h("span", { className: "name" }, title),
        h("small", {}, momentIn(texts, createdAt)),
        button(texts("ask.show"), () => this.#notebook.openAnswer(id), { "aria-label": texts("ask.showThat", { name: title }) }),
        button(texts("ask.export"), () => this.#notebook.exportAnswer(id), { "aria-label": texts("ask.exportThat", { name: title }) }),
      );
    return h("section", { "aria-label": texts("ask.kept") }, h("h3", {}, texts("ask.kept")), h("ul", {}, answers.map(one)));
  }
}
