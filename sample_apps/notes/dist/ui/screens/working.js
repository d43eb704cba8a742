/** Work that goes on: what it is, what it has said so far, and how to stop it. */

import { button, h } from "../shared/html.js";

export function working(notebook, title, texts) {
  const { kind, text, isWaiting } = notebook.busy;
  const line = isWaiting ? texts("work.waiting") : kind === "import" && text ? `${title} ${text}` : title;
  return h(
    "section",
    { className: "tell" },
    h("div", { className: "row" }, h("span", { role: "status" }, line), h("span", { className: "spring" }), button(texts("work.stop"), () => notebook.stop(), { id: "stop", className: "quiet" })),
    h("progress", { "aria-label": line }),
    text && kind !== "import" && h("p", { className: "said" }, text),
  );
}
