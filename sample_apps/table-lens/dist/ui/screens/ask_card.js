/** A question in words, and the plan behind the answer: made by an agent or by hand, open to changes either way. */

import { h } from "/shared/html.js";
import { OPERATIONS, ORDERS } from "/shared/table/compute.js";
import { groupingNamed, keyOf } from "/shared/table/groupings.js";
import { TESTS } from "/shared/table/rows.js";
import { groupingChoices } from "/shared/table/words.js";
import { choice, field, plain, primary, working } from "/shared/parts.js";

let isOpen = false;

export function askCard(lens, texts) {
  const isBusy = lens.busy !== null;
  const title = h("h2", { id: "ask-title", className: "seen-by-readers" }, texts("ask.title"));
  if (lens.busy?.step === "ask") {
    const asked = h("p", { id: "asked" }, lens.busy.question);
    return h("section", { className: "card ask", "aria-labelledby": "ask-title" }, title, asked, working(texts("ask.choosing"), undefined, () => lens.stop(), texts("page.stop")));
  }
  const label = texts("ask.question");
  const question = h("input", { id: "question", placeholder: texts("ask.hint"), "aria-label": label, maxLength: 300, disabled: isBusy, autocomplete: "off", "data-take-focus": "" });
  question.value = lens.typed;
  question.addEventListener("input", () => (lens.typed = question.value));
  const ask = () => question.value.trim() && lens.ask(question.value.trim());
  const form = h("form", { className: "asking", onsubmit: (event) => (event.preventDefault(), ask()) }, question, primary("ask", texts("ask.ask"), ask, { disabled: isBusy }));
  return h("section", { className: "card ask", "aria-labelledby": "ask-title" }, title, form, lens.modelHint(texts("ask.withoutModel")), planForm(lens, texts));
}

function planForm(lens, texts) {
  const plan = structuredClone(lens.plan);
  const names = lens.table.columns.map(({ name }) => [name, name]);
  const columns = Object.fromEntries([["", texts("plan.none")], ...names]);
  const words = (group, keys) => Object.fromEntries(keys.map((key) => [key, texts(`${group}.${key}`)]));
  const value = h("input", { id: "plan-value", value: plan.filter.value, oninput: () => (plan.filter.value = value.value) });
  const select = (id, name, key, options) => field(texts(name), choice(id, plan[key], options, (chosen) => (plan[key] = chosen)));
  return h(
    "details",
    { id: "plan", open: isOpen || lens.answer?.fault !== undefined, ontoggle: ({ target }) => (isOpen = target.open) },
    h("summary", {}, texts("plan.title")),
    h(
      "div",
      { className: "fields" },
      select("plan-operation", "plan.operation", "operation", words("plan.operations", OPERATIONS)),
      select("plan-column", "plan.column", "column", columns),
      field(texts("plan.groupBy"), choice("plan-group", keyOf(plan), groupingChoices(texts, lens.table), (key) => Object.assign(plan, groupingNamed(lens.table, key)))),
      select("plan-order", "plan.order", "order", words("plan.orders", ORDERS)),
      field(texts("plan.onlyWhere"), choice("plan-filter", plan.filter.column, columns, (column) => (plan.filter.column = column))),
      field(texts("filter.test"), choice("plan-test", plan.filter.test, words("filter.tests", TESTS), (test) => (plan.filter.test = test))),
      field(texts("filter.value"), value),
      plain("compute", texts("plan.compute"), () => lens.computePlan(plan), { disabled: lens.busy !== null }),
    ),
    h("p", { className: "hint" }, texts("ask.privacy")),
  );
}
