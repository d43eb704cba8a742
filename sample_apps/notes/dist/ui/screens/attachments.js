/** The files beside a note. */

import { button, h } from "../html.js";

export function attachmentList(notebook, texts) {
  const { attachments } = notebook;
  if (attachments.length === 0) return "";
  return h(
    "section",
    { className: "attachments", "aria-label": texts("files.name") },
    h("h2", {}, texts("files.name")),
    h("ul", {}, attachments.map((each) => attachmentRow(notebook, each, texts))),
  );
}

function attachmentRow(notebook, attachment, texts) {
  const { id, name, sizeBytes } = attachment;
  const preview = notebook.preview?.id === id ? notebook.preview : null;
  const look = button(texts(preview ? "files.close" : "files.look"), () => notebook.lookInto(attachment), {
    id: `look-${id}`,
    "aria-expanded": preview !== null,
    "aria-label": texts("files.lookAt", { name }),
  });
  const remove = button(texts("files.remove"), () => notebook.detach(attachment), { "aria-label": texts("files.removeThat", { name }) });
  return h(
    "li",
    {},
    h("div", { className: "row" }, h("span", { className: "name" }, name), h("small", {}, sizeIn(texts, sizeBytes)), look, remove),
    preview && h("pre", { tabIndex: 0 }, preview.text || texts("files.noText"), preview.isLong ? "\n…" : ""),
  );
}

/** A file's size as a person says it. */
export function sizeIn(texts, bytes) {
  const [amount, unit] = bytes < 1_000_000 ? [bytes / 1_000, "kilobyte"] : [bytes / 1_000_000, "megabyte"];
  return amount.toLocaleString(texts.locale, { style: "unit", unit, maximumFractionDigits: amount < 10 ? 1 : 0 });
}
