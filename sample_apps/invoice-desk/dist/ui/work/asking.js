/**
 * What the rules did not find, asked of a model: only that, only when the person presses, and marked as such. What a rule
 * found is never asked about, and what the model says is used only where the text holds it.
 */

import { amountsIn } from "../reading/amounts.js";
import { dayIn } from "../reading/days.js";
import { FIELDS } from "../reading/invoice.js";
import { fold } from "../reading/suppliers.js";
import { runTask } from "../shared/tasks.js";

const LONGEST_TEXT = 6_000;
const AMOUNTS = ["net", "tax", "gross"];

/** The fields that are empty. */
export const missingIn = (invoice) => FIELDS.filter((name) => [null, undefined, ""].includes(invoice[name]));

/** @returns the invoice with what was found, and `byModel` naming it */
export async function askForMissing(lime, invoice, text, { title, ...hooks }) {
  const missing = missingIn(invoice);
  const { output } = await runTask(lime, taskFor(missing, text, title), hooks);
  const found = missing.map((name) => [name, readAs(name, output?.[name], text)]).filter(([, value]) => value !== null);
  const byModel = [...new Set([...(invoice.byModel ?? []), ...found.map(([name]) => name)])];
  return { ...invoice, ...Object.fromEntries(found), byModel };
}

function taskFor(missing, text, title) {
  const properties = Object.fromEntries(missing.map((name) => [name, { type: "string", maxLength: 120 }]));
  return {
    taskKind: "read-invoice",
    title,
    prompt: "Copy these fields out of the invoice, letter for letter. Write an empty text for what does not stand there. Do not compute anything.",
    input: { fields: missing, text: text.slice(0, LONGEST_TEXT) },
    expectedOutput: { outputFormat: { type: "json_schema", schema: { type: "object", additionalProperties: false, required: missing, properties } } },
  };
}

/** A value of the field's own kind that stands in the text; null where it is none. */
function readAs(name, said, text) {
  if (typeof said !== "string" || said.trim() === "") return null;
  if (AMOUNTS.includes(name)) return amountIn(said, text);
  if (name === "date" || name === "due") return dayStandingIn(said, text);
  if (name === "currency") return /^[A-Z]{3}$/.test(said.trim()) ? said.trim() : null;
  return fold(text).includes(fold(said)) ? said.trim() : null;
}

function amountIn(said, text) {
  const [amount] = amountsIn(said);
  return amount !== undefined && text.split(/\r?\n/).some((line) => amountsIn(line).includes(amount)) ? amount : null;
}

function dayStandingIn(said, text) {
  const day = dayIn(said)?.day ?? null;
  return day !== null && text.split(/\r?\n/).some((line) => dayIn(line)?.day === day) ? day : null;
}
