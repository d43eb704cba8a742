/** Which rows, and in which order: filters and sorting give row numbers, the table stays as it is. */

import { columnNamed } from "./table.js";
import { dayIn, numberIn } from "./values.js";

export const TESTS = ["is", "is_not", "contains", "above", "below"];

/** The numbers of the rows that pass every filter. */
export function rowsPassing(table, filters) {
  const checks = filters.map((filter) => checkOf(table, filter)).filter(Boolean);
  const all = Array.from({ length: table.rowCount }, (_, row) => row);
  return checks.length === 0 ? all : all.filter((row) => checks.every((passes) => passes(row)));
}

/** The same rows in the order of a column; empty cells come last either way. */
export function sorted(table, rows, { column: name, descending = false }) {
  const column = columnNamed(table, name);
  if (!column) return rows;
  const sign = descending ? -1 : 1;
  const compare = column.type === "number" ? (a, b) => a - b : (a, b) => (a < b ? -1 : a > b ? 1 : 0);
  const rank = (row) => (column.values[row] === null ? 1 : 0);
  return rows.toSorted(
    (a, b) => rank(a) - rank(b) || (rank(a) ? 0 : sign * compare(column.values[a], column.values[b])),
  );
}

/** A filter as a question about a row; one that names no column asks nothing. */
function checkOf(table, { column: name, test, value }) {
  const column = columnNamed(table, name);
  const wanted = value?.trim() ?? "";
  if (!column || wanted === "") return null;
  const sameAs = (row) => column.texts[row].toLowerCase() === wanted.toLowerCase() || isEqual(column, row, wanted);
  switch (test) {
    case "is":
      return sameAs;
    case "is_not":
      return (row) => !sameAs(row);
    case "contains":
      return (row) => column.texts[row].toLowerCase().includes(wanted.toLowerCase());
    default:
      return comparison(column, test, wanted);
  }
}

const readAs = ({ type }, text) => (type === "number" ? numberIn(text) : type === "day" ? dayIn(text) : text);

/** `1,000` and `1000` are the same number, `2026-5-3` and `2026-05-03` the same day. */
function isEqual(column, row, wanted) {
  const value = readAs(column, wanted);
  return value !== null && column.values[row] === value;
}

function comparison(column, test, wanted) {
  const value = readAs(column, wanted);
  if (value === null) return () => false;
  const isThere = (row) => column.values[row] !== null;
  return test === "above"
    ? (row) => isThere(row) && column.values[row] > value
    : (row) => isThere(row) && column.values[row] < value;
}
