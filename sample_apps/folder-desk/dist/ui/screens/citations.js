/** A text with its citations as buttons: each opens its document at the place. */

import { h } from "/shared/html.js";
import { markdownView } from "/shared/markdown_view.js";
import { citationParts } from "/work/asking.js";
import { placeOf } from "/work/writing.js";

/** @param open hears which passage was pressed */
export function citedText(text, sources, texts, { open, openAddress }, properties = {}) {
  const view = markdownView(text, { openAddress }, properties);
  const walker = document.createTreeWalker(view, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) if (!walker.currentNode.parentElement.closest("code")) nodes.push(walker.currentNode);
  // Named by their order, so that the keyboard finds back to one when the text is drawn anew.
  let count = 0;
  for (const node of nodes) {
    const parts = citationParts(node.data, sources.length);
    if (parts.some(({ number }) => number !== undefined)) node.replaceWith(...parts.map((part) => part.text ?? chip(`cite-${++count}`, part.number, sources[part.number - 1], texts, open)));
  }
  return view;
}

function chip(id, number, source, texts, open) {
  const where = placeOf(source, texts);
  return h("button", { type: "button", id, className: "cite", title: where, "aria-label": texts("cite.open", { number, place: where }), onclick: () => open(source) }, String(number));
}
