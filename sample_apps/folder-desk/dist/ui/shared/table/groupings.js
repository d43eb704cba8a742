/** What the rows of a table can be grouped by: a column, or the months or years of one that holds days. Pure. */

import { columnNamed } from "./table.js";

/** How much of a day such as `2026-05-03` names its period. */
const LENGTHS = { month: 7, year: 4 };
export const PERIODS = Object.keys(LENGTHS);

/** @returns {{groupBy: string, period: string}[]} */
export const groupingsOf = (table) =>
  table.columns.flatMap(({ name, type }) => ["", ...(type === "day" ? PERIODS : [])].map((period) => ({ groupBy: name, period })));

/** One name for a grouping, for a list to choose from. */
export const keyOf = ({ groupBy, period }) => (period ? `${groupBy} by ${period}` : groupBy);

/** The grouping of a name; a column that is called like the months of another is the column. */
export function groupingNamed(table, key) {
  if (columnNamed(table, key)) return { groupBy: key, period: "" };
  return groupingsOf(table).find((each) => keyOf(each) === key) ?? { groupBy: "", period: "" };
}

/** The group that a row belongs to; a cell that holds no day, where days are asked for, belongs to none. */
export function groupOf(column, row, period) {
  const value = String(column?.values[row] ?? "");
  return period && column?.type === "day" ? value.slice(0, LENGTHS[period]) : value;
}
