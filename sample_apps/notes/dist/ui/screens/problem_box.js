/** What went wrong: in plain words first, what to do, and the codes one click behind. */

import { button, h } from "../html.js";
import { describe } from "../problem.js";

export function problemBox(notebook, place, texts) {
  const { problem } = notebook;
  if (problem === null || problem.place !== place) return "";
  const { title, action, report, isQuiet } = describe(problem.error, texts);
  return h(
    "section",
    { className: isQuiet ? "card quiet" : "card problem", role: isQuiet ? "status" : "alert" },
    h("h2", {}, title),
    !isQuiet && h("p", {}, action),
    h(
      "footer",
      {},
      problem.again && button(texts("problem.again"), () => problem.again(), { className: "primary" }),
      button(texts("problem.close"), () => notebook.closeProblem()),
      !isQuiet && h("details", {}, h("summary", {}, texts("problem.details")), h("code", {}, report), copyButton(report, texts)),
    ),
  );
}

const copyButton = (report, texts) => button(texts("problem.copy"), () => navigator.clipboard.writeText(report));
