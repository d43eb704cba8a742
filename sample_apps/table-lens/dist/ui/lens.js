/**
 * The lens: which table is open, which rows are looked at, what was asked and what came out. No element and no text of
 * the page is known here, so all of it can be tried against the SDK's mock host.
 */

import { choosePlan } from "./shared/table/asking.js";
import { hasAbleModel, isNoModel, isUngrounded, noModelHint } from "./shared/models.js";
import { patiently } from "./shared/patience.js";
import { compute, emptyPlan, faultIn } from "./shared/table/compute.js";
import { missesWhich, planFromWords } from "./shared/table/keywords.js";
import { profileOf } from "./profile.js";
import { readFile, readText } from "./shared/table/reading.js";
import { rowsPassing, sorted } from "./shared/table/rows.js";
import { columnsOf, tableOf } from "./shared/table/table.js";

const LAST = "last-table";
export const TOPIC = "table-lens.opened";
/** How a task ends whose model gave nothing of the form that was asked for. */
const NO_CHOICE = "error_max_structured_output_retries";
const ACCEPTED = [".csv", ".tsv", ".xlsx"];
/** The media type of a file whose ending nobody knows: a product's own kind. It is read as text. */
const UNKNOWN = "application/octet-stream";

export class Lens {
  table = null;
  /** The file behind the table, and the sheets of a workbook. */
  file = null;
  sheets = [];
  sheet = 0;
  profiles = [];
  filters = [];
  sort = { column: "", descending: false };
  /** The numbers of the rows to show, in order. */
  rows = [];
  /** What stands in the question box, asked or not. */
  typed = "";
  plan = emptyPlan();
  /** What was computed, of which plan, and for which question (none where the person made the plan); or null. */
  answer = null;
  /** Whether the first look at what was open last is over: before that nobody knows whether there is a table. */
  isLoaded = false;
  /** What is going on: `{ step, share? }`, or null. */
  busy = null;
  /** What went wrong, at which step and how to try again, or null. */
  problem = null;
  /** Whether a picture was just saved. */
  isSaved = false;

  #lime;
  #changed;
  #stop = null;

  /** @param changed hears that something is to be shown anew */
  constructor(lime, changed = () => {}) {
    this.#lime = lime;
    this.#changed = changed;
  }

  /** Let the person choose a file; choosing is the grant. */
  async pick() {
    await this.#work("open", async (signal) => {
      const { files = [] } = await this.#lime.files.pick({ accept: ACCEPTED, persist: true }, { signal });
      if (files.length === 0) return;
      await this.#open(files[0], 0, signal);
      await this.#remember(files[0]);
    });
  }

  /** Open what the person dropped on the page: a reference where the host gives one, its bytes otherwise. */
  async openDropped(file) {
    await this.#work("open", async (signal) => {
      const { files } = await this.#lime.files.takeDropped({ persist: true });
      const first = files.find(({ isFolder }) => !isFolder);
      if (!isTable(first ?? file)) throw notATable();
      if (first) {
        await this.#open(first, 0, signal);
        await this.#remember(first);
      } else await this.#show(await readText(file.name, new Uint8Array(await file.arrayBuffer())), null, 0, signal);
    });
  }

  /** Open what the person opened with this app from outside, now and later; of several files the first. */
  async followOpened() {
    for await (const { files } of this.#lime.files.opened({ persist: true })) {
      await this.#work("open", async (signal) => {
        if (!isTable(files[0]) && files[0].mediaType !== UNKNOWN) throw notATable();
        await this.#open(files[0], 0, signal);
        await this.#remember(files[0]);
      });
    }
  }

  /** Open what was open last, where its file is still there. */
  async openLast() {
    await this.#work("open", async (signal) => {
      const last = await patiently(() => this.#lime.storage.get({ key: LAST }), { signal });
      const held = last && (await this.#lime.files.listRefs()).find(({ ref }) => ref === last.ref);
      if (held) await this.#open(held, 0, signal);
    }, () => this.openLast());
    this.isLoaded = true;
    this.#changed();
  }

  async #remember({ ref, name }) {
    await this.#lime.storage.set({ key: LAST, value: { ref, name } });
    await this.#lime.events.emit({ topic: TOPIC, payload: { name } });
  }

  async openSample(name, bytes) {
    await this.#work("open", async (signal) => this.#show(await readText(name, bytes), null, 0, signal));
  }

  async openSheet(sheet) {
    await this.#work("open", (signal) => this.#open(this.file, sheet, signal));
  }

  setFilters(filters) {
    this.filters = filters;
    this.#look();
  }

  sortBy(column) {
    const descending = this.sort.column === column && !this.sort.descending;
    this.sort = { column, descending };
    this.#look();
  }

  /** Take a plan that the person made with the form, and compute it. */
  computePlan(plan) {
    this.plan = plan;
    // What went wrong before is no news beside an answer.
    this.problem = null;
    this.#compute({ question: "", readBy: "hand" });
  }

  /**
   * Have the agent choose a plan; the numbers are computed here. With no able model, or one that chooses nothing that can
   * be computed, the words themselves are read.
   */
  async ask(question) {
    await this.#work("ask", async (signal) => {
      this.#report({ step: "ask", question });
      const chosen = await this.#choose(question, signal);
      if (chosen === null) return this.#askByWords(question);
      if (chosen.failure) return this.#askInstead(question, chosen.failure);
      const plan = { ...emptyPlan(), ...chosen.plan };
      // Who chose nothing may be right: only words that account for the whole question know better.
      const isBeside = missesWhich(this.table, question, plan);
      if ((isBeside || faultIn(this.table, plan)) && this.#readWords(question, "instead", { isWhole: true })) return;
      // A total over all of them in large letters would look like the answer.
      if (isBeside && !faultIn(this.table, plan)) return this.#refuse("no_which");
      this.plan = plan;
      this.#compute({ question, taskId: chosen.taskId, readBy: "model" });
    }, () => this.ask(question));
  }

  /** Says that nobody would choose, for as long as that is so. */
  modelHint(text) {
    return noModelHint(this.#lime, text);
  }

  /** The plan that the agent chose, or why it is none; null where nobody able would choose. */
  async #choose(question, signal) {
    if (!hasAbleModel(this.#lime)) return null;
    try {
      return await choosePlan(this.#lime, this.table, question, { signal });
    } catch (error) {
      if (isNoModel(error)) return null;
      if (isUngrounded(error) || error.code === NO_CHOICE) return { failure: error };
      throw error;
    }
  }

  #askByWords(question) {
    if (!this.#readWords(question, "words")) this.#refuse("no_words");
  }

  #refuse(fault) {
    this.answer = { fault };
    this.#changed();
  }

  #askInstead(question, failure) {
    if (!this.#readWords(question, "instead")) throw failure;
  }

  /** Compute what the words of a question say, and whether they say enough. */
  #readWords(question, readBy, { isWhole = false } = {}) {
    const read = planFromWords(this.table, question);
    if (read === null || (isWhole && read.ignored.length > 0)) return false;
    this.plan = read.plan;
    this.#compute({ question, readBy, ignored: read.ignored });
    return true;
  }

  /**
   * Keep an answer with its source, as an artifact that others can be shown.
   * @param {{svg?: string, png?: string}} [picture] what it looks like, for whoever wants a picture of it
   */
  async keep(title, markdown, picture = {}) {
    await this.#work("keep", () => this.#keep(title, markdown, picture));
  }

  /** Save a picture of the answer where the person says; the answer is kept with it. */
  async savePicture(title, markdown, picture, format) {
    await this.#work("keep", async () => {
      if (!this.answer.artifactId) await this.#keep(title, markdown, picture);
      const { ref, fileName } = await this.#lime.artifacts.export({ artifactId: this.answer.artifactId, format });
      try {
        await this.#lime.ui.download({ ref, fileName }, { operation: "save_picture" });
        this.isSaved = true;
      } catch (error) {
        // Closing the chooser is a choice too.
        if (error.code !== "cancelled") throw error;
      }
    });
  }

  async #keep(title, markdown, picture) {
    // `rows`, `markdown`, `svg` and `png` are what the host's exporters look for.
    const content = { ...this.answer, ...picture, source: this.source, markdown, rows: this.answer.groups };
    const report = { kind: "table-report", title, content };
    const kept = await this.#lime.artifacts.create(report, { operation: "keep_report" });
    const message = `${title}: ${this.answer.used} / ${this.table.rowCount}`;
    const fact = { kind: "table-computed", message, subject: kept.id, sources: [this.source] };
    const { id } = await this.#lime.evidence.record(fact);
    await this.#lime.evidence.linkArtifact({ evidenceId: id, artifactId: kept.id });
    this.answer = { ...this.answer, artifactId: kept.id };
  }

  get source() {
    return { name: this.table.name, rows: this.table.rowCount, sheet: this.sheets[this.sheet] ?? null };
  }

  /** Stop what is going on. */
  stop() {
    this.#stop?.abort();
  }

  async #open(file, sheet, signal) {
    const onProgress = (share) => this.#report({ step: "open", share });
    await this.#show(await readFile(this.#lime, file, { onProgress, signal, sheet }), file, sheet, signal);
  }

  async #show(read, file, sheet, signal) {
    const columns = [];
    const profiles = [];
    const count = read.rows[0]?.length ?? 0;
    for (const column of columnsOf(read)) {
      columns.push(column);
      profiles.push(profileOf(column));
      this.#report({ step: "open", share: columns.length / count, column: column.name });
      await breath();
      signal.throwIfAborted();
    }
    const fresh = { filters: [], sort: { column: "", descending: false }, typed: "", plan: emptyPlan(), answer: null };
    Object.assign(this, fresh, { table: tableOf(read, columns), profiles, file, sheet, sheets: read.sheets });
    this.#look();
  }

  #look() {
    this.rows = sorted(this.table, rowsPassing(this.table, this.filters), this.sort);
    this.#changed();
  }

  #compute(how) {
    const fault = faultIn(this.table, this.plan);
    this.answer = fault
      ? { fault }
      : { plan: this.plan, filters: this.filters, ...how, ...compute(this.table, this.plan, this.filters) };
    this.#changed();
  }

  /** Something that takes a while: one at a time, shown while it lasts. */
  async #work(step, action, again = null) {
    if (this.busy !== null) return;
    this.#stop = new AbortController();
    this.problem = null;
    this.isSaved = false;
    this.#report({ step });
    try {
      await action(this.#stop.signal);
    } catch (error) {
      // What is not the host's or the agent's answer is a fault of this page, and must not look like one.
      if (!["LimeError", "TaskEnded", "AbortError"].includes(error.name)) throw error;
      this.problem = { step, error, again };
    } finally {
      this.#report(null);
    }
  }

  #report(busy) {
    this.busy = busy;
    this.#changed();
  }
}

const notATable = () => Object.assign(new Error("not a table"), { name: "LimeError", code: "schema_invalid" });

const isTable = (file) => ACCEPTED.some((ending) => file?.name.toLowerCase().endsWith(ending));

/** Let the page draw and hear a click before going on. */
const breath = () => new Promise((resolve) => setTimeout(resolve));
