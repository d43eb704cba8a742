/** The reports that the schedule wrote, and one of them: who was to be paid how much. */

import { h, icon } from "/shared/html.js";
import { plain, primary } from "/shared/parts.js";
import { totals } from "/screens/booked.js";
import { dayAndTimeIn, moneyIn } from "/work/booking.js";
import { totalsBySupplier } from "/work/totals.js";

export function reportsView(desk, texts) {
  if (desk.report !== null) return reportOf(desk, texts);
  const now = plain("report-now", texts("reports.now"), () => desk.reportNow(), { disabled: desk.busy !== null, "data-take-focus": "" });
  const about = h("p", { className: "hint" }, texts(desk.isScheduled ? "reports.aboutOn" : "reports.about"));
  if (desk.reports.length === 0) return h("section", { className: "empty" }, h("div", { className: "sign" }, icon("chart")), h("h1", {}, texts("reports.none")), about, h("div", { className: "row" }, now));
  return [h("div", { className: "row tools" }, about, h("span", { className: "spring" }), now), h("ul", { className: "reports" }, ...desk.reports.map((each) => line(desk, each, texts)))];
}

const line = (desk, { id, createdAt }, texts) =>
  h("li", {}, h("button", { type: "button", id: `report-${id}`, onclick: () => desk.openReport(id) }, icon("chart"), h("span", {}, texts("reports.title")), h("time", { dateTime: createdAt }, dayAndTimeIn(texts, createdAt))));

function reportOf(desk, texts) {
  const { report } = desk;
  const disabled = desk.busy !== null;
  const heads = ["supplier", "count", "net", "tax", "gross"];
  const cell = (row, name) => (name === "supplier" ? row.supplier : name === "count" ? String(row.count) : (row[name] === null ? "–" : moneyIn(texts, row[name])) + (name === "gross" ? ` ${row.currency}` : ""));
  return [
    h(
      "div",
      { className: "row tools" },
      plain("all-reports", texts("reports.all"), () => desk.go("reports"), { "data-take-focus": "" }),
      h("h1", {}, texts("reports.of", { when: dayAndTimeIn(texts, report.madeAt) })),
      h("span", { className: "spring" }),
      primary("report-xlsx", texts("booked.xlsx"), () => desk.saveReport("xlsx"), { disabled }),
      plain("report-csv", texts("booked.csv"), () => desk.saveReport("csv"), { disabled }),
    ),
    totals(report.rows, texts),
    h(
      "div",
      { className: "wide", "data-scroll": "report" },
      h("table", { id: "report" }, h("thead", {}, h("tr", {}, ...heads.map((name) => h("th", { scope: "col", className: name === "supplier" ? null : "amount" }, texts(name === "count" ? "reports.count" : `fields.${name}`))))), h("tbody", {}, ...totalsBySupplier(report.rows).map((row) => h("tr", {}, ...heads.map((name) => h("td", { className: name === "supplier" ? null : "amount" }, cell(row, name))))))),
    ),
  ];
}
