/** The files beside a note. */

import { button, h } from "../shared/html.js";
import { sizeIn } from "../shared/texts.js";

export function attachmentList(notebook, texts) {
  const { attachments } = notebook;
  if (attachments.length === 0) return "";
  return h(
    "section",
    { className: "attachments", "aria-label": texts("files.name") },
    h("h3", {}, texts("files.name")),
    h("ul", {}, attachments.map((each) => attachmentRow(notebook, each, texts))),
  );
}

function attachmentRow(notebook, attachment, texts) {
  const { id, name, sizeBytes } = attachment;
  const text = notebook.lookedInto?.id === id ? notebook.lookedInto : null;
  const look = button(texts(text ? "files.close" : "files.look"), () => notebook.lookInto(attachment), {
    className: "quiet",
    id: `look-${id}`,
    "aria-expanded": text !== null,
    "aria-label": texts("files.lookAt", { name }),
  });
  const remove = button(texts("files.remove"), () => notebook.detach(attachment), { className: "quiet", "aria-label": texts("files.removeThat", { name }) });
  return h(
    "li",
    {},
    h("div", { className: "row" }, h("span", { className: "name" }, name), h("small", {}, sizeIn(texts, sizeBytes)), look, remove),
    text && h("pre", { tabIndex: 0 }, text.text || texts("files.noText"), text.isLong ? "\n…" : ""),
  );
}

