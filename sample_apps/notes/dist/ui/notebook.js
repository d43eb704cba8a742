/**
 * The notebook: which notes are shown, which is open, what is going on and what went wrong. No element of the page is
 * known here, so all of it can be tried against the SDK's mock host.
 */

import { isExpected } from "./problem.js";
import { answer, findSources } from "./work/asking.js";
import { Attachments } from "./work/attachments.js";
import { Autosave } from "./work/autosave.js";
import { keepAnswer, keepNote, listAnswers, saveAsMarkdown } from "./work/documents.js";
import { countTags, Notes } from "./work/notes.js";
import { sumUp } from "./work/summing_up.js";
import { nameOf } from "./work/words.js";

export class Notebook {
  /** The notes that fit what is searched for. */
  notes = [];
  /** Every tag with the number of its notes. */
  tags = [];
  query = "";
  tag = null;
  /** The note in the editor, or null. */
  open = null;
  attachments = [];
  /** The text of an attached document that is being looked at, or null. */
  preview = null;
  /** What is going on: `{ kind, text, isWaiting }`, or null. Kinds: `summary`, `answer`, `keep`, `export`. */
  busy = null;
  /** What went wrong: `{ place, error, again }`, or null. Places: `note`, `ask`. */
  problem = null;
  /** The last question with its sources and its answer, or null. */
  asked = null;
  /** Answers that were kept, newest first. */
  answers = [];
  /** The note that was deleted last, as long as it can come back, or null. */
  deleted = null;

  #lime;
  #texts;
  #changed;
  #notes;
  #files;
  #autosave;
  #stop = null;
  #searches = 0;

  /**
   * @param texts gives the texts of the moment, for what is written into documents and prompts
   * @param changed hears which part to show anew: `list`, `note`, `status`, `attachments`, `summary`, `ask`, `problem`, `notice`
   */
  constructor(lime, texts, changed = () => {}) {
    this.#lime = lime;
    this.#texts = texts;
    this.#changed = changed;
    this.#notes = new Notes(lime);
    this.#files = new Attachments(lime);
    this.#autosave = new Autosave(
      () => this.#save(),
      (state, error) => this.#tellSaving(state, error),
    );
  }

  get saving() {
    return this.#autosave.state;
  }

  async load() {
    await this.#attempt("note", async () => {
      await this.#find();
      await this.#open(this.notes[0]?.id ?? null);
    }, () => this.load());
    // Neither is worth a word to the person if it fails: both are tried again at the next start.
    await this.#files.tidy().catch(() => {});
    await this.#readAnswers().catch(() => {});
  }

  /** Show the notes that fit a query, and a tag where one is chosen. */
  async search(query, tag = this.tag) {
    Object.assign(this, { query, tag });
    await this.#attempt("note", () => this.#find(), () => this.search(query, tag));
  }

  async choose(id) {
    await this.flush();
    await this.#attempt("note", () => this.#open(id), () => this.choose(id));
  }

  async add() {
    await this.flush();
    await this.#attempt("note", async () => {
      const note = await this.#notes.add({ tags: this.tag === null ? [] : [this.tag] });
      this.query = "";
      await this.#find();
      await this.#open(note.id);
    }, () => this.add());
  }

  /** A person typed: the page has it already, so only what is kept and listed follows. */
  edit(changes) {
    Object.assign(this.open, changes);
    this.#autosave.touch();
  }

  async pin() {
    this.edit({ isPinned: !this.open.isPinned });
    this.#changed("note");
    await this.flush();
  }

  /** Save what waits to be saved. */
  flush() {
    return this.#autosave.flush();
  }

  async remove() {
    const { open: note, attachments } = this;
    await this.#attempt("note", async () => {
      await this.flush();
      this.#autosave.drop();
      await this.#notes.remove(note.id);
      await this.#files.remove(attachments);
      await this.#forgetDeleted();
      this.deleted = { note, attachments };
      await this.#showNeighbour(note.id);
      this.#changed("notice");
    }, () => this.remove());
  }

  /** Bring the deleted note back, with its attachments. */
  async undo() {
    if (this.deleted === null) return;
    const { note, attachments } = this.deleted;
    await this.#attempt("note", async () => {
      await this.#notes.restore(note);
      await this.#files.restore(attachments);
      this.deleted = null;
      await this.#find();
      await this.#open(note.id);
      this.#changed("notice");
    }, () => this.undo());
  }

  /** The note is gone for good. */
  async letGo() {
    await this.#forgetDeleted().catch(() => {});
    this.#changed("notice");
  }

  async attach() {
    await this.#attempt("note", async () => {
      await this.#files.add(this.open.id);
      await this.#readAttachments();
    });
  }

  async detach(attachment) {
    await this.#attempt("note", async () => {
      await this.#files.remove([attachment]);
      await this.#files.release([attachment]);
      await this.#readAttachments();
    });
  }

  /** Look into a document, or close it where it is open. */
  async lookInto(attachment) {
    await this.#attempt("note", async () => {
      const isOpen = this.preview?.id === attachment.id;
      this.preview = isOpen ? null : { id: attachment.id, ...(await this.#files.preview(attachment)) };
      this.#changed("attachments");
    });
  }

  async sumUp() {
    const note = this.open;
    await this.#work("summary", "note", () => this.sumUp(), async (hooks) => {
      note.summary = await sumUp(this.#lime, note, this.#texts(), hooks);
      await this.#notes.save(note);
    });
  }

  dropSummary() {
    this.edit({ summary: "" });
    this.#changed("summary");
  }

  /** Answer a question from the notes; where none speaks of it, no model is asked. */
  async ask(question) {
    await this.flush();
    this.asked = { question, sources: null, text: "", taskId: null };
    await this.#work("answer", "ask", () => this.ask(question), async (hooks) => {
      this.asked.sources = await findSources(this.#lime, question);
      this.#changed("ask");
      if (this.asked.sources.length > 0) Object.assign(this.asked, await answer(this.#lime, question, hooks));
    });
  }

  async keepAnswer() {
    await this.#work("keep", "ask", () => this.keepAnswer(), async ({ onQuestion, signal }) => {
      const kept = await keepAnswer(this.#lime, this.asked, this.#texts(), { onPending: onQuestion, signal });
      this.asked.artifactId = kept.id;
      await this.#readAnswers();
    });
  }

  /** Show a kept answer in the host's own viewer. */
  async openAnswer(artifactId) {
    await this.#attempt("ask", () => this.#lime.artifacts.open({ artifactId }));
  }

  async exportNote() {
    await this.flush();
    const note = this.open;
    await this.#work("export", "note", () => this.exportNote(), async () => {
      const kept = await keepNote(this.#lime, note, nameOf(note) || this.#texts()("list.untitled"), this.#texts());
      note.artifactId = kept.id;
      await this.#notes.save(note);
      await this.#saveFile(kept.id);
    });
  }

  async exportAnswer(artifactId) {
    await this.#work("export", "ask", () => this.exportAnswer(artifactId), () => this.#saveFile(artifactId));
  }

  /** Stop what is going on, where it can be stopped. */
  stop() {
    this.#stop?.abort();
  }

  closeProblem() {
    this.problem = null;
    this.#changed("problem");
  }

  /** An answer that was overtaken by another search is dropped. */
  async #find() {
    const search = ++this.#searches;
    const { query, tag } = this;
    const found = await this.#notes.find({ query, tag });
    if (search !== this.#searches) return;
    this.notes = found;
    if (query === "" && tag === null) this.tags = countTags(found);
    this.#changed("list");
  }

  async #open(id) {
    const note = id === null ? null : await this.#notes.get(id);
    this.attachments = note ? await this.#files.of(note.id) : [];
    Object.assign(this, { open: note, preview: null, problem: null });
    for (const part of ["list", "note"]) this.#changed(part);
  }

  async #save() {
    const note = this.open;
    Object.assign(note, { updatedAt: (await this.#notes.save(note)).updatedAt });
    if (this.problem?.isUnsaved) this.closeProblem();
    await this.#find();
  }

  #tellSaving(state, error) {
    if (error !== undefined) this.#tell("note", error, () => this.flush(), { isUnsaved: true });
    this.#changed("status");
  }

  async #showNeighbour(id) {
    const place = this.notes.findIndex((note) => note.id === id);
    await this.#find();
    await this.#open(this.notes[Math.min(Math.max(place, 0), this.notes.length - 1)]?.id ?? null);
  }

  async #forgetDeleted() {
    const { deleted } = this;
    this.deleted = null;
    if (deleted !== null) await this.#files.release(deleted.attachments);
  }

  async #readAttachments() {
    this.attachments = await this.#files.of(this.open.id);
    this.#changed("attachments");
  }

  async #readAnswers() {
    this.answers = await listAnswers(this.#lime);
    this.#changed("ask");
  }

  async #saveFile(artifactId) {
    if (await saveAsMarkdown(this.#lime, artifactId)) {
      await this.#lime.ui.toast({ message: this.#texts()("export.saved"), level: "success" });
    }
  }

  /** Something that takes a while: one at a time, shown while it lasts, stopped by the person. */
  async #work(kind, place, again, action) {
    if (this.busy !== null) return;
    this.#stop = new AbortController();
    this.problem = null;
    const report = (facts) => this.#report({ kind, text: "", isWaiting: false, ...this.busy, ...facts });
    report({});
    const onText = (text) => report({ text, isWaiting: false });
    const onQuestion = () => report({ isWaiting: true });
    await this.#attempt(place, () => action({ onText, onQuestion, signal: this.#stop.signal }), again);
    this.#report(null);
  }

  #report(busy) {
    this.busy = busy;
    for (const part of ["status", "summary", "ask", "problem"]) this.#changed(part);
  }

  async #attempt(place, action, again = null) {
    try {
      await action();
    } catch (error) {
      if (!isExpected(error)) throw error;
      this.#tell(place, error, again);
    }
  }

  #tell(place, error, again, more = {}) {
    this.problem = { place, error, again: error.retryable === false ? null : again, ...more };
    this.#changed("problem");
  }
}
