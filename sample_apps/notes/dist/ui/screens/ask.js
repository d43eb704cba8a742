/** Questions to the notes: the question, the passages that speak of it, the answer, and the answers that were kept. */

import { marked, wordsIn } from "../shared/highlight.js";
import { button, h, iconButton, show } from "../shared/html.js";
import { plainOf } from "../shared/markdown.js";
import { markdownView } from "../shared/markdown_view.js";
import { momentIn } from "../shared/texts.js";
import { problemBox } from "./problem_box.js";
import { working } from "./working.js";

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
    place.addEventListener("keydown", (event) => event.key === "Escape" && !event.isComposing && close());
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
    const head = h("header", {}, h("h2", {}, texts("ask.name")), h("span", { className: "spring" }), iconButton("close", texts("ask.close"), this.#close, { id: "close-ask" }));
    show(this.#place, head, this.#form, this.#result);
  }

  #content() {
    const texts = this.#texts();
    const { asked, busy, unanswered } = this.#notebook;
    const isWorking = ["answer", "keep"].includes(busy?.kind);
    return [
      asked === null && h("p", { className: "hint" }, texts("ask.next")),
      isWorking && working(this.#notebook, texts(`ask.${doing(busy)}`), texts),
      problemBox(this.#notebook, "ask", texts),
      asked?.sources?.length === 0 && h("p", { className: "nothing" }, texts("ask.nothing")),
      unanswered && h("section", { id: "unanswered", className: "tell", role: "status" }, h("strong", {}, texts(`ask.${unanswered}`)), h("p", {}, texts(`ask.${unanswered}Next`))),
      asked?.text && !isWorking && this.#answer(asked),
      asked?.sources?.length > 0 && this.#sources(asked),
      this.#kept(),
    ].filter(Boolean);
  }

  #answer(asked) {
    const texts = this.#texts();
    const keep = button(texts("ask.keepThis"), () => this.#notebook.keepAnswer(), { id: "keep" });
    return h(
      "section",
      { className: "answer", "aria-label": texts("ask.result") },
      markdownView(asked.text, {}, { id: "answer" }),
      h("p", { className: "hint" }, texts(asked.isDemo ? "ask.demo" : "ask.check")),
      h("div", { className: "row" }, asked.artifactId ? h("span", { role: "status", className: "hint" }, texts("ask.isKept")) : keep),
    );
  }

  #sources({ question, sources, unanswered }) {
    const texts = this.#texts();
    const words = wordsIn(question);
    const cite = ({ noteId, title, snippet }, index) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", className: "source", onclick: () => this.#notebook.choose(noteId) },
          h("strong", {}, `${index + 1}. ${title || texts("list.untitled")}`),
          h("span", {}, marked(plainOf(snippet), words)),
        ),
      );
    const name = texts(unanswered ? "ask.passages" : "ask.sources");
    return h("section", { "aria-label": name }, h("h3", {}, name), h("ol", { className: unanswered ? "whole" : "" }, sources.map(cite)));
  }

  #kept() {
    const texts = this.#texts();
    const { answers } = this.#notebook;
    if (answers.length === 0) return null;
    const one = ({ id, title, createdAt }) =>
      h(
        "li",
        { className: "kept" },
        button(title, () => this.#notebook.openAnswer(id), { className: "link", "aria-label": texts("ask.showThat", { name: title }) }),
        h("small", {}, momentIn(texts, createdAt)),
        iconButton("out", texts("ask.exportThat", { name: title }), () => this.#notebook.exportAnswer(id)),
      );
    return h("section", { "aria-label": texts("ask.kept") }, h("h3", {}, texts("ask.kept")), h("ul", {}, answers.map(one)));
  }
}

/** What is said while it goes on: who looks through notes is not yet answered by anybody. */
const doing = ({ kind, text, isAsked }) => (kind !== "answer" ? kind : text ? "answering" : isAsked ? "thinking" : "answer");
