/** What was computed: the number or the bars, from how many rows, and how the question was read. */

import { barChart } from "/chart.js";
import { pictureOf, pngOf, svgOf } from "/picture.js";
import { h } from "/shared/html.js";
import { basisIn, ignoredIn, markdownOf, numberIn, planIn } from "/words.js";
import { card, plain } from "./parts.js";

export function answerCard(lens, texts, openReport) {
  const { answer } = lens;
  const title = texts("answer.title");
  if (answer === null) return null;
  if (answer.fault) return card("answer", title, h("p", { id: "fault", className: "tell", role: "status" }, texts(`faults.${answer.fault}`)));
  const isBusy = lens.busy !== null;
  const name = lens.question || planIn(texts, answer.plan);
  const written = () => [name, markdownOf(texts, answer, lens.source), pictured(answer, texts, name, lens.source)];
  const kept = answer.artifactId
    ? plain("open-report", texts("answer.open"), () => openReport(answer.artifactId))
    : plain("keep", texts("answer.keep"), () => lens.keep(...written()), { disabled: isBusy });
  const save = (format) => () => lens.savePicture(...written(), format);
  return card(
    "answer",
    lens.question || title,
    readingNote(answer, texts),
    ...findings(answer, texts),
    h(
      "div",
      { className: "row" },
      kept,
      h("span", { className: "spring" }),
      plain("save-png", texts("answer.png"), save("png"), { className: "quiet", disabled: isBusy }),
      plain("save-svg", texts("answer.svg"), save("svg"), { className: "quiet", disabled: isBusy }),
    ),
  );
}

/** Who read the question: where it was only its words, that is said, and what they left out. */
function readingNote({ readBy, ignored = [] }, texts) {
  if (readBy !== "words") return null;
  const left = ignored.length > 0 && h("strong", {}, ignoredIn(texts, ignored));
  return h("div", { id: "read-by", className: "tell", role: "status" }, left, h("p", {}, texts("answer.byWords")));
}

/** The answer as a picture: its bars, or its one number as a bar. */
function pictured({ plan, groups, ...answer }, texts, title, source) {
  const bars = barsOf(plan, groups, texts);
  const write = (value) => numberIn(texts, value);
  const words = `${planIn(texts, plan)} · ${basisIn(texts, answer)} ${texts("answer.source", source)}`;
  const picture = pictureOf(bars, { title, source: words, write });
  return { svg: svgOf(picture, title), png: pngOf(picture) };
}

const barsOf = (plan, groups, texts) =>
  groups.map(({ label, value }) => ({ label: label || texts(plan.groupBy ? "answer.empty" : "answer.all"), value }));

/** The same for an answer that is shown again from its artifact. */
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
