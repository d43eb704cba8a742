/**
 * A figure for a question: one table of the folder, and a computation over it. Rules read the words of the question; where
 * they leave words out that is said, and a person can have a model choose, or choose themselves. Numbers are always computed.
 */

import { wordsIn } from "../shared/highlight.js";
import { choosePlan } from "../shared/table/asking.js";
import { compute, emptyPlan, faultIn } from "../shared/table/compute.js";
import { planFromWords } from "../shared/table/keywords.js";
import { readFile } from "../shared/table/reading.js";
import { tableOf } from "../shared/table/table.js";

const MOST_TABLES = 12;
const MOST_BYTES = 8_000_000;
const MOST_VALUES = 300;
const CHART = /\b(?:chart|graph|plot|diagram|figure)\b|图表|图|画/iu;

export class Tables {
  #lime;
  #read = new Map();

  constructor(lime) {
    this.#lime = lime;
  }

  /** The table in a file, read once for each state of the file; null for one that cannot be read or is too long to chart. */
  async of({ ref }, { path, name, modifiedAt, sizeBytes }, signal) {
    if (sizeBytes > MOST_BYTES) return null;
    const key = `${ref} ${path} ${modifiedAt}`;
    if (!this.#read.has(key)) this.#read.set(key, await this.#readTable({ ref, path, name }, signal));
    return this.#read.get(key);
  }

  async #readTable(file, signal) {
    try {
      const read = await readFile(this.#lime, file, { signal });
      const table = read.rows.length > 1 ? tableOf(read) : null;
      return table && { ...table, path: file.path };
    } catch (error) {
      // One file that is no table must not keep the others from being looked at.
      if (error.name !== "LimeError") throw error;
      return null;
    }
  }

  /** The figure that the words of a question ask for, or null where they ask for none. */
  async figureFor(folder, files, question, signal) {
    const found = [];
    for (const file of files.filter(({ kind }) => kind === "table").slice(0, MOST_TABLES)) {
      const table = await this.of(folder, file, signal);
      const read = table && readBy(table, question);
      if (read) found.push({ table, ...read });
    }
    const [best] = found.sort((one, other) => one.ignored.length - other.ignored.length || other.fit - one.fit);
    return best ? figureOf(best.table, best.plan, { readBy: "words", ignored: best.ignored, question }) : null;
  }

  /** The same with a computation that a model chooses. */
  async chosenBy(figure, question, hooks) {
    const { plan } = await choosePlan(this.#lime, figure.table, question, hooks);
    return figureOf(figure.table, { ...emptyPlan(), ...plan }, { readBy: "model", ignored: [], question });
  }
}

/** A plan that the words of a question give for a table that they speak of. Pure. */
function readBy(table, question) {
  const wish = planFromWords(table, question) ?? (CHART.test(question) ? planFromWords(table, `total ${question}`) : null);
  // Who asks for months speaks of a table that has days.
  const fit = fitOf(table, question) + (wish?.plan.period ? 1 : 0);
  if (wish === null || fit === 0) return null;
  return { plan: wish.plan, ignored: wish.ignored.filter((word) => !CHART.test(word)), fit };
}

/** How many words of a question the table knows: of its name, its columns, or the values in them. */
function fitOf(table, question) {
  const known = [table.name.replace(/\.[^.]+$/u, "")];
  for (const { name, type, texts } of table.columns) {
    const values = type === "text" ? new Set(texts) : new Set();
    known.push(name, ...(values.size <= MOST_VALUES ? values : []));
  }
  const all = known.join(" ").toLowerCase();
  return wordsIn(question).filter((word) => all.includes(word.replace(/s$/u, ""))).length;
}

/** A plan with what it gives. Pure. */
export function figureOf(table, plan, how) {
  const fault = faultIn(table, plan);
  return { table, plan, ...how, ...(fault ? { fault, groups: [] } : compute(table, plan)) };
}

/** A first figure of a table that nobody asked anything about: its first numbers for each of its first words. Pure. */
export function firstFigure(table) {
  const number = table.columns.find(({ type }) => type === "number");
  const words = table.columns.find(({ type }) => type === "text") ?? table.columns.find(({ type }) => type !== "number");
  const plan = { ...emptyPlan(), operation: number ? "sum" : "count", column: number?.name ?? "", groupBy: words?.name ?? "" };
  return figureOf(table, plan, { readBy: "hand", ignored: [], question: "" });
}
