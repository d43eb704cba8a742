/**
 * The desk: which folder is open, what came in, what is booked, which suppliers are known. No element of the page is known here,
 * so all of it can be tried against the SDK's mock host.
 */

import { fold } from "./reading/suppliers.js";
import { hasAbleModel, noModel } from "./shared/models.js";
import { patiently } from "./shared/patience.js";
import { askForMissing, missingIn } from "./work/asking.js";
import { Books } from "./work/books.js";
import { dayAndTimeIn, readIsScheduled, NEEDS_YOU, OPEN, runsById, standingOf, startBooking, WEEKLY } from "./work/booking.js";
import { exportBooked, listReports, readReport } from "./work/exporting.js";
import * as folders from "./work/folder.js";
import { isEmpty, isUnreadable, judge, judgeInvoice, textOf } from "./work/intake.js";

const EXPECTED = ["LimeError", "TaskEnded", "AbortError"];
const OVER = ["succeeded", "failed", "cancelled"];
const today = () => new Date().toLocaleDateString("sv");

export class Desk {
  /** Whether the first look is over: before that nobody knows what there is. */
  isLoaded = false;
  /** `{ ref, name }`, or null. */
  folder = null;
  /** The name of the folder that was open last and does not hold any more, or null. */
  lost = null;
  arrivals = [];
  runs = new Map();
  booked = [];
  suppliers = [];
  reports = [];
  /** Whether a person allowed that reports are written by themselves. */
  isScheduled = false;
  /** The report that is looked at, with its rows, or null. */
  report = null;
  /** `inbox`, `booked`, `suppliers` or `reports`. */
  view = "inbox";
  /** The id of the arrival that is looked at, or null. */
  selected = null;
  /** What is looked for among what is booked. */
  query = "";
  /** The supplier that is being written: its fields, or null. */
  writing = null;
  /** What is going on: `{ kind, done, all }`, or null. Kinds: `choose`, `read`, `ask`, `save`, `report`. */
  busy = null;
  /** What went wrong: `{ error, again }`, or null. */
  problem = null;
  /** What was just done: `{ kind, values, undo, gone }`, or null. */
  done = null;

  #lime;
  #texts;
  #changed;
  #books;
  #stop = null;

  /**
   * @param texts gives the texts of the moment, for what a person is asked by the host
   * @param changed hears which part to show anew: `top`, `main`, `detail`, `done`
   */
  constructor(lime, texts, changed = () => {}) {
    this.#lime = lime;
    this.#texts = texts;
    this.#changed = changed;
    this.#books = new Books(lime);
  }

  get hasModel() {
    return hasAbleModel(this.#lime);
  }

  standing = (arrival) => standingOf(arrival, this.runs, this.booked);

  /** What is shown of an arrival: what is booked of it, which a person may have changed, else what was read. */
  shownOf = (arrival) => (arrival.runId && this.booked.find(({ runId }) => runId === arrival.runId)) || arrival.invoice;

  /** How many arrivals a person has to look at. */
  get waiting() {
    return this.arrivals.filter((each) => NEEDS_YOU.includes(this.standing(each))).length;
  }

  /** Whether something goes on by itself that the page should follow. */
  get isMoving() {
    return this.arrivals.some((each) => this.standing(each) === "working");
  }

  async load() {
    await this.#attempt(async () => {
      const { folder, lost } = await patiently(() => folders.lastFolder(this.#lime));
      Object.assign(this, { folder, lost });
      await this.#read();
      this.isLoaded = true;
      this.#show("top", "main");
    }, () => this.load());
    if (this.folder !== null && this.problem === null) await this.lookAgain({ isAsked: false });
  }

  /** See how everything stands; cheap enough to be asked every few seconds. */
  async refresh() {
    if (!this.isLoaded || this.busy !== null) return;
    const before = this.#fingerprint();
    await this.#attempt(() => this.#read(), () => this.refresh());
    if (this.#fingerprint() !== before) this.#show("top", "main");
  }

  #fingerprint() {
    const runs = [...this.runs.values()].map(({ workflowRunId, status, waitsFor }) => [workflowRunId, status, waitsFor]);
    return JSON.stringify([this.arrivals, runs, this.booked, this.suppliers, this.reports.map(({ id }) => id), this.isScheduled]);
  }

  async #read() {
    const [arrivals, booked, suppliers, runs, reports, isScheduled] = await Promise.all([
      this.#books.arrivals(), this.#books.booked(), this.#books.suppliers(), runsById(this.#lime), listReports(this.#lime).catch(() => []), readIsScheduled(this.#lime).catch(() => false),
    ]);
    Object.assign(this, { arrivals, booked, suppliers, runs, reports, isScheduled });
    await this.#settle();
  }

  /** Remember that a run has ended: the host lists the newest ones alone. */
  async #settle() {
    for (const arrival of this.arrivals) {
      const run = this.runs.get(arrival.runId);
      if (arrival.isSettled || !OVER.includes(run?.status) || run.status === "failed") continue;
      arrival.isSettled = true;
      await this.#books.keepArrival(arrival);
    }
  }

  go(view) {
    Object.assign(this, { view, report: null, writing: null, problem: null });
    this.#show("top", "main");
  }

  select(id) {
    this.selected = id;
    this.#show("main", "detail");
  }

  search(query) {
    this.query = query;
    this.#show("main");
  }

  // The folder

  async choose() {
    await this.#work("choose", async ({ signal }) => {
      const chosen = await folders.chooseFolder(this.#lime, this.#texts()("folder.choose"), signal);
      if (chosen !== null) await this.#open(chosen);
    });
    if (this.folder !== null && this.problem === null) await this.lookAgain();
  }

  async openDropped() {
    await this.#attempt(async () => this.#open(await folders.takeDroppedFolder(this.#lime)));
    if (this.folder !== null && this.problem === null) await this.lookAgain();
  }

  async closeFolder() {
    const { folder } = this;
    await this.#attempt(async () => {
      await folders.rememberFolder(this.#lime, null);
      this.folder = null;
      this.#say("closed", { name: folder.name }, () => this.#attempt(() => this.#open(folder)), () => folders.releaseFolder(this.#lime, folder));
      this.#show("top", "main");
    });
  }

  async #open(folder) {
    const before = this.folder;
    await folders.rememberFolder(this.#lime, folder);
    Object.assign(this, { folder, lost: null, view: "inbox", problem: null });
    if (before !== null && before.ref !== folder.ref) await folders.releaseFolder(this.#lime, before);
    this.#show("top", "main");
  }

  // What comes in

  /**
   * Look for files that nobody has looked at yet, read them, and have each booked or asked about.
   * @param {{isAsked?: boolean}} [how] whether a person pressed for it, who then hears that there was nothing too
   */
  async lookAgain({ isAsked = true } = {}) {
    if (this.folder === null || this.busy !== null) return;
    await this.#work("read", async ({ signal }) => {
      const files = await folders.invoiceFiles(this.#lime, this.folder);
      await this.#read();
      const seen = new Set(this.arrivals.map(({ id }) => id));
      const fresh = files.filter((file) => !seen.has(folders.arrivalIdOf(file)));
      await this.#endUnstarted();
      for (const [index, file] of fresh.entries()) {
        signal.throwIfAborted();
        this.busy = { kind: "read", done: index, all: fresh.length };
        this.#show("top");
        await this.#takeIn(file);
      }
      await this.#read();
      if (fresh.length > 0) this.#sayRead(fresh.map(folders.arrivalIdOf));
      else if (isAsked) this.#say("nothingNew");
    }, () => this.lookAgain());
  }

  /** How many invoices came in; what says too little to be one is counted apart. */
  #sayRead(ids) {
    const fresh = this.arrivals.filter(({ id }) => ids.includes(id));
    const count = fresh.filter(({ invoice }) => invoice && !isEmpty(invoice)).length;
    const parts = [["done.invoices", count], ["done.others", fresh.length - count]].filter(([, each]) => each > 0);
    this.#say("read", { what: parts.map(([key, each]) => this.#texts()(key, { count: each })).join(this.#texts()("done.between")) });
  }

  /** What was written down and whose run was not begun, because the page went away between the two. */
  async #endUnstarted() {
    for (const arrival of this.arrivals) if (arrival.kind === "run" && arrival.runId === null) await this.#begin(arrival);
  }

  async #takeIn(file) {
    const arrival = { id: folders.arrivalIdOf(file), path: file.path, name: file.name, seenAt: new Date().toISOString(), round: 1, runId: null };
    let document;
    try {
      document = await textOf(this.#lime, this.folder, file);
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      await this.#keep({ ...arrival, kind: "unreadable", invoice: null, problems: [{ code: "unreadable", values: {} }] });
      return;
    }
    await this.#follow(arrival, judge(document, this.#known()));
  }

  async #follow(arrival, { kind, invoice, problems, of }) {
    const whole = { ...arrival, kind, invoice, problems, of: of && { supplier: of.supplier, number: of.number, file: of.file ?? of.name ?? "" }, runId: null, isSettled: false };
    await this.#keep(whole);
    if (kind === "run") await this.#begin(whole);
  }

  async #begin(arrival) {
    await this.#keep({ ...arrival, runId: await startBooking(this.#lime, arrival, this.#texts()) });
  }

  async #keep(arrival) {
    await this.#books.keepArrival(arrival);
    this.arrivals = [arrival, ...this.arrivals.filter(({ id }) => id !== arrival.id)].sort((one, other) => other.seenAt.localeCompare(one.seenAt));
    this.#show("main");
  }

  /** What a check needs to know; `but` is the arrival that is judged. */
  #known(but = null) {
    const underWay = this.arrivals.filter((each) => each.id !== but?.id && each.kind === "run" && OPEN.includes(this.standing(each)));
    const others = [...this.booked, ...underWay.map((each) => ({ ...each.invoice, file: each.name }))];
    return { suppliers: this.suppliers, others, today: today() };
  }

  /** Read a file again and check it by what is known now; a run that waits is ended, and another begins. */
  async checkAgain(id) {
    await this.#work("read", async () => {
      const arrival = this.arrivals.find((each) => each.id === id);
      const document = await textOf(this.#lime, this.folder, arrival);
      await this.#read();
      await this.#replace(arrival, judge(document, this.#known(arrival)));
    }, () => this.checkAgain(id));
  }

  /** Have a model look for what the rules did not find. A person decides on all of it. */
  async askModel(id) {
    await this.#work("ask", async (hooks) => {
      if (!this.hasModel) throw noModel();
      const arrival = this.arrivals.find((each) => each.id === id);
      const document = await textOf(this.#lime, this.folder, arrival);
      const invoice = await askForMissing(this.#lime, arrival.invoice, document.text, { ...hooks, title: arrival.name });
      const isNews = missingIn(invoice).length < missingIn(arrival.invoice).length;
      if (isNews) await this.#replace(arrival, judgeInvoice(invoice, document, this.#known(arrival)));
      else this.#say("modelFoundNothing");
    }, () => this.askModel(id));
  }

  async #replace(arrival, judged) {
    const run = this.runs.get(arrival.runId);
    if (run && !OVER.includes(run.status)) await this.#lime.workflow.cancel({ workflowRunId: run.workflowRunId });
    await this.#follow({ ...arrival, round: arrival.round + 1 }, judged);
    await this.#read();
  }

  /** Try again what failed in the run of an arrival. */
  async retry(id) {
    await this.#attempt(async () => {
      const { runId } = this.arrivals.find((each) => each.id === id);
      await this.#lime.workflow.retry({ workflowRunId: runId });
      await this.#read();
      this.#show("top", "main");
    }, () => this.retry(id));
  }

  /** Take an arrival off the list. Its file stays, and what is booked of it stays booked. */
  async dismiss(id) {
    await this.#attempt(async () => {
      const arrival = this.arrivals.find((each) => each.id === id);
      await this.#keep({ ...arrival, isHidden: true });
      if (this.selected === id) this.selected = null;
      const bringBack = () => this.#attempt(() => this.#keep({ ...arrival, isHidden: false }));
      this.#say("dismissed", { name: arrival.name }, bringBack);
      this.#show("top", "main");
    });
  }

  // The books

  async unbook(id) {
    await this.#attempt(async () => {
      const row = this.booked.find((each) => each.id === id);
      const taken = await this.#books.unbook(row);
      await this.#read();
      const bringBack = () => this.#attempt(async () => (await this.#books.rebook(taken), await this.#read(), this.#show("top", "main")));
      this.#say("unbooked", { number: row.number }, bringBack);
      this.#show("top", "main");
    });
  }

  async exportBooked(rows, format) {
    await this.#work("save", async () => {
      if (await exportBooked(this.#lime, rows, format, this.#texts()("booked.title"), this.#texts())) this.#say("exported", { count: rows.length });
    }, () => this.exportBooked(rows, format));
  }

  // Suppliers

  write(supplier) {
    this.writing = supplier;
    this.problem = null;
    this.#show("main");
  }

  async keepSupplier(supplier) {
    await this.#attempt(async () => {
      await this.#books.keepSupplier({ ...supplier, id: supplier.id || crypto.randomUUID() });
      this.writing = null;
      await this.#read();
      this.#say("supplierKept", { name: supplier.name });
      this.#show("top", "main");
    }, () => this.keepSupplier(supplier));
  }

  /** Take the supplier of an invoice into the table, as the invoice says it, and check again whatever waits because of that. */
  async learnSupplier(id) {
    const { invoice } = this.arrivals.find((each) => each.id === id);
    const isOf = (each) => NEEDS_YOU.includes(this.standing(each)) && fold(each.invoice?.supplier) === fold(invoice.supplier);
    const waiting = this.arrivals.filter(isOf).reverse();
    await this.keepSupplier({ id: "", name: invoice.supplier, alias: "", vatId: invoice.taxNumbers?.[0] ?? "", iban: invoice.iban ?? "", taxRate: null });
    for (const each of waiting) if (this.problem === null) await this.checkAgain(each.id);
  }

  async removeSupplier(id) {
    await this.#attempt(async () => {
      const supplier = this.suppliers.find((each) => each.id === id);
      await this.#books.removeSupplier(supplier);
      this.writing = null;
      await this.#read();
      const bringBack = () => this.#attempt(async () => (await this.#books.keepSupplier(supplier), await this.#read(), this.#show("main")));
      this.#say("supplierRemoved", { name: supplier.name }, bringBack);
      this.#show("top", "main");
    });
  }

  // Reports

  async openReport(artifactId) {
    await this.#attempt(async () => {
      const { createdAt } = this.reports.find(({ id }) => id === artifactId) ?? {};
      this.report = { id: artifactId, createdAt, ...(await readReport(this.#lime, artifactId)) };
      this.#show("main");
    }, () => this.openReport(artifactId));
  }

  async saveReport(format) {
    const { rows, madeAt } = this.report;
    const title = this.#texts()("reports.of", { when: dayAndTimeIn(this.#texts(), madeAt) });
    await this.#work("save", async () => {
      if (await exportBooked(this.#lime, rows, format, title, this.#texts())) this.#say("saved");
    }, () => this.saveReport(format));
  }

  /** Write a report now: the same workflow that the schedule starts. */
  async reportNow() {
    await this.#work("report", async ({ signal }) => {
      const { workflowRunId } = await this.#lime.workflow.start({ key: WEEKLY });
      const run = await this.#ended(workflowRunId, signal);
      await this.#read();
      if (run.status !== "succeeded") this.#say("reportWaits");
      else this.#say(run.output?.artifactId ? "reported" : "nothingToReport");
    }, () => this.reportNow());
  }

  async #ended(workflowRunId, signal) {
    for (;;) {
      const run = await this.#lime.workflow.get({ workflowRunId });
      if (OVER.includes(run.status) || run.status === "waiting") return run;
      await new Promise((resolve) => setTimeout(resolve, 200));
      signal.throwIfAborted();
    }
  }

  // What was done, and what went wrong

  undo() {
    const undo = this.done?.undo;
    if (!undo) return;
    this.done = null;
    this.#show("done");
    void undo();
  }

  /** Nobody wants it undone any more. */
  letGo() {
    const { gone } = this.done ?? {};
    this.done = null;
    gone?.();
  }

  stop() {
    this.#stop?.abort();
  }

  #say(kind, values = {}, undo = null, gone = () => {}) {
    this.letGo();
    this.done = { kind, values, undo, gone };
    this.#show("done");
  }

  async #work(kind, action, again = null) {
    if (this.busy !== null) return;
    const stop = new AbortController();
    this.#stop = stop;
    Object.assign(this, { busy: { kind }, problem: null });
    this.#show("top", "main");
    await this.#attempt(() => action({ signal: stop.signal }), again);
    this.busy = null;
    this.#show("top", "main");
  }

  async #attempt(action, again = null) {
    try {
      await action();
    } catch (error) {
      // What is not the host's or the agent's answer is a fault of this page, and must not look like one.
      if (!EXPECTED.includes(error.name)) throw error;
      this.problem = { error, again: error.retryable === false ? null : again };
      this.#show("top", "main");
    }
  }

  #show(...parts) {
    for (const part of new Set(parts)) this.#changed(part);
  }
}
