/** A figure: what was computed over which table, how the question was read, and how to compute something else. */

import { button, h, iconButton } from "/shared/html.js";
import { card, choice, field, plain } from "/shared/parts.js";
import { findings } from "/shared/table/answer_view.js";
import { OPERATIONS, regrouped } from "/shared/table/compute.js";
import { groupingNamed, keyOf } from "/shared/table/groupings.js";
import { groupingChoices, ignoredIn } from "/shared/table/words.js";

let isOpen = false;

export function figureCard(desk, texts) {
  const { figure, busy } = desk;
  const source = button(figure.table.name, () => desk.openDocument(figure.table.path), { className: "link", id: "figure-source" });
  const close = iconButton("close", texts("figure.drop"), () => desk.dropFigure(), { id: "drop-figure" });
  const section = card("figure", texts("figure.title"), note(figure, texts), ...(figure.fault ? [h("p", { className: "about" }, texts(`faults.${figure.fault}`))] : findings(figure, texts)), h("p", { className: "hint" }, texts("figure.from"), " ", source), planForm(desk, texts, busy));
  section.firstChild.after(close);
  return section;
}

/** Who read the question: where it was only its words, that is said, and what they left out. */
function note({ readBy, ignored, question }, texts) {
  if (readBy === "hand" || !question) return null;
  const left = ignored.length > 0 && h("strong", {}, ignoredIn(texts, ignored), " ");
  return h("p", { id: "read-by", className: "hint" }, left, texts(readBy === "model" ? "figure.byModel" : "figure.byWords"));
}

function planForm(desk, texts, busy) {
  const { figure } = desk;
  const plan = structuredClone(figure.plan);
  const names = figure.table.columns.map(({ name }) => [name, name]);
  const columns = Object.fromEntries([["", texts("plan.none")], ...names]);
  const operations = Object.fromEntries(OPERATIONS.map((each) => [each, texts(`plan.operations.${each}`)]));
  const change = (key) => (chosen) => desk.changeFigure({ ...plan, [key]: chosen });
  const regroup = (key) => desk.changeFigure(regrouped(plan, groupingNamed(figure.table, key)));
  const canChoose = desk.hasModel && figure.question && figure.readBy !== "model";
  return h(
    "details",
    { id: "plan", open: isOpen || figure.fault !== undefined, ontoggle: ({ target }) => (isOpen = target.open) },
    h("summary", {}, texts("figure.change")),
    h(
      "div",
      { className: "fields" },
      field(texts("plan.operation"), choice("plan-operation", plan.operation, operations, change("operation"))),
      field(texts("plan.column"), choice("plan-column", plan.column, columns, change("column"))),
      field(texts("plan.groupBy"), choice("plan-group", keyOf(plan), groupingChoices(texts, figure.table), regroup)),
    ),
    canChoose && h("div", { className: "row" }, plain("choose-plan", texts("figure.choose"), () => desk.chooseFigure(), { disabled: busy !== null }), h("small", {}, texts("figure.chooseHint"))),
  );
}
