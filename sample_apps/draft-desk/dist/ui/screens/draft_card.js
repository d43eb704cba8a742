/** Step two: what the agent wrote, open to changes by hand. */

import { h } from "/html.js";
import { card, field, working } from "./parts.js";
import { lengthOf, toMarkdown } from "/work/markdown.js";

export function draftCard(desk, texts) {
  const { content } = desk.open;
  const title = texts("draft.title");
  if (desk.busy?.step === "draft") {
    const { characters } = desk.busy;
    const text = characters ? texts("draft.writing", { characters }) : texts("draft.starting");
    return card(2, title, true, working(text, () => desk.stop(), texts("page.stop")));
  }
  if (content === null) return card(2, title, false, h("p", { className: "next" }, texts("draft.next")));
  return card(2, title, true, ...fields(desk, texts, structuredClone(content)));
}

function fields(desk, texts, content) {
  const isBusy = desk.busy !== null;
  const edit = (id, name, place, key, rows) => {
    const control = h(rows ? "textarea" : "input", { id, disabled: isBusy, ...(rows ? { rows } : {}) });
    control.value = place[key];
    control.addEventListener("change", () => {
      place[key] = control.value;
      desk.saveContent(content);
    });
    return field(name, control);
  };
  const sections = content.sections.flatMap((section, index) => {
    const number = index + 1;
    return [
      edit(`heading-${number}`, texts("draft.section", { number }), section, "heading"),
      edit(`text-${number}`, texts("draft.text", { number }), section, "text", 4),
    ];
  });
  return [
    edit("headline", texts("draft.headline"), content, "headline"),
    edit("summary", texts("draft.summary"), content, "summary", 2),
    ...sections,
    h("p", { className: "hint" }, texts("draft.length", { count: lengthOf(toMarkdown(content)) })),
    questions(content, texts),
  ];
}

function questions({ questions: asked = [] }, texts) {
  if (asked.length === 0) return null;
  const items = asked.map((question) => h("li", {}, question));
  return h("div", { className: "notice" }, h("strong", {}, texts("draft.questions")), h("ul", {}, ...items));
}
