/**
 * The desk: which folder is open and how far it is read, what was asked and found, which document is looked at, which draft is
 * worked on. No element of the page is known here, so all of it can be tried against the SDK's mock host.
 */

import { Autosave } from "./shared/autosave.js";
import { hasAbleModel, isDemoModel, isNoModel, isUngrounded, noModel } from "./shared/models.js";
import { patiently } from "./shared/patience.js";
import { answer, findSources, renumbered, shownSources } from "./work/asking.js";
import { askForDecision, Drafts } from "./work/drafts.js";
import { figureOf, firstFigure, Tables } from "./work/figures.js";
import * as folders from "./work/folder.js";
import { placeIn, rowsIn } from "./work/place.js";
import { assembled, proposeChange, titleOf, writeDraft } from "./work/writing.js";

const EXPECTED = ["LimeError", "TaskEnded", "AbortError"];
const PATIENCE = { timeoutMs: 90_000 };

export class Desk {
  /** Whether the first look is over: before that nobody knows whether there is a folder. */
  isLoaded = false;
  /** `{ ref, name }`, or null. */
  folder = null;
  /** The folder that was open last and is not any more: `{ name, why }`, or null. */
  lost = null;
  files = [];
  /** How many files of other kinds lie there. */
  others = 0;
  /** How far the folder is read: `{ left, unread, isDone }`. */
  reading = { left: 0, unread: 0, isDone: true };
  /** What stands in the question box, asked or not. */
  typed = "";
  /** The last question: `{ question, sources, text, unread, unanswered, isDemo, taskId }`, or null. */
  asked = null;
  /** Passages, by id, that go into a draft. */
  chosen = new Set();
  /** What was computed over a table, or null. */
  figure = null;
  /** The document that is looked at: `{ path, name, kind, sections, rows, place, cited }`, or null. */
  document = null;
  drafts = [];
  /** The draft in the editor, or null. */
  draft = null;
  /** What is going on: `{ kind, text, isAsked, isWaiting }`, or null. `isAsked`: a model was, and has not answered. Kinds: `choose`, `answer`, `figure`, `write`, `revise`, `decide`, `save`. */
  busy = null;
  /** What went wrong: `{ place, error, again }`, or null. Places: `folder`, `ask`, `document`, `draft`. */
  problem = null;
  /** What was just done: `{ kind, values, undo, gone }`, for as long as it can be undone, or null. */
  done = null;

  #lime;
  #texts;
  #changed;
  #tables;
  #rows;
  #autosave;
  #stop = null;
  #working = Promise.resolve();
  #following = null;
  #turns = 0;

  /**
   * @param texts gives the texts of the moment, for what is written into drafts and prompts
   * @param changed hears which part to show anew: `files`, `reading`, `main`, `answer`, `document`, `saving`, `done`
   */
  constructor(lime, texts, changed = () => {}) {
    this.#lime = lime;
    this.#texts = texts;
    this.#changed = changed;
    this.#tables = new Tables(lime);
    this.#rows = new Drafts(lime);
    this.#autosave = new Autosave(
      () => this.#saveDraft(),
      (_, error) => (error !== undefined && this.#tell("draft", error, () => this.flush()), this.#changed("saving")),
    );
  }

  get saving() {
    return this.#autosave.state;
  }

  get hasModel() {
    return hasAbleModel(this.#lime);
  }

  /** The passages to show, with their numbers. */
  get sources() {
    return this.asked?.sources ? shownSources(this.asked.text, this.asked.sources) : [];
  }

  async load() {
    await this.#attempt("folder", async () => {
      const { folder, lost } = await patiently(() => folders.lastFolder(this.#lime));
      Object.assign(this, { folder, lost, drafts: await this.#rows.all(), isLoaded: true });
      // Nobody has looked yet whether all of it is read.
      this.reading = { left: 0, unread: 0, isDone: folder === null };
      this.#show("files", "main");
      if (folder !== null) await this.#look();
    }, () => this.load());
  }

  // The folder

  async choose() {
    await this.#work("choose", "folder", null, async ({ signal }) => {
      const chosen = await folders.chooseFolder(this.#lime, this.#texts()("folder.choose"), signal);
      if (chosen !== null) await this.#open(chosen);
    });
  }

  async openDropped() {
    await this.#attempt("folder", async () => {
      const folder = await folders.takeDroppedFolder(this.#lime);
      await this.#endWork();
      await this.#open(folder);
    });
  }

  /** Stop reading; the folder is closed, and the one before is open again. */
  async stopReading() {
    const { folder, before } = this.#following ?? {};
    this.#following?.stop.abort();
    this.#following = null;
    await this.#attempt("folder", async () => {
      await this.#endWork();
      await this.#close();
      if (before) await this.#open(before);
      this.#offerFolder("stopped", folder);
    });
  }

  /** Close the folder; its files stay as they are, and it comes back by Undo. */
  async closeFolder() {
    const folder = this.folder;
    await this.#attempt("folder", async () => {
      this.#following?.stop.abort();
      await this.#close();
      this.#offerFolder("closed", folder);
    });
  }

  /** A folder that is open no more comes back by Undo, and is given back when nobody wants it. */
  #offerFolder(kind, folder) {
    this.#say(kind, { name: folder.name }, () => this.#attempt("folder", () => this.#open(folder)), () => folders.releaseFolder(this.#lime, folder));
  }

  /** Look at the folder's files again: somebody may have put one there. */
  async lookAgain() {
    if (this.folder === null || !this.reading.isDone) return;
    await this.#attempt("folder", () => this.#look());
  }

  async #open(folder) {
    const before = this.folder;
    await folders.bindFolder(this.#lime, folder);
    await folders.rememberFolder(this.#lime, folder);
    this.#letGo();
    Object.assign(this, { folder, lost: null, asked: null, figure: null, document: null, typed: "", problem: null, done: null });
    this.reading = { left: 0, unread: 0, isDone: false };
    this.#show("files", "main", "document", "done");
    await this.#look(before);
  }

  /** What there is; how far it is read is followed while the person goes on. */
  async #look(before = null) {
    const { folder } = this;
    const listed = await folders.listFiles(this.#lime, folder);
    if (this.folder !== folder) return;
    const isNews = JSON.stringify(listed.files) !== JSON.stringify(this.files);
    Object.assign(this, listed);
    this.#show("files", ...(isNews ? ["main"] : []));
    this.#following?.stop.abort();
    const stop = new AbortController();
    this.#following = { folder, before, stop };
    void this.#attempt("folder", () => this.#follow(folder, before, stop.signal), () => this.#attempt("folder", () => this.#look(before)));
  }

  async #follow(folder, before, signal) {
    const onProgress = (reading) => {
      const isNews = reading.isDone !== this.reading.isDone || reading.unread !== this.reading.unread;
      this.reading = reading;
      this.#show(...(isNews ? ["files", "main"] : ["reading"]));
    };
    await folders.followReading(this.#lime, onProgress, signal);
    // Only now: until then the person can still go back to the folder before.
    if (before !== null && before.ref !== folder.ref && !signal.aborted) await folders.releaseFolder(this.#lime, before);
  }

  async #close() {
    await folders.unbindFolder(this.#lime);
    await folders.rememberFolder(this.#lime, null);
    Object.assign(this, { folder: null, files: [], others: 0, asked: null, figure: null, document: null, problem: null });
    this.reading = { left: 0, unread: 0, isDone: true };
    this.#show("files", "main", "document");
  }

  // Questions

  /** Answer a question from the folder. Where nothing speaks of it no model is asked, and where none is able none is used. */
  async ask(question) {
    if (this.busy !== null) return;
    await this.flush();
    const asked = { question, sources: null, text: "", unread: 0, unanswered: null, isDemo: false, taskId: null };
    Object.assign(this, { asked, figure: null, draft: null });
    await this.#work("answer", "ask", () => this.ask(question), async (hooks) => {
      Object.assign(asked, await findSources(this.#lime, question));
      this.chosen = new Set(this.sources.map(({ id }) => id));
      this.#show("answer");
      this.figure = await this.#tables.figureFor(this.folder, this.files, question, hooks.signal);
      this.#show("answer");
      if (asked.sources.length > 0) Object.assign(asked, await this.#answer(question, hooks));
      this.chosen = new Set(this.sources.map(({ id }) => id));
    });
    // A file that came meanwhile was found by the host: the list follows.
    await this.lookAgain();
  }

  /** Where nobody able answers, or what was answered is not worth showing, the passages are what there is. */
  async #answer(question, hooks) {
    if (!this.hasModel) return { unanswered: "noModel" };
    hooks.onAsked();
    try {
      const { text, taskId } = await answer(this.#lime, question, hooks);
      return { text, taskId, isDemo: isDemoModel(this.#lime) };
    } catch (error) {
      if (isNoModel(error)) return { unanswered: "noModel" };
      if (isUngrounded(error)) return { unanswered: "ungrounded" };
      throw error;
    }
  }

  /** Take a passage into a draft, or leave it out. */
  take(id, isTaken) {
    if (isTaken) this.chosen.add(id);
    else this.chosen.delete(id);
  }

  // Figures

  /** Compute something else over the same table. */
  changeFigure(plan) {
    this.figure = figureOf(this.figure.table, plan, { readBy: "hand", ignored: [], question: this.figure.question });
    this.#show("answer");
  }

  dropFigure() {
    this.figure = null;
    this.#show("answer");
  }

  /** Have a model choose the computation for the question; it sees column names and three values of each. */
  async chooseFigure() {
    await this.#work("figure", "ask", () => this.chooseFigure(), async (hooks) => {
      if (!this.hasModel) throw noModel();
      this.figure = await this.#tables.chosenBy(this.figure, this.asked.question, hooks);
    });
  }

  /** Chart a table of the folder, whatever was asked. */
  async chart(path) {
    await this.#attempt("ask", async () => {
      const table = await this.#tables.of(this.folder, this.#fileAt(path));
      this.figure = table && firstFigure(table);
      Object.assign(this, { draft: null, document: null });
      this.#show("files", "main", "document");
    });
  }

  // Documents

  /** Open a document; with a citation, at its place. */
  async openDocument(path, cited = null) {
    const turn = ++this.#turns;
    await this.#attempt("document", async () => {
      const file = this.#fileAt(path);
      const parsed = await this.#lime.files.parse({ ref: this.folder.ref, path }, PATIENCE);
      if (turn !== this.#turns) return;
      const rows = file.kind === "table" ? (parsed.tables[0] ?? []) : null;
      const place = cited && (rows ? { rows: rowsIn(rows, cited.snippet) } : placeIn(parsed.sections, cited));
      this.document = { ...file, sections: parsed.sections, rows, place, cited, isTruncated: parsed.truncated, question: cited ? this.asked?.question : null };
      this.#show("files", "document");
    }, () => this.openDocument(path, cited));
  }

  /** Open the place that a draft cites, where its folder is the open one. */
  async openSource(source) {
    const isElsewhere = this.folder === null || this.draft.folderName !== this.folder.name;
    if (isElsewhere) this.#tell("draft", Object.assign(new Error("another folder"), { name: "LimeError", code: "other_folder", retryable: false }), null);
    else await this.openDocument(source.path, source);
  }

  closeDocument() {
    this.#turns += 1;
    this.document = null;
    if (this.problem?.place === "document") this.problem = null;
    this.#show("files", "document");
  }

  #fileAt(path) {
    return this.files.find((file) => file.path === path) ?? { path, name: path.split("/").at(-1), kind: null };
  }

  // Drafts

  /**
   * Make a draft of what was found: by a model, or by a template where none is able.
   * @param figure what the figure says, as text  @param picture the same as a picture
   * @param isAssembled whether the person wants the template, whatever model there is
   */
  async write(kind, { figure = "", picture = {}, isAssembled = false } = {}) {
    const texts = this.#texts();
    const { question = texts("draft.nothingAsked"), text = "", taskId = null } = this.asked ?? {};
    const sources = this.sources.filter(({ id }) => this.chosen.has(id));
    const material = { question, answer: renumbered(text, sources), sources, figure };
    await this.#work("write", "ask", () => this.write(kind, { figure, picture }), async (hooks) => {
      const written = await this.#write(kind, material, hooks, isAssembled);
      const added = await this.#rows.add({ title: titleOf(kind, question, texts), kind, question, sources, picture, taskId, folderName: this.folder.name, ...written });
      this.drafts = [added, ...this.drafts];
      this.draft = added;
    });
    // A model that stops, or never answers, must not be the only way to a draft.
    if (this.problem?.place === "ask") this.problem.assemble = () => this.write(kind, { figure, picture, isAssembled: true });
    this.#show("files", "main");
  }

  async #write(kind, material, hooks, isAssembled) {
    const byTemplate = (why) => ({ markdown: assembled(kind, material, this.#texts()), madeBy: "template", why });
    if (isAssembled) return byTemplate("wanted");
    if (!this.hasModel || isDemoModel(this.#lime)) return byTemplate("noModel");
    try {
      return { ...(await writeDraft(this.#lime, kind, material, this.#texts(), hooks)), madeBy: "model", why: null };
    } catch (error) {
      if (isNoModel(error)) return byTemplate("noModel");
      if (isUngrounded(error)) return byTemplate("ungrounded");
      throw error;
    }
  }

  async openDraft(id) {
    await this.flush();
    this.draft = this.drafts.find((each) => each.id === id) ?? null;
    this.problem = null;
    this.#show("files", "main");
  }

  async closeDraft() {
    await this.flush();
    this.draft = null;
    this.#show("files", "main");
  }

  /** A person typed: the page has it already, so only what is kept follows. */
  edit(changes) {
    Object.assign(this.draft, changes, changes.markdown !== undefined && { isEdited: true });
    this.#autosave.touch();
  }

  flush() {
    return this.#autosave.flush();
  }

  async #saveDraft() {
    const kept = await this.#rows.save(this.draft);
    this.draft.updatedAt = kept.updatedAt;
    this.#show("files");
  }

  /** Delete a draft; it comes back by Undo. What was saved as a document stays one. */
  async removeDraft() {
    const draft = this.draft;
    await this.#attempt("draft", async () => {
      await this.flush();
      this.#autosave.drop();
      await this.#rows.remove(draft.id);
      this.drafts = this.drafts.filter(({ id }) => id !== draft.id);
      this.draft = null;
      this.#show("files", "main");
      this.#say("deleted", { name: draft.title }, () => this.#restore(draft));
    });
  }

  async #restore(draft) {
    await this.#attempt("draft", async () => {
      await this.#rows.save(draft);
      this.drafts = [draft, ...this.drafts];
      this.draft = draft;
      this.#show("files", "main");
    });
  }

  /** Save the draft as a document of the host's; again, as its next version. */
  async saveDocument() {
    await this.flush();
    await this.#work("save", "draft", () => this.saveDocument(), async () => {
      await this.#keep();
      this.#say("saved", { version: this.draft.version });
    });
  }

  async exportDocument(format) {
    await this.flush();
    await this.#work("save", "draft", () => this.exportDocument(format), async () => {
      await this.#keep();
      if (await this.#rows.saveAs(this.draft.artifactId, format)) this.#say("exported", {});
    });
  }

  async #keep() {
    const { draft } = this;
    if (draft.artifactId && draft.savedText === `${draft.title}\n${draft.markdown}`) return;
    const savedText = `${draft.title}\n${draft.markdown}`;
    const kept = await this.#rows.keep(draft);
    // Known at once: what is tried again must not become a second document.
    Object.assign(draft, { artifactId: kept.id, version: kept.version });
    await this.#rows.save(draft);
    await this.#rows.recordSources(draft, this.#texts()("draft.evidence"));
    await this.#rows.save(Object.assign(draft, { savedText }));
  }

  openSaved() {
    return this.#attempt("draft", () => this.#lime.artifacts.open({ artifactId: this.draft.artifactId }));
  }

  /** Have a model propose a change; the person decides on it in the host's own window, where it stands as a difference. */
  async revise(instruction) {
    await this.flush();
    const { draft } = this;
    await this.#work("revise", "draft", () => this.revise(instruction), async (hooks) => {
      if (!this.hasModel) throw noModel();
      const { markdown, taskId } = await proposeChange(this.#lime, draft.markdown, instruction, this.#texts(), hooks);
      // Nothing to decide on is no question.
      if (markdown.trim() === draft.markdown.trim()) return this.#say("unchanged", {});
      draft.proposal = { before: draft.markdown, after: markdown, instruction, taskId };
      await this.#rows.save(draft);
    });
    if (draft.proposal !== null && this.problem === null) await this.decide();
  }

  /** Wait for the person's decision on the proposal; where they decided before, it is there at once. */
  async decide() {
    const { draft } = this;
    await this.#work("decide", "draft", () => this.decide(), async ({ signal }) => {
      const decided = await askForDecision(this.#lime, draft.title, draft.proposal, signal);
      if (decided === null) return;
      const { before, instruction, taskId } = draft.proposal;
      const { madeBy, why } = draft;
      const isTaken = decided.decision !== "reject";
      // Recorded before it is done: tried again, the same decision is found again.
      await this.#lime.evidence.record({ kind: "change_decided", message: `${decided.decision}: ${instruction}`, subject: draft.id, refs: [taskId].filter(Boolean) });
      Object.assign(draft, { proposal: null, ...(isTaken && changedByModel(draft, decided.markdown)) });
      await this.#rows.save(draft);
      const undo = () => this.#attempt("draft", () => this.#putBack(draft, { markdown: before, madeBy, why }));
      this.#say(isTaken ? "changed" : "rejected", {}, isTaken ? undo : undefined);
    });
  }

  /** Nobody wants the proposal any more. */
  async dropProposal() {
    const { draft } = this;
    await this.#attempt("draft", async () => {
      const { proposal } = draft;
      draft.proposal = null;
      await this.#rows.save(draft);
      this.#show("main");
      this.#say("dropped", {}, () => this.#attempt("draft", async () => {
        draft.proposal = proposal;
        await this.#rows.save(draft);
        this.#show("main");
      }));
    });
  }

  async #putBack(draft, fields) {
    Object.assign(draft, fields);
    await this.#rows.save(draft);
    this.#show("main");
  }

  // What is going on

  /** Stop what is going on, where it can be stopped. */
  stop() {
    this.#stop?.abort();
  }

  /** Stop it, and wait until it is over: what is found for one folder must not be shown in the next. */
  async #endWork() {
    this.stop();
    await this.#working.catch(() => {});
  }

  closeProblem() {
    this.problem = null;
    this.#show("files", "main", "document");
  }

  undo() {
    const { undo } = this.done ?? {};
    this.done = null;
    this.#show("done");
    return undo?.();
  }

  /** Nobody undid it in time. */
  letGo() {
    this.#letGo();
  }

  #letGo() {
    const { gone } = this.done ?? {};
    this.done = null;
    gone?.();
  }

  #say(kind, values, undo, gone) {
    this.#letGo();
    this.done = { kind, values, undo, gone };
    this.#show("done");
  }

  /** Something that takes a while: one at a time, shown while it lasts, stopped by the person. */
  async #work(kind, place, again, action) {
    if (this.busy !== null) return;
    this.#stop = new AbortController();
    this.problem = null;
    const report = (facts) => this.#report({ kind, text: "", isAsked: false, isWaiting: false, ...this.busy, ...facts });
    report({});
    const onAsked = () => report({ isAsked: true });
    const onText = (text) => report({ text, isWaiting: false });
    const onQuestion = () => report({ isWaiting: true });
    this.#working = this.#attempt(place, () => action({ onAsked, onText, onQuestion, signal: this.#stop.signal }), again);
    try {
      await this.#working;
    } finally {
      this.#report(null);
    }
  }

  /** What is only said anew does not draw the page anew. */
  #report(busy) {
    const isNews = busy?.kind !== this.busy?.kind;
    this.busy = busy;
    this.#show(...(isNews ? ["files", "main"] : ["answer"]));
  }

  async #attempt(place, action, again = null) {
    try {
      await action();
    } catch (error) {
      // What is not the host's or the agent's answer is a fault of this page, and must not look like one.
      if (!EXPECTED.includes(error.name)) throw error;
      this.#tell(place, error, again);
    }
  }

  #tell(place, error, again) {
    this.problem = { place, error, again: error.retryable === false ? null : again };
    this.#show("files", "main", "document");
  }

  #show(...parts) {
    for (const part of new Set(parts)) this.#changed(part);
  }
}

/** A draft after a change by a model that the person approved: whatever it was before, it is no template's any more. */
const changedByModel = ({ madeBy, why }, markdown) => ({ markdown, madeBy: "model", why: madeBy === "template" ? "changed" : why });
