/** What went wrong: in plain words first, what to do, and the codes one click behind. */

import { describe } from "../problem.js";
import { button, h } from "../shared/html.js";

export function problemBox(notebook, place, texts) {
  const { problem } = notebook;
  if (problem === null || problem.place !== place) return "";
  const { title, action, report, isQuiet, isStopped } = describe(problem.error, texts);
  return h(
    "section",
    { className: isQuiet ? "tell" : "tell bad", role: isQuiet ? "status" : "alert" },
    h("strong", {}, title),
    !isStopped && h("p", {}, action),
    h(
      "div",
      { className: "row" },
      problem.again && button(texts("problem.again"), () => problem.again()),
      button(texts("problem.close"), () => notebook.closeProblem(), { className: "quiet" }),
    ),
    !isQuiet && h("details", {}, h("summary", {}, texts("problem.details")), h("div", { className: "row" }, h("code", {}, report), copyButton(report, texts))),
  );
}

const copyButton = (report, texts) => button(texts("problem.copy"), () => navigator.clipboard.writeText(report).catch(() => {}), { className: "quiet" });
