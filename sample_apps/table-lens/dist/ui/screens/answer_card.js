/** What was computed: the number or the bars, from how many rows, and how. */

import { barChart } from "/chart.js";
import { h } from "/html.js";
import { basisIn, markdownOf, numberIn, planIn } from "/words.js";
import { card, plain } from "./parts.js";

export function answerCard(lens, texts, openReport) {
  const { answer } = lens;
  const title = texts("answer.title");
  if (answer === null) return card("answer", title, h("p", { className: "next" }, texts("answer.next")));
  if (answer.fault) return card("answer", title, h("p", { className: "notice" }, texts(`faults.${answer.fault}`)));
  const keep = () => lens.keep(lens.question || planIn(texts, answer.plan), markdownOf(texts, answer, lens.source));
  const kept = answer.artifactId
    ? plain("open-report", texts("answer.open"), () => openReport(answer.artifactId))
    : plain("keep", texts("answer.keep"), keep, { disabled: lens.busy !== null });
  return card("answer", title, ...findings(answer, texts), h("div", { className: "row end" }, kept));
}

/** The same for an answer that is shown again from its artifact. */
export function findings({ plan, groups, ...answer }, texts) {
  const title = planIn(texts, plan);
  const write = (value) => numberIn(texts, value);
  const isOne = !plan.groupBy;
  const number = h("p", { id: "number", className: "number" }, groups.length ? write(groups[0].value) : texts("answer.nothing"));
  const bars = groups.map(({ label, value }) => ({ label: label || texts("answer.empty"), value }));
  return [
    h("p", { id: "planned" }, title),
    isOne || groups.length === 0 ? number : barChart(bars, { title, write }),
    h("small", { id: "basis" }, basisIn(texts, answer)),
  ];
}
