/** Plans and numbers in a person's words and their own way of writing numbers. */

import { groupingsOf, keyOf } from "./groupings.js";

export const numberIn = (texts, value) =>
  new Intl.NumberFormat(texts.locale, { maximumFractionDigits: Math.abs(value) < 1 ? 4 : 2 }).format(value);

/** A value of a column: a number as people write it, anything else as it stands. */
export const valueIn = (texts, value) => (typeof value === "number" ? numberIn(texts, value) : String(value));

/** What is computed, such as “Sum of amount by region, where status is paid”. */
export function planIn(texts, { operation, column, groupBy, period, filter }) {
  const what = texts(operation === "count" ? "plan.countOf" : "plan.of", {
    operation: texts(`plan.operations.${operation}`),
    column,
  });
  const by = groupBy ? texts(period ? `plan.by.${period}` : "plan.by.value", { column: groupBy }) : "";
  return `${what}${by}${filter.column && filter.value ? texts("plan.where", { filter: filterIn(texts, filter) }) : ""}`;
}

/** What the groups of a plan are, such as a column, or its months. */
export const groupingIn = (texts, { groupBy, period }) => (period ? texts(`plan.periods.${period}`, { column: groupBy }) : groupBy);

/** Every grouping of a table by its key, to choose from. */
export const groupingChoices = (texts, table) =>
  Object.fromEntries([["", texts("plan.none")], ...groupingsOf(table).map((each) => [keyOf(each), groupingIn(texts, each)])]);

export const filterIn = (texts, { column, test, value }) => texts("filter.words", { column, test: texts(`filter.tests.${test}`), value });

/** From how many rows, and what was left out: a number without that says little. */
export function basisIn(texts, { used, leftOut, moreGroups, ignored = [] }) {
  const parts = [texts("answer.rows", { count: numberIn(texts, used) })];
  if (leftOut > 0) parts.push(texts("answer.leftOut", { count: numberIn(texts, leftOut) }));
  if (moreGroups > 0) parts.push(texts("answer.moreGroups", { count: numberIn(texts, moreGroups) }));
  if (ignored.length > 0) parts.push(ignoredIn(texts, ignored));
  return parts.join(" ");
}

/** Words of the question that the computation does not account for; said wherever the answer goes. */
export const ignoredIn = (texts, ignored) =>
  texts("answer.ignored", { words: ignored.map((word) => `“${word}”`).join(texts("answer.and")) });

/** An answer as text, for a file that somebody reads without this app. */
export function markdownOf(texts, { plan, groups, ...answer }, source) {
  const lines = groups.map(({ label, value }) => `| ${label || texts("answer.all")} | ${numberIn(texts, value)} |`);
  const heads = [groupingIn(texts, plan) || texts("answer.all"), texts(`plan.operations.${plan.operation}`)];
  const table = [`| ${heads.join(" | ")} |`, "| --- | ---: |", ...lines].join("\n");
  return `${planIn(texts, plan)}\n\n${table}\n\n${basisIn(texts, answer)} ${texts("answer.source", { name: source.name })}`;
}
