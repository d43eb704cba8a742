/**
 * Markdown as a tree: text in, blocks out. Pure, and without a page: what is drawn of it is `markdown_view.js`'s business.
 *
 * What people write in notes and drafts is read: headings, paragraphs, lists and tasks, quotes, code, tables, rules, and
 * in a line emphasis, code, links and links between pages (`[[Title]]`). HTML stays text.
 */

const DEEPEST = 12;
const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*)/u;
const HEADING = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/u;
const RULE = /^ {0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/u;
const QUOTE = /^ {0,3}> ?/u;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(?:\s+(.*))?$/u;
const TASK = /^\[([ xX])\]\s+(.*)$/u;
const DIVIDER = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/u;

/** The blocks of a text. A task knows the number of its line, so that ticking it can change that line. */
export const parseMarkdown = (text) =>
  blocksOf(text.replaceAll("\r\n", "\n").split("\n").map((line, at) => ({ text: line.replaceAll("\t", "    "), at })));

function blocksOf(lines, depth = 0) {
  const blocks = [];
  let at = 0;
  while (at < lines.length) {
    if (lines[at].text.trim() === "") {
      at += 1;
      continue;
    }
    const read = READERS.find(({ fits }) => fits(lines, at, depth)).read;
    at = read(lines, at, blocks, depth);
  }
  return blocks;
}

const READERS = [
  { fits: (lines, at) => FENCE.test(lines[at].text), read: readFence },
  { fits: (lines, at) => HEADING.test(lines[at].text), read: readHeading },
  { fits: (lines, at) => RULE.test(lines[at].text), read: (_, at, blocks) => (blocks.push({ type: "rule" }), at + 1) },
  { fits: (lines, at, depth) => depth < DEEPEST && QUOTE.test(lines[at].text), read: readQuote },
  { fits: (lines, at, depth) => depth < DEEPEST && ITEM.test(lines[at].text), read: readList },
  { fits: isTable, read: readTable },
  { fits: () => true, read: readParagraph },
];

function readFence(lines, at, blocks) {
  const [, mark, language] = FENCE.exec(lines[at].text);
  const end = lines.findIndex(({ text }, index) => index > at && text.trim().startsWith(mark) && text.trim().replaceAll(mark[0], "") === "");
  const last = end === -1 ? lines.length : end;
  const text = lines.slice(at + 1, last).map((line) => line.text).join("\n");
  blocks.push({ type: "code", language, text });
  return last + 1;
}

function readHeading(lines, at, blocks) {
  const [, marks, text] = HEADING.exec(lines[at].text);
  blocks.push({ type: "heading", level: marks.length, children: parseInline(text) });
  return at + 1;
}

function readQuote(lines, at, blocks, depth) {
  let end = at;
  while (end < lines.length && QUOTE.test(lines[end].text)) end += 1;
  const inner = lines.slice(at, end).map((line) => ({ ...line, text: line.text.replace(QUOTE, "") }));
  blocks.push({ type: "quote", blocks: blocksOf(inner, depth + 1) });
  return end;
}

function readList(lines, at, blocks, depth) {
  const [, indent, mark] = ITEM.exec(lines[at].text);
  const isOrdered = /\d/u.test(mark);
  const list = { type: "list", isOrdered, start: isOrdered ? Number.parseInt(mark, 10) : 1, items: [] };
  let item = null;
  let next = at;
  for (; next < lines.length; next += 1) {
    const line = lines[next];
    const found = ITEM.exec(line.text);
    const isSibling = found !== null && found[1].length <= indent.length + 1 && !RULE.test(line.text);
    if (isSibling && /\d/u.test(found[2]) !== isOrdered) break;
    if (isSibling) {
      if (found[1].length < indent.length) break;
      const task = TASK.exec(found[3] ?? "");
      item = { ...(task && { isDone: task[1] !== " ", line: line.at }), lines: [{ at: line.at, text: task?.[2] ?? found[3] ?? "" }] };
      list.items.push(item);
    } else if (line.text.trim() === "") {
      // An empty line ends the list unless it goes on, or something that is indented follows.
      const following = lines[next + 1]?.text ?? "";
      if (!/^\s{2,}\S/u.test(following) && !ITEM.test(following)) break;
      item.lines.push(line);
    } else if (/^\s{2,}/u.test(line.text) || lines[next - 1].text.trim() !== "") {
      if (!/^\s/u.test(line.text) && (HEADING.test(line.text) || FENCE.test(line.text) || QUOTE.test(line.text) || RULE.test(line.text))) break;
      item.lines.push({ ...line, text: line.text.replace(/^ {1,4}/u, "") });
    } else break;
  }
  list.items = list.items.map(({ lines: own, ...facts }) => ({ ...facts, blocks: blocksOf(own, depth + 1) }));
  blocks.push(list);
  return next;
}

function isTable(lines, at) {
  const divider = lines[at + 1]?.text ?? "";
  return lines[at].text.includes("|") && divider.includes("-") && DIVIDER.test(divider) && cellsOf(divider).length === cellsOf(lines[at].text).length;
}

function readTable(lines, at, blocks) {
  const aligned = cellsOf(lines[at + 1].text).map((cell) => (cell.endsWith(":") ? (cell.startsWith(":") ? "center" : "end") : "start"));
  let end = at + 2;
  while (end < lines.length && lines[end].text.includes("|")) end += 1;
  const rowOf = ({ text }) => aligned.map((_, index) => parseInline(cellsOf(text)[index] ?? ""));
  blocks.push({ type: "table", aligned, head: rowOf(lines[at]), rows: lines.slice(at + 2, end).map(rowOf) });
  return end;
}

const cellsOf = (line) =>
  line.trim().replace(/^\|/u, "").replace(/(?<!\\)\|$/u, "").split(/(?<!\\)\|/u).map((cell) => cell.trim().replaceAll("\\|", "|"));

function readParagraph(lines, at, blocks, depth) {
  let end = at + 1;
  while (end < lines.length && lines[end].text.trim() !== "" && !isInterruption(lines, end, depth)) end += 1;
  const text = lines.slice(at, end).map((line) => line.text.trimStart()).join("\n");
  blocks.push({ type: "paragraph", children: parseInline(text) });
  return end;
}

const isInterruption = (lines, at, depth) => READERS.slice(0, -1).some(({ fits }) => fits(lines, at, depth));

/** In a line: the first that fits at a place wins. Every length is bounded, so that no text takes long to read. */
const INLINE = [
  { type: "text", mark: /\\([\\`*_{}[\]()#+.!|~>-])/uy, take: ([, text]) => ({ text }) },
  { type: "code", mark: /(`{1,3})(?!`)([^`]{1,2000}|[^`]{0,2000}`[^`]{1,2000})\1(?!`)/uy, take: ([, , text]) => ({ text: text.trim() }) },
  { type: "page", mark: /\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/uy, take: ([, page, text]) => ({ page: page.trim(), text: (text ?? page).trim() }) },
  { type: "image", mark: /!\[([^\]\n]{0,300})\]\(([^()\s]{1,2000})\)/uy, take: ([, text, url]) => ({ text, url }) },
  { type: "link", mark: /\[([^\]\n]{1,1000})\]\(([^()\s]{1,2000}(?:\([^()\s]{0,200}\))?)\)/uy, take: ([, text, url], depth) => ({ url, children: inline(text, depth + 1) }) },
  { type: "link", mark: /<(https?:\/\/[^\s<>]{1,2000})>/uy, take: ([, url]) => ({ url, children: [{ type: "text", text: url }] }) },
  { type: "link", mark: /https?:\/\/[^\s<>()[\]"'“”，。；]{1,2000}[^\s<>()[\]"'“”，。；.,;:!?*_~]/uy, take: ([url]) => ({ url, children: [{ type: "text", text: url }] }) },
  { type: "strong", mark: /\*\*(?=\S)((?:[^*\n]|\*(?!\*)){1,2000})\*\*/uy, take: ([, text], depth) => ({ children: inline(text, depth + 1) }) },
  { type: "strong", mark: /(?<![\p{L}\p{N}])__(?=\S)([^\n]{1,2000}?)__(?![\p{L}\p{N}])/uy, take: ([, text], depth) => ({ children: inline(text, depth + 1) }) },
  { type: "emphasis", mark: /\*(?=[^\s*])([^*\n]{1,2000})\*/uy, take: ([, text], depth) => ({ children: inline(text, depth + 1) }) },
  { type: "emphasis", mark: /(?<![\p{L}\p{N}])_(?=[^\s_])([^_\n]{1,2000})_(?![\p{L}\p{N}])/uy, take: ([, text], depth) => ({ children: inline(text, depth + 1) }) },
  { type: "struck", mark: /~~(?=\S)([^~\n]{1,2000})~~/uy, take: ([, text], depth) => ({ children: inline(text, depth + 1) }) },
  { type: "break", mark: /(?: {2,}|\\)?\n/uy, take: () => ({}) },
];
const SPECIAL = /[\\`[!<h*_~\n ]/gu;

/** The parts of a line, or of several. */
export const parseInline = (text) => inline(text, 0);

function inline(text, depth) {
  const parts = [];
  let plain = "";
  let at = 0;
  const flush = () => {
    if (plain) parts.push({ type: "text", text: plain });
    plain = "";
  };
  while (at < text.length) {
    SPECIAL.lastIndex = at;
    const place = SPECIAL.exec(text)?.index ?? text.length;
    plain += text.slice(at, place);
    at = place;
    if (at === text.length) break;
    const found = depth < DEEPEST ? partAt(text, at, depth) : null;
    if (found === null) {
      plain += text[at];
      at += 1;
    } else if (found.part.type === "text") {
      plain += found.part.text;
      at = found.end;
    } else {
      flush();
      parts.push(found.part);
      at = found.end;
    }
  }
  flush();
  return parts;
}

function partAt(text, at, depth) {
  for (const { type, mark, take } of INLINE) {
    mark.lastIndex = at;
    const found = mark.exec(text);
    if (found !== null) return { part: { type, ...take(found, depth) }, end: at + found[0].length };
  }
  return null;
}

/** The titles that a text links to with `[[Title]]`, each once. */
export const pagesIn = (text) => [...new Set([...text.matchAll(/\[\[([^[\]|\n]{1,300})(?:\|[^[\]\n]{1,300})?\]\]/gu)].map(([, page]) => page.trim()))];

/** A text without its marks, for a line in a list or a search. */
export function plainOf(text) {
  return text
    .replace(/^ {0,3}(?:#{1,6}\s+|>\s?|(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)/gmu, "")
    .replace(/^ {0,3}(?:`{3,}|~{3,}).*$/gmu, "")
    .replace(/!?\[([^\]\n]{0,300})\]\([^()\s]{1,2000}\)/gu, "$1")
    .replace(/\[\[([^[\]|\n]{1,300})(?:\|([^[\]\n]{1,300}))?\]\]/gu, (_, page, name) => name ?? page)
    .replace(/(\*\*|~~|`)/gu, "");
}
