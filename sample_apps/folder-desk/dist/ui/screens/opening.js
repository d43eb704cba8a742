/** Before there is a folder: what this is for, and the one thing to do. */

import { describe } from "/shared/problem.js";
import { h, icon } from "/shared/html.js";
import { primary, trouble } from "/shared/parts.js";

export const starting = (texts) => h("p", { className: "getting-ready", role: "status" }, texts("empty.ready"));

export function emptyDesk(desk, texts) {
  const { lost, busy, problem } = desk;
  return h(
    "div",
    { className: "opening" },
    lost && h("p", { id: "lost", className: "tell", role: "status" }, texts(`empty.${lost.why}`, { name: lost.name })),
    h(
      "section",
      { className: "empty" },
      h("div", { className: "sign" }, icon("folder")),
      h("h1", {}, texts("empty.title")),
      h("p", {}, texts("empty.text")),
      h("div", { className: "row" }, primary("choose", texts("empty.choose"), () => desk.choose(), { disabled: busy !== null, "data-take-focus": "" })),
      h("p", { className: "hint" }, texts(desk.hasModel ? "empty.private" : "empty.withoutModel")),
    ),
    problem?.place === "folder" && trouble(problem, describe(problem, texts), texts),
  );
}
