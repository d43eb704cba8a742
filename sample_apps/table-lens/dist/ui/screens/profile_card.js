/** Every column at a glance. */

import { sparkline } from "/shared/table/chart.js";
import { h } from "/shared/html.js";
import { numberIn, valueIn } from "/shared/table/words.js";
import { card } from "/shared/parts.js";

export function profileCard(lens, texts) {
  const { table, profiles } = lens;
  const title = texts("profile.title", { columns: table.columns.length, rows: numberIn(texts, table.rowCount) });
  return card("profile", title, h("ul", { className: "profiles" }, ...profiles.map((each) => columnItem(each, texts))));
}

const columnItem = (profile, texts) =>
  h(
    "li",
    {},
    h("div", { className: "name" }, h("strong", {}, profile.name), h("span", { className: "pill" }, texts(`profile.types.${profile.type}`))),
    shapeOf(profile, texts),
    h("p", {}, ...factsOf(profile, texts)),
  );

function shapeOf({ name, type, bars }, texts) {
  if (bars.length === 0) return null;
  if (type === "number") return sparkline(bars, texts("profile.shape", { name }));
  const largest = bars[0].value;
  return h(
    "ol",
    { className: "tops" },
    ...bars.map(({ label, value }) =>
      h("li", {}, h("span", {}, label), h("meter", { max: largest, value, title: String(value) }), h("span", {}, numberIn(texts, value))),
    ),
  );
}

function factsOf({ type, min, max, mean, median, missing, unreadable, distinct }, texts) {
  const facts = [];
  if (min !== undefined) facts.push(texts("profile.range", { min: valueIn(texts, min), max: valueIn(texts, max) }));
  if (mean !== undefined) facts.push(texts("profile.middle", { mean: numberIn(texts, mean), median: numberIn(texts, median) }));
  if (type === "text") facts.push(texts("profile.distinct", { count: numberIn(texts, distinct) }));
  if (missing > 0) facts.push(texts("profile.missing", { count: numberIn(texts, missing) }));
  if (unreadable > 0) facts.push(texts("profile.unreadable", { count: numberIn(texts, unreadable) }));
  return facts.map((fact) => h("small", {}, fact));
}
