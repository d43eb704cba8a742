/** What an editor does by itself while somebody types Markdown: lists go on, and chords make words bold or italic. */

const ITEM = /^(\s*)(?:([-*+])|(\d{1,9})([.)]))(\s+)(\[[ xX]\]\s+)?/u;

/** How a list goes on after a line: what the next one begins with, or `""` where the item was empty, which ends it. Pure. */
export function nextItem(line) {
  const found = ITEM.exec(line);
  if (found === null) return null;
  if (line.slice(found[0].length).trim() === "") return "";
  const [, indent, mark, number, sign, space, task] = found;
  return `${indent}${mark ?? `${Number(number) + 1}${sign}`}${space}${task ? "[ ] " : ""}`;
}

const MARKS = { b: "**", i: "*" };

/** @param {HTMLTextAreaElement} field */
export function helpTyping(field) {
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented) return;
    const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const mark = isCommand && MARKS[event.key.toLowerCase()];
    if (mark) wrap(field, mark);
    else if (event.key !== "Enter" || isCommand || event.shiftKey || !goOn(field)) return;
    event.preventDefault();
  });
}

/** As if it had been typed, so that the field's own undo takes it back. */
const insert = (text) => document.execCommand(text === "" ? "delete" : "insertText", false, text);

function goOn(field) {
  const { value, selectionStart: caret, selectionEnd } = field;
  if (caret !== selectionEnd) return false;
  const start = value.lastIndexOf("\n", caret - 1) + 1;
  const next = nextItem(value.slice(start, caret));
  if (next === null) return false;
  if (next === "") field.setSelectionRange(start, caret);
  insert(next === "" ? "" : `\n${next}`);
  return true;
}

function wrap(field, mark) {
  const { value, selectionStart, selectionEnd } = field;
  const chosen = value.slice(selectionStart, selectionEnd);
  insert(`${mark}${chosen}${mark}`);
  const caret = selectionStart + mark.length;
  field.setSelectionRange(caret, caret + chosen.length);
}
