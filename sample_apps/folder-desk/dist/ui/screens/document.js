/** One document of the folder, as text; opened by a citation, at its place. */

import { button, h, iconButton, show } from "/shared/html.js";
import { marked, wordsIn } from "/shared/highlight.js";
import { describe } from "/shared/problem.js";
import { trouble } from "/shared/parts.js";

const MOST_ROWS = 500;

export class DocumentScreen {
  #desk;
  #texts;
  #place;
  #shown = null;
  #opener = null;

  constructor(desk, texts, place) {
    this.#desk = desk;
    this.#texts = texts;
    this.#place = place;
  }

  show(part) {
    if (part !== "document") return;
    const { document: opened, problem } = this.#desk;
    const isTroubled = problem?.place === "document";
    this.#place.hidden = opened === null && !isTroubled;
    if (this.#place.hidden) return this.#leave();
    const texts = this.#texts();
    const isNew = this.#shown !== opened;
    if (isNew && this.#shown === null) this.#opener = document.activeElement;
    this.#shown = opened;
    const at = this.#place.querySelector(".text")?.scrollTop ?? 0;
    const body = isTroubled ? h("div", { className: "text" }, trouble(problem, describe(problem, texts), texts)) : this.#body(opened, texts);
    show(this.#place, this.#head(opened, texts), body);
    if (!isNew) body.scrollTop = at;
    else this.#goThere();
  }

  /** The place that was cited, in the middle; the keyboard goes along. */
  #goThere() {
    this.#place.querySelector(".cited")?.scrollIntoView({ block: "center" });
    this.#place.querySelector("#close-document")?.focus({ preventScroll: true });
  }

  #leave() {
    if (this.#shown === null) return;
    this.#shown = null;
    show(this.#place);
    const id = this.#opener?.id;
    const back = this.#opener?.isConnected ? this.#opener : id && document.getElementById(id);
    (back || document.getElementById("question"))?.focus({ preventScroll: true });
  }

  #head(opened, texts) {
    return h(
      "header",
      {},
      iconButton("back", texts("document.close"), () => this.#desk.closeDocument(), { id: "close-document", keys: "Esc" }),
      h("h2", { title: opened?.path }, opened?.name ?? ""),
      h("span", { className: "spring" }),
      opened?.rows && button(texts("document.chart"), () => this.#desk.chart(opened.path), { id: "chart-document" }),
    );
  }

  #body(opened, texts) {
    const { sections, rows, place, cited, question, isTruncated } = opened;
    const words = question ? wordsIn(question) : [];
    const isMissed = cited && (rows ? place.rows.length === 0 : place === null || place.end === 0);
    const isEmpty = rows === null && sections.every(({ text, title }) => !text && !title);
    return h(
      "div",
      { className: "text", tabIndex: 0, role: "region", "aria-label": opened.name },
      isMissed && h("p", { id: "moved", className: "tell", role: "status" }, texts("document.moved")),
      isTruncated && h("p", { className: "tell", role: "status" }, texts("document.truncated")),
      isEmpty && h("p", { className: "tell", role: "status" }, texts("document.noText")),
      rows ? this.#grid(rows, place, words, texts) : sections.map((section, index) => this.#section(section, place?.index === index ? place : null, words, texts)),
    );
  }

  #section({ title, level, page, text }, place, words, texts) {
    const head = page === undefined ? title && h(`h${Math.min(6, 2 + Math.max(1, level))}`, { className: place && place.end === 0 ? "cited" : "" }, title) : h("h3", { className: place && place.end === 0 ? "page-of cited" : "page-of" }, texts("document.page", { page }));
    return h("section", {}, head, h("div", { className: "words" }, place && place.end > 0 ? this.#marked(text, place, words) : text));
  }

  #marked(text, { start, end }, words) {
    return [text.slice(0, start), h("span", { id: "cited", className: "cited" }, marked(text.slice(start, end), words)), text.slice(end)];
  }

  #grid([head = [], ...body], place, words, texts) {
    const held = new Set(place?.rows ?? []);
    // A row that was cited is shown however far down it stands.
    const shown = body.map((cells, index) => ({ cells, row: index + 1 })).filter(({ row }) => row <= MOST_ROWS || held.has(row));
    const line = ({ cells, row }) => h("tr", { className: held.has(row) ? "cited" : "" }, cells.map((cell) => h("td", {}, held.has(row) ? marked(cell, words) : cell)));
    return [
      h("table", {}, h("thead", {}, h("tr", {}, head.map((cell) => h("th", { scope: "col" }, cell)))), h("tbody", {}, shown.map(line))),
      body.length > shown.length && h("p", { className: "hint" }, texts("document.rows", { shown: shown.length, all: body.length })),
    ];
  }
}
