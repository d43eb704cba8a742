/**
 * The only place where answers get their numbers. A plan says what to compute; a person makes it with the form, or an
 * agent chooses it. Nobody else may supply a number.
 */

import { groupOf } from "./groupings.js";
import { rowsPassing } from "./rows.js";
import { columnNamed } from "./table.js";
import { largestOf, medianOf, smallestOf, sumOf } from "./values.js";

export const OPERATIONS = ["count", "sum", "mean", "median", "min", "max", "distinct"];
export const ORDERS = ["largest", "smallest", "natural"];
export const MAX_GROUPS = 20;

const ARITHMETIC = {
  sum: sumOf,
  mean: (values) => sumOf(values) / values.length,
  median: medianOf,
  min: smallestOf,
  max: largestOf,
};

export const emptyPlan = () => ({
  operation: "count",
  column: "",
  groupBy: "",
  /** The rows of a column of days by their `month` or `year`, or `""` for each day. */
  period: "",
  filter: { column: "", test: "is", value: "" },
  order: "largest",
});

/** The same plan by another grouping: months follow each other, anything else begins with the largest. */
export const regrouped = (plan, { groupBy, period }) => ({ ...plan, groupBy, period, order: period ? "natural" : plan.period ? "largest" : plan.order });

/** Why a plan cannot be computed: a word for it, or null where it can. */
export function faultIn(table, { operation, column: name }) {
  if (!OPERATIONS.includes(operation)) return "no_plan";
  if (operation === "count") return null;
  const column = columnNamed(table, name);
  if (!column) return "no_column";
  return operation in ARITHMETIC && column.type !== "number" ? "not_a_number" : null;
}

/**
 * Compute a plan over the rows that pass the filters of the person and the plan's own.
 * @returns {{groups: {label: string, value: number, rows: number}[], used: number, leftOut: number, moreGroups: number}}
 */
export function compute(table, plan, filters = []) {
  const rows = rowsPassing(table, [...filters, plan.filter]);
  const column = columnNamed(table, plan.column);
  const groups = [...groupsOf(table, rows, plan)]
    .map(([label, members]) => ({ label, ...valueOf(column, members, plan.operation) }))
    .filter(({ value }) => value !== null);
  const ordered = inOrder(groups, plan);
  // Of a long row of months the latest are what is asked for.
  const shown = plan.period && plan.order === "natural" ? ordered.slice(-MAX_GROUPS) : ordered.slice(0, MAX_GROUPS);
  return {
    groups: shown.map(({ label, value, rows: used }) => ({ label, value, rows: used })),
    used: sumOf(groups.map((group) => group.rows)),
    leftOut: sumOf(groups.map((group) => group.leftOut)),
    moreGroups: Math.max(0, ordered.length - MAX_GROUPS),
  };
}

function groupsOf(table, rows, { groupBy, period }) {
  const column = columnNamed(table, groupBy);
  const groups = new Map();
  for (const row of rows) {
    const label = groupOf(column, row, period);
    if (!groups.has(label)) groups.set(label, []);
    groups.get(label).push(row);
  }
  return groups;
}

function valueOf(column, rows, operation) {
  if (operation === "count") return { value: rows.length, rows: rows.length, leftOut: 0 };
  const values = rows.map((row) => column.values[row]).filter((value) => value !== null);
  const facts = { rows: values.length, leftOut: rows.length - values.length };
  if (operation === "distinct") return { value: new Set(values).size, ...facts };
  return { value: values.length === 0 ? null : ARITHMETIC[operation](values), ...facts };
}

function inOrder(groups, { order }) {
  if (order === "natural") return groups.toSorted((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }));
  const sign = order === "smallest" ? 1 : -1;
  return groups.toSorted((a, b) => sign * (a.value - b.value));
}
