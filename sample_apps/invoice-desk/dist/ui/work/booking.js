/** The runs that book: one for each invoice, begun once however often it is asked for, and led on by the host. */

import { FIELDS } from "../reading/invoice.js";

export const BOOK = "book";
export const WEEKLY = "weekly";
const MOST_RUNS = 1_000;

/** What a run is given; a person sees and changes exactly this. */
export function contentOf(invoice, file, problems) {
  const fields = Object.fromEntries(FIELDS.map((name) => [name, invoice[name] ?? (isAmount(name) ? null : "")]));
  return { problems, ...fields, file };
}

const isAmount = (name) => ["net", "tax", "gross"].includes(name);

/** Have an invoice booked: by itself where every check holds, else once a person decided. */
export async function startBooking(lime, arrival, texts) {
  const problems = arrival.problems.map((problem) => inWords(problem, texts)).join("\n");
  const input = { needsPerson: arrival.problems.length > 0, invoice: contentOf(arrival.invoice, arrival.path, problems), words: { again: texts("review.again") } };
  const { workflowRunId } = await lime.workflow.start({ key: BOOK, input, idempotencyKey: `${arrival.id}#${arrival.round}` });
  return workflowRunId;
}

/** A problem as a person reads it. */
export function inWords({ code, values }, texts) {
  const shown = Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [name, name === "field" ? texts(`fields.${value}`) : shownValue(value, texts)]));
  return texts(`problems.${code}`, shown);
}

const shownValue = (value, texts) => (typeof value === "number" ? moneyIn(texts, value) : value);

export const moneyIn = (texts, amount) => (Number.isFinite(amount) ? amount.toLocaleString(texts.locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 }) : "");

/** A moment that says its day too, however near it is. */
export const dayAndTimeIn = (texts, moment) => new Date(moment).toLocaleString(texts.locale, { dateStyle: "medium", timeStyle: "short" });

/** Whether the schedule of the weekly report is allowed, and not paused. */
export const readIsScheduled = async (lime) => (await lime.workflow.listSchedules()).some(({ workflowKey, state }) => workflowKey === WEEKLY && state === "on");

/** The newest runs, by their ids. */
export async function runsById(lime) {
  const runs = await lime.workflow.list({ key: BOOK, limit: MOST_RUNS });
  return new Map(runs.map((run) => [run.workflowRunId, run]));
}

/**
 * How an arrival stands.
 * @returns {"duplicate" | "unreadable" | "booked" | "waiting" | "asked" | "working" | "paused" | "rejected" | "failed" | "removed"}
 */
export function standingOf(arrival, runs, booked) {
  if (arrival.kind !== "run") return arrival.kind;
  if (booked.some(({ runId }) => runId === arrival.runId)) return "booked";
  const run = runs.get(arrival.runId);
  // Longer ago than the host lists.
  if (run === undefined) return arrival.isSettled ? "removed" : "working";
  if (run.status === "waiting") return { review: "waiting", approval: "asked", retry: "failed" }[run.waitsFor] ?? "working";
  return { succeeded: "removed", cancelled: "rejected", failed: "failed", paused: "paused" }[run.status] ?? "working";
}

/** Those that somebody has to look at. */
export const NEEDS_YOU = ["waiting", "asked", "failed", "paused"];
/** Those that may still be booked. */
export const OPEN = [...NEEDS_YOU, "working"];
