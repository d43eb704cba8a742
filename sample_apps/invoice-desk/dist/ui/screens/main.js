/** What is below the head: one of the four views, and what went wrong. */

import { describe } from "/shared/problem.js";
import { h, icon } from "/shared/html.js";
import { primary, trouble } from "/shared/parts.js";
import { bookedView } from "/screens/booked.js";
import { inboxView } from "/screens/inbox.js";
import { reportsView } from "/screens/reports.js";
import { suppliersView } from "/screens/suppliers.js";

const VIEWS = { inbox: inboxView, booked: bookedView, suppliers: suppliersView, reports: reportsView };

export function mainOf(desk, texts) {
  const problem = desk.problem && trouble(desk.problem, describe(desk.problem, texts), texts);
  if (!desk.isLoaded) return problem ?? h("p", { className: "getting-ready", role: "status" }, texts("page.ready"));
  const isNew = desk.view === "inbox" && desk.folder === null && !desk.arrivals.some(({ isHidden }) => !isHidden);
  return [problem, isNew ? opening(desk, texts) : VIEWS[desk.view](desk, texts)].flat();
}

/** Before there is a folder: what this is for, and the one thing to do. */
function opening(desk, texts) {
  const { lost, busy, hasModel } = desk;
  return h(
    "section",
    { className: "empty" },
    lost && h("p", { id: "lost", className: "tell", role: "status" }, texts("folder.gone", { name: lost })),
    h("div", { className: "sign" }, icon("folder")),
    h("h1", {}, texts("empty.title")),
    h("p", {}, texts("empty.text")),
    h("div", { className: "row" }, primary("choose", texts("empty.choose"), () => desk.choose(), { disabled: busy !== null, "data-take-focus": "" })),
    h("p", { className: "hint" }, texts(hasModel ? "empty.private" : "empty.withoutModel")),
  );
}
