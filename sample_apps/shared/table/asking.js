/**
 * A question in words becomes a plan, and a plan is all that the agent may choose: its output has a schema of the table's
 * own columns, so it can name nothing else, and there is no field in which it could put a number of its own.
 */

import { runTask } from "../tasks.js";
import { OPERATIONS, ORDERS } from "./compute.js";
import { groupingNamed, groupingsOf, keyOf } from "./groupings.js";
import { TESTS } from "./rows.js";

const EXAMPLES = 3;
const NONE = "none";

export function schemaFor(table) {
  const names = [...table.columns.map(({ name }) => name), NONE];
  const properties = {
    operation: { enum: [...OPERATIONS, NONE] },
    column: { enum: names },
    groupBy: { enum: [...new Set(groupingsOf(table).map(keyOf)), NONE] },
    filterColumn: { enum: names },
    filterTest: { enum: TESTS },
    filterValue: { type: "string", maxLength: 80 },
    order: { enum: ORDERS },
  };
  return { type: "object", additionalProperties: false, required: Object.keys(properties), properties };
}

/** The task: short for small models, and the table itself stays here. */
export function taskFor(table, question) {
  const columns = table.columns.map(({ name, type, texts }) => ({ name, type, examples: examplesOf(texts) }));
  return {
    taskKind: "choose-computation",
    title: question,
    prompt:
      "Choose the one computation over a table that answers the question. Do not compute anything yourself. " +
      'Use "none" for what is not needed, and operation "none" if no computation answers it.',
    input: { question, columns },
    expectedOutput: { outputFormat: { type: "json_schema", schema: schemaFor(table) } },
  };
}

const examplesOf = (texts) => [...new Set(texts.filter(Boolean))].slice(0, EXAMPLES);

/** Have the agent choose. Aborting the signal cancels its task. */
export async function choosePlan(lime, table, question, { signal } = {}) {
  const { output, taskId } = await runTask(lime, taskFor(table, question), { signal });
  return { plan: planIn(table, output), taskId };
}

function planIn(table, { operation, column, groupBy, filterColumn, filterTest, filterValue, order }) {
  const named = (name) => (name === NONE ? "" : name);
  return {
    operation,
    column: named(column),
    ...groupingNamed(table, named(groupBy)),
    filter: { column: named(filterColumn), test: filterTest, value: filterValue },
    order,
  };
}
