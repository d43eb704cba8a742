/** A table: columns with a type each, and rows to look at. Made once from text; nothing in it changes. */

import { dayIn, numberIn } from "./values.js";

/** A column is of a type when nearly all of its cells are; the others are counted and left out. */
const NEARLY_ALL = 0.9;
const READERS = { number: numberIn, day: dayIn };

/** @param {{name: string, rows: string[][], isTruncated: boolean}} read */
export function tableOf({ name, rows, isTruncated }) {
  const [header = [], ...body] = rows;
  const columns = namesOf(header).map((title, index) => columnOf(title, body, index));
  return { name, isTruncated, columns, rowCount: body.length };
}

/** A name for every column: none empty, none twice. */
function namesOf(header) {
  const seen = new Map();
  return header.map((cell, index) => {
    const name = cell.trim() || `#${index + 1}`;
    const count = (seen.get(name) ?? 0) + 1;
    seen.set(name, count);
    return count === 1 ? name : `${name} (${count})`;
  });
}

function columnOf(name, body, index) {
  const texts = body.map((row) => (row[index] ?? "").trim());
  const filled = texts.filter(Boolean).length;
  for (const [type, read] of Object.entries(READERS)) {
    const values = texts.map((text) => (text ? read(text) : null));
    const fitting = values.filter((value) => value !== null).length;
    if (filled > 0 && fitting >= filled * NEARLY_ALL) {
      return { name, type, texts, values, missing: texts.length - filled, unreadable: filled - fitting };
    }
  }
  const values = texts.map((text) => text || null);
  return { name, type: "text", texts, values, missing: texts.length - filled, unreadable: 0 };
}

export const columnNamed = (table, name) => table.columns.find((column) => column.name === name);
