/** Before there is a table, and while one is read. */

import { h, icon } from "/shared/html.js";
import { numberIn } from "/shared/table/words.js";
import { plain, primary, working } from "/shared/parts.js";

export function nothingYet(texts, { pick, sample }) {
  return h(
    "section",
    { className: "empty" },
    h("div", { className: "sign" }, icon("table")),
    h("h1", {}, texts("empty.title")),
    h("p", {}, texts("empty.text")),
    h("div", { className: "row" }, primary("pick", texts("empty.pick"), pick, { "data-take-focus": "" })),
    plain("sample", texts("empty.sample"), sample, { className: "link" }),
    h("p", { className: "hint" }, texts("empty.private")),
  );
}

export function reading(lens, texts) {
  const { share, column } = lens.busy ?? {};
  // Nobody asked for anything yet: the host is looking for what was open last.
  if (!lens.isLoaded && share === undefined) return h("p", { className: "getting-ready", role: "status" }, texts("open.ready"));
  const reading = texts("open.reading", { percent: Math.round((share ?? 0) * 100) });
  const looking = column && texts("open.looking", { column });
  return working(looking ?? (share === undefined ? texts("open.starting") : reading), share, () => lens.stop(), texts("page.stop"));
}

/** The name of the table, its sheets, and how to open another. */
export function header(lens, texts, pick) {
  const { table, sheets, sheet } = lens;
  const options = sheets.map((title, index) => h("option", { value: index }, title));
  const select = h("select", { id: "sheet", "aria-label": texts("open.sheet") }, ...options);
  select.value = sheet;
  select.addEventListener("change", () => lens.openSheet(Number(select.value)));
  return h(
    "header",
    {},
    h("h1", {}, table.name),
    h("span", { className: "spring" }),
    sheets.length > 1 && select,
    plain("pick", texts("page.another"), pick, { disabled: lens.busy !== null }),
    table.isTruncated && h("p", { className: "tell" }, texts("open.truncated", { count: numberIn(texts, table.rowCount) })),
  );
}
