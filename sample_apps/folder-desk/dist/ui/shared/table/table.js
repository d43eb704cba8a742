/** A table: columns with a type each, and rows to look at. Made once from text; nothing in it changes. */

import { dayIn, numberIn } from "./values.js";

/** A column is of a type when nearly all of its cells are; the others are counted and left out. */
const NEARLY_ALL = 0.9;
const LOOSELY = 0.5;
const FIRST_LOOK = 200;
const READERS = { number: numberIn, day: dayIn };

/** @param {{name: string, rows: string[][], isTruncated: boolean}} read */
export const tableOf = (read, columns = [...columnsOf(read)]) => ({
  name: read.name,
  isTruncated: read.isTruncated,
  columns,
  rowCount: Math.max(0, read.rows.length - 1),
});

/** One column after the other: each takes a while in a long table, and the page has to breathe in between. */
export function* columnsOf({ rows }) {
  const [header = [], ...body] = rows;
  for (const [index, name] of namesOf(header).entries()) yield columnOf(name, body, index);
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
  const filled = texts.filter(Boolean);
  const missing = texts.length - filled.length;
  for (const [type, read] of Object.entries(READERS)) {
    // A look at the first cells spares most columns the whole reading.
    if (!isNearlyAll(filled.slice(0, FIRST_LOOK), read, LOOSELY)) continue;
    const values = texts.map((text) => (text ? read(text) : null));
    const fitting = values.filter((value) => value !== null).length;
    if (fitting >= filled.length * NEARLY_ALL) {
      return { name, type, texts, values, missing, unreadable: filled.length - fitting };
    }
  }
  return { name, type: "text", texts, values: texts.map((text) => text || null), missing, unreadable: 0 };
}

const isNearlyAll = (cells, read, share) =>
  cells.length > 0 && cells.filter((text) => read(text) !== null).length >= cells.length * share;

export const columnNamed = (table, name) => table.columns.find((column) => column.name === name);
