/** Markdown drawn as elements. Nothing in a text becomes HTML: a text of somebody else's can do nothing here. */

import { marked } from "./highlight.js";
import { h } from "./html.js";
import { parseMarkdown } from "./markdown.js";

/**
 * @typedef {object} Links what happens where a person presses something in the text
 * @property {(url: string) => void} [openAddress] an address of the web
 * @property {(title: string) => void} [openPage] another page, `[[Title]]`
 * @property {(title: string) => boolean} [hasPage] whether there is one of that title
 * @property {(line: number, isDone: boolean) => void} [tick] a task, by its line in the text
 * @property {string[]} [words] words to mark
 */

/** @param {string} text @param {Links} [links] @returns {HTMLElement} */
export const markdownView = (text, links = {}, properties = {}) =>
  h("div", { ...properties, className: `prose ${properties.className ?? ""}`.trim() }, parseMarkdown(text).map((block) => drawBlock(block, links)));

const BLOCKS = {
  heading: ({ level, children }, links) => h(`h${Math.min(6, level + 1)}`, { className: `level-${level}` }, drawInline(children, links)),
  paragraph: ({ children }, links) => h("p", {}, drawInline(children, links)),
  rule: () => h("hr"),
  quote: ({ blocks }, links) => h("blockquote", {}, blocks.map((block) => drawBlock(block, links))),
  code: ({ text }, { words = [] }) => h("pre", { tabIndex: 0 }, h("code", {}, marked(text, words))),
  list: ({ isOrdered, start, items }, links) =>
    h(isOrdered ? "ol" : "ul", isOrdered && start !== 1 ? { start } : {}, items.map((item) => drawItem(item, links))),
  table: ({ aligned, head, rows }, links) => {
    const row = (tag) => (cells) => h("tr", {}, cells.map((cell, index) => h(tag, { className: aligned[index] }, drawInline(cell, links))));
    return h("div", { className: "wide", tabIndex: 0 }, h("table", {}, h("thead", {}, row("th")(head)), h("tbody", {}, rows.map(row("td")))));
  },
};

const drawBlock = (block, links) => BLOCKS[block.type](block, links);

function drawItem({ isDone, line, blocks }, links) {
  const [first, ...rest] = blocks;
  // A short item is a line, not a paragraph of its own.
  const own = first?.type === "paragraph" ? drawInline(first.children, links) : first ? [drawBlock(first, links)] : [];
  const more = rest.map((block) => drawBlock(block, links));
  if (isDone === undefined) return h("li", {}, own, more);
  const box = h("input", { type: "checkbox", checked: isDone, disabled: !links.tick, onchange: () => links.tick(line, box.checked) });
  return h("li", { className: isDone ? "task done" : "task" }, h("label", {}, box, h("span", {}, own)), more);
}

const INLINE = {
  text: ({ text }, { words = [] }) => marked(text, words),
  code: ({ text }) => h("code", {}, text),
  strong: ({ children }, links) => h("strong", {}, drawInline(children, links)),
  emphasis: ({ children }, links) => h("em", {}, drawInline(children, links)),
  struck: ({ children }, links) => h("s", {}, drawInline(children, links)),
  break: () => h("br"),
  // Pictures of other servers are not loaded: looking at a note must not tell anybody.
  image: ({ text, url }, links) => drawAddress(url, [text || url], links),
  link: ({ url, children }, links) => drawAddress(url, drawInline(children, links), links),
  page: ({ page, text }, { openPage, hasPage = () => true }) =>
    h("a", { href: "#", className: hasPage(page) ? "page" : "page missing", onclick: pressed(() => openPage?.(page)) }, text),
};

const drawInline = (parts, links) => parts.flatMap((part) => INLINE[part.type](part, links));

const drawAddress = (url, children, { openAddress }) =>
  /^(?:https?|mailto):/iu.test(url)
    ? h("a", { href: url, title: url, onclick: pressed(() => openAddress?.(url)) }, children)
    : h("span", { title: url }, children);

const pressed = (act) => (event) => {
  event.preventDefault();
  act();
};
