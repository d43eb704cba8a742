/** What was computed over a table, drawn: the number or the bars, and from how many rows; and as a picture. */

import { h } from "../html.js";
import { barChart } from "./chart.js";
import { pictureOf, pngOf, svgOf } from "./picture.js";
import { basisIn, numberIn, planIn } from "./words.js";

/** What was computed, as elements: one number, or bars, and from how many rows. */
export function findings({ plan, groups, ...answer }, texts) {
  const title = planIn(texts, plan);
  const write = (value) => numberIn(texts, value);
  const isOne = !plan.groupBy;
  const number = h("p", { id: "number", className: "number" }, groups.length ? write(groups[0].value) : texts("answer.nothing"));
  return [
    h("p", { id: "planned", className: "about" }, title),
    isOne || groups.length === 0 ? number : barChart(barsOf(plan, groups, texts), { title, write }),
    h("small", { id: "basis" }, basisIn(texts, answer)),
  ];
}

/** The answer as a picture: its bars, or its one number as a bar. */
export function pictured({ plan, groups, ...answer }, texts, title, source) {
  const bars = barsOf(plan, groups, texts);
  const write = (value) => numberIn(texts, value);
  const words = `${planIn(texts, plan)} · ${basisIn(texts, answer)} ${texts("answer.source", source)}`;
  const picture = pictureOf(bars, { title, source: words, write });
  return { svg: svgOf(picture, title), png: pngOf(picture) };
}

const barsOf = (plan, groups, texts) =>
  groups.map(({ label, value }) => ({ label: label || texts(plan.groupBy ? "answer.empty" : "answer.all"), value }));
