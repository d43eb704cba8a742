/** The question, what the folder says of it, and what can be made of that. */

import { button, h, icon, show } from "/shared/html.js";
import { marked, wordsIn } from "/shared/highlight.js";
import { describe } from "/shared/problem.js";
import { plain, trouble, working } from "/shared/parts.js";
import { pictured } from "/shared/table/answer_view.js";
import { markdownOf, planIn } from "/shared/table/words.js";
import { citedIn } from "/work/asking.js";
import { cellsApart, placeOf } from "/work/writing.js";
import { citedText } from "./citations.js";
import { figureCard } from "./figure.js";

export class AskScreen {
  #desk;
  #texts;
  #place;
  #links;
  #form = null;
  #result = h("div", { id: "result" });

  constructor(desk, texts, place, { openAddress }) {
    this.#desk = desk;
    this.#texts = texts;
    this.#place = place;
    this.#links = { openAddress, open: (source) => desk.openDocument(source.path, source) };
  }

  show(part) {
    if (part !== "main" && part !== "answer") return;
    // Drawn once for each language and each folder; the question that is being typed stays.
    const isFresh = this.#form?.lang !== this.#texts().locale || this.#form.dataset.folder !== this.#desk.folder.ref;
    if (isFresh || !this.#place.contains(this.#form)) this.#showForm();
    this.#form.querySelector("button").disabled = this.#desk.busy !== null;
    show(this.#result, this.#content());
  }

  leave() {
    this.#form = null;
  }

  focus() {
    this.#form?.querySelector("input").focus();
  }

  #showForm() {
    const texts = this.#texts();
    const field = h("input", { id: "question", value: this.#desk.typed, "aria-label": texts("ask.question"), placeholder: texts("ask.question"), maxLength: 1_000, autocomplete: "off", "aria-keyshortcuts": "Control+Shift+F", "data-take-focus": "" });
    field.addEventListener("input", () => (this.#desk.typed = field.value));
    const ask = (event) => {
      event.preventDefault();
      if (field.value.trim()) this.#desk.ask(field.value.trim());
    };
    this.#form = h("form", { lang: texts.locale, className: "asking", onsubmit: ask }, field, h("button", { id: "ask", type: "submit", className: "primary" }, texts("ask.ask")));
    this.#form.dataset.folder = this.#desk.folder.ref;
    show(this.#place, this.#form, this.#result);
    field.focus({ preventScroll: true });
  }

  #content() {
    const texts = this.#texts();
    const { asked, busy, figure, problem } = this.#desk;
    const isAnswering = busy?.kind === "answer";
    return [
      asked === null && figure === null && this.#hint(texts),
      busy && ["answer", "figure", "write"].includes(busy.kind) && working(this.#doing(texts), undefined, () => this.#desk.stop(), texts("page.stop")),
      isAnswering && busy.text && citedText(busy.text, asked?.sources ?? [], texts, this.#links, { className: "coming" }),
      problem?.place === "ask" && trouble(problem, describe(problem, texts), texts),
      problem?.assemble && h("div", { className: "row" }, button(texts("ask.assemble"), () => problem.assemble(), { id: "assemble" })),
      asked?.unread > 0 && !isAnswering && h("p", { id: "unread", className: "tell", role: "status" }, texts("ask.partial", { count: asked.unread })),
      asked?.sources?.length === 0 && h("section", { id: "nothing", className: "tell", role: "status" }, h("strong", {}, texts("ask.nothing")), h("p", {}, texts("ask.nothingNext"))),
      asked?.unanswered && h("section", { id: "unanswered", className: "tell", role: "status" }, h("strong", {}, texts(`ask.${asked.unanswered}`)), h("p", {}, texts(`ask.${asked.unanswered}Next`))),
      asked?.text && !isAnswering && this.#answer(asked, texts),
      figure && figureCard(this.#desk, texts),
      this.#desk.sources.length > 0 && this.#sources(asked, texts),
      (this.#desk.sources.length > 0 || figure) && !isAnswering && this.#next(texts),
    ].filter(Boolean);
  }

  #doing(texts) {
    const { kind, text, isAsked, isWaiting } = this.#desk.busy;
    if (isWaiting) return texts("work.waiting");
    if (kind === "answer" && text) return texts("work.answering");
    return texts(kind === "answer" && isAsked ? "work.thinking" : `work.${kind}`);
  }

  /** Nothing asked yet: what could be, from what lies here. */
  #hint(texts) {
    const { files, reading } = this.#desk;
    const table = files.find(({ kind }) => kind === "table");
    if (files.length === 0) return reading.isDone && h("section", { className: "empty" }, h("div", { className: "sign" }, icon("folder")), h("h1", {}, texts("ask.emptyFolder")), h("p", {}, texts("ask.emptyFolderText")));
    return h(
      "section",
      { className: "empty" },
      h("div", { className: "sign" }, icon("search")),
      h("h1", {}, texts("ask.first")),
      h("p", {}, texts(this.#desk.hasModel ? "ask.firstText" : "ask.firstWithout")),
      table && plain("chart-first", texts("ask.chart", { name: table.name }), () => this.#desk.chart(table.path), { className: "link" }),
    );
  }

  #answer(asked, texts) {
    const hasCitation = citedIn(asked.text, asked.sources).length > 0;
    return h(
      "section",
      { className: "answer", "aria-label": texts("ask.answer") },
      citedText(asked.text, asked.sources, texts, this.#links, { id: "answer" }),
      h("p", { className: "hint" }, texts(asked.isDemo ? "ask.demo" : hasCitation ? "ask.check" : "ask.uncited")),
    );
  }

  #sources({ question, text }, texts) {
    const words = wordsIn(question);
    const name = texts(text ? "ask.sources" : "ask.passages");
    const one = (source) => {
      const box = h("input", { type: "checkbox", checked: this.#desk.chosen.has(source.id), "aria-label": texts("ask.take", { number: source.number }), title: texts("ask.takeHint"), onchange: () => this.#desk.take(source.id, box.checked) });
      return h(
        "li",
        {},
        box,
        h(
          "button",
          { type: "button", id: `source-${source.number}`, className: "source", onclick: () => this.#links.open(source) },
          h("strong", {}, h("span", { className: "number-of" }, String(source.number)), placeOf(source, texts)),
          h("span", { className: "snippet" }, marked(cellsApart(source.snippet), words)),
        ),
      );
    };
    return h("section", { "aria-label": name }, h("h3", {}, name), h("ol", { id: "sources" }, this.#desk.sources.map(one)));
  }

  #next(texts) {
    const { busy, figure } = this.#desk;
    const make = (kind) => () => this.#desk.write(kind, figure && !figure.fault ? { figure: this.#figureText(figure, texts), picture: this.#picture(figure, texts) } : {});
    return h(
      "div",
      { className: "row next" },
      button(texts("ask.report"), make("report"), { id: "write-report", disabled: busy !== null }),
      button(texts("ask.mail"), make("mail"), { id: "write-mail", disabled: busy !== null }),
      h("span", { className: "hint" }, texts(this.#desk.hasModel ? "ask.nextWith" : "ask.nextWithout")),
    );
  }

  #figureText(figure, texts) {
    return markdownOf(texts, figure, { name: figure.table.name });
  }

  #picture(figure, texts) {
    return pictured(figure, texts, planIn(texts, figure.plan), { name: figure.table.name });
  }
}

