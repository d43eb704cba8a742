/** Work that goes on: what it is, what it has said so far, and how to stop it. */

import { button, h } from "../html.js";

export function progress(notebook, title, texts) {
  const { text, isWaiting } = notebook.busy;
  const line = isWaiting ? texts("work.waiting") : title;
  return h(
    "section",
    { className: "card working" },
    h("header", {}, h("span", { role: "status" }, line), h("span", { className: "spring" }), button(texts("work.stop"), () => notebook.stop(), { id: "stop" })),
    h("progress", { "aria-label": line }),
    text && h("p", { className: "said" }, text),
  );
}
