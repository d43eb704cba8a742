/** Step two: the text, shown as it is written, and open to changes by hand. */

import { button, h, show } from "/shared/html.js";
import { markdownView } from "/shared/markdown_view.js";
import { lengthOf, toMarkdown } from "/work/markdown.js";
import { step, working } from "./parts.js";

const SAVED_AFTER_MS = 400;
let isEdited = false;

export function draftStep(desk, texts, { openAddress }) {
  const { content } = desk.open;
  const title = texts("draft.title");
  if (desk.busy?.step === "draft") {
    const section = step("draft", title, working(texts("draft.writing"), () => desk.stop(), texts("page.stop")), h("div", { id: "live", className: "paper" }));
    // Drawn when it stands on the page.
    queueMicrotask(() => showProgress(desk, texts));
    return section;
  }
  if (content === null) return null;
  const isEmpty = content.sections.every(({ text }) => text === "") && content.summary === "";
  if (isEmpty) isEdited = true;
  const toggle = button(texts(isEdited ? "draft.read" : "draft.edit"), () => (toggleEditing(), show(section, ...parts())), { id: "edit", className: "quiet" });
  const length = h("span", { id: "length", className: "hint" });
  const count = (markdown) => (length.textContent = texts("draft.length", { count: lengthOf(markdown) }));
  const parts = () => [
    h("div", { className: "row" }, h("h2", { id: "step-draft" }, title), length, h("span", { className: "spring" }), toggle),
    isEdited ? editor(desk, texts, count) : reader(desk.open.content, openAddress),
    questions(desk.open.content, texts),
  ];
  const toggleEditing = () => {
    isEdited = !isEdited;
    toggle.textContent = texts(isEdited ? "draft.read" : "draft.edit");
  };
  count(toMarkdown(content));
  const section = h("section", { className: "step", "aria-labelledby": "step-draft" }, ...parts().filter(Boolean));
  return section;
}

/** What is there so far. Only this place is drawn again, many times a second. */
export function showProgress(desk) {
  const place = document.getElementById("live");
  const draft = desk.busy?.draft;
  if (!place || !draft) return;
  show(place, draft.headline && h("h1", {}, draft.headline), markdownView(toMarkdown(draft), {}, { className: "growing" }));
}

const reader = (content, openAddress) =>
  h("article", { className: "paper" }, h("h1", { id: "title" }, content.headline), markdownView(toMarkdown(content), { openAddress }));

function editor(desk, texts, count) {
  const isBusy = desk.busy !== null;
  const headline = h("input", { id: "headline", className: "headline", disabled: isBusy, "aria-label": texts("draft.headline"), placeholder: texts("draft.headline"), maxLength: 120 });
  headline.value = desk.open.content.headline;
  const text = h("textarea", { id: "text", disabled: isBusy, "aria-label": texts("draft.text"), placeholder: texts("draft.textHint"), spellcheck: true, rows: 14 });
  text.value = toMarkdown(desk.open.content);
  const { id } = desk.open;
  let timer;
  const save = () => {
    clearTimeout(timer);
    desk.saveText(headline.value, text.value, id);
  };
  for (const control of [headline, text]) {
    control.addEventListener("input", () => {
      count(text.value);
      clearTimeout(timer);
      timer = setTimeout(save, SAVED_AFTER_MS);
    });
    // Who presses a button leaves the field first: what was typed is there before the button acts.
    control.addEventListener("change", save);
  }
  return h("div", { className: "paper editing" }, headline, text, h("p", { className: "hint" }, texts("draft.markdown")));
}

function questions({ questions: asked = [] }, texts) {
  if (asked.length === 0) return null;
  return h("div", { className: "questions" }, h("strong", {}, texts("draft.questions")), h("ul", {}, asked.map((question) => h("li", {}, question))));
}
