/**
 * The notebook: which notes are shown, which is open, what is going on and what went wrong. No element of the page is
 * known here, so all of it can be tried against the SDK's mock host.
 */

import { isExpected } from "./problem.js";
import { hasAbleModel, isDemoModel, isNoModel, isUngrounded, noModel } from "./shared/models.js";
import { patiently } from "./shared/patience.js";
import { answer, findSources } from "./work/asking.js";
import { Attachments } from "./work/attachments.js";
import { Autosave } from "./shared/autosave.js";
import { keepAnswer, keepNote, listAnswers, saveAsMarkdown, saveFolder } from "./work/documents.js";
import { filesOf, readFolder } from "./work/folders.js";
import { countTags, Notes, titlesOf } from "./work/notes.js";
import { summarize } from "./work/summarizing.js";
import { nameOf } from "./work/words.js";

const PREVIEW = "preview";
const EXPORTED = "exported-notebook";

export class Notebook {
  /** Whether the first look at the storage is over: before that nobody knows whether there are notes. */
  isLoaded = false;
  /** The notes that fit what is searched for. */
  notes = [];
  /** Every tag with the number of its notes. */
  tags = [];
  /** Every title with the id of its note, in small letters: what `[[Title]]` leads to. */
  titles = new Map();
  query = "";
  tag = null;
  /** What lies in the trash, and whether it is looked at. */
  trash = [];
  isInTrash = false;
  /** The note in the editor, or null. One from the trash is only looked at. */
  open = null;
  /** The notes that link to the open one. */
  backlinks = [];
  attachments = [];
  /** The text of an attached document that is being looked at, or null. */
  lookedInto = null;
  /** Whether the open note is shown as it reads, beside or instead of its text. */
  isPreviewed = false;
  /** What is going on: `{ kind, text, isAsked, isWaiting }`, or null. `isAsked`: a model was, and has not answered. Kinds: `summary`, `answer`, `keep`, `export`, `import`. */
  busy = null;
  /** What went wrong: `{ place, error, again }`, or null. Places: `note`, `ask`. */
  problem = null;
  /** The last question with its sources and its answer, or null. `unanswered` says why there is only the passages, `isUnasked` that no model was asked. */
  asked = null;
  /** Answers that were kept, newest first. */
  answers = [];
  /** What was just done: `{ kind, values, undo }`, for as long as it can be undone, or null. */
  done = null;

  #lime;
  #texts;
  #changed;
  #notes;
  #files;
  #autosave;
  /** Notes that were changed since they were saved last: another may be open by the time that they are. */
  #edited = new Set();
  #stop = null;
  #searches = 0;
  /** Counts where the person went: what was on its way to another place when they did is dropped. */
  #turns = 0;

  /**
   * @param texts gives the texts of the moment, for what is written into documents and prompts
   * @param changed hears which part to show anew: `list`, `note`, `body`, `preview`, `saving`, `status`, `links`, `attachments`, `summary`, `ask`,
   *   `problem`, `done`, and `written` where a new note waits for its first words
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

  /** Why the last question has only passages, or null; a model that was set up since is said. */
  get unanswered() {
    const { unanswered: reason = null, isUnasked } = this.asked ?? {};
    return isUnasked && hasAbleModel(this.#lime) ? "modelNow" : reason;
  }

  async load() {
    const turn = this.#turns;
    const held = this.#files.held().catch(() => []);
    await this.#attempt("note", async () => {
      this.isPreviewed = (await patiently(() => this.#lime.storage.get({ key: PREVIEW }))) === true;
      await this.#find();
      // Who was quicker than the storage stays where they went.
      if (turn === this.#turns) await this.#open(this.notes[0]?.id ?? null);
      this.isLoaded = true;
      await this.#readTitles();
      this.trash = await this.#notes.discarded();
      this.#changed("list");
      // A note that is open may be written by now: drawn again, its caret would be lost.
      if (this.open === null) this.#changed("note");
    }, () => this.load());
    // None of it is worth a word to the person if it fails: all is tried again at the next start.
    await this.#emptyOldTrash().catch(() => {});
    await this.#files.tidy(await held).catch(() => {});
    await this.#readAnswers().catch(() => {});
  }

  /** Show the notes that fit a query, and a tag where one is chosen. */
  async search(query, tag = this.tag) {
    Object.assign(this, { query, tag, isInTrash: false });
    await this.#attempt("note", () => this.#find(), () => this.search(query, tag));
  }

  async choose(id) {
    await this.flush();
    await this.#attempt("note", () => this.#open(id), () => this.choose(id));
  }

  /** A new note, ready to be written: open before it is kept, so that who goes on typing writes into it and not into the one before. */
  async add(fields = {}) {
    const note = this.#notes.begin({ tags: this.tag === null ? [] : [this.tag], ...fields });
    this.#turns += 1;
    Object.assign(this, { query: "", isInTrash: false, attachments: [] });
    this.#rememberTitle(note);
    this.#show(note);
    this.#changed("written");
    this.edit({});
    await this.flush();
    await this.#attempt("note", () => this.#readBacklinks());
  }

  /** Go where `[[Title]]` leads: to the note of that title, or to a new one where there is none. */
  async follow(title) {
    const found = this.titles.get(title.toLowerCase());
    if (found !== undefined) await this.choose(found.id);
    else await this.add({ title });
  }

  hasTitle(title) {
    return this.titles.has(title.toLowerCase());
  }

  /** Titles that fit what is being typed after `[[`: those that begin so first. */
  completions(typed, most = 7) {
    const wanted = typed.trim().toLowerCase();
    const fitting = [...this.titles].filter(([title, { id }]) => title !== "" && title.includes(wanted) && id !== this.open?.id);
    const rank = ([title]) => (title.startsWith(wanted) ? 0 : 1);
    return fitting.sort((one, other) => rank(one) - rank(other)).slice(0, most).map(([, { name }]) => name);
  }

  /** A person typed: the page has it already, so only what is kept and listed follows. */
  edit(changes) {
    // A field that is on its way out may still tell of a keystroke.
    if (this.open === null) return;
    Object.assign(this.open, changes);
    this.#edited.add(this.open);
    this.#autosave.touch();
  }

  /** Tick a task of the open note, or untick it. */
  tick(line, isDone) {
    const lines = this.open?.body.split("\n") ?? [];
    // What was pressed may be drawn from a text that has changed since.
    if (lines[line] === undefined) return;
    lines[line] = lines[line].replace(/\[[ xX]\]/u, isDone ? "[x]" : "[ ]");
    this.edit({ body: lines.join("\n") });
    this.#changed("body");
  }

  async pin() {
    this.edit({ isPinned: !this.open?.isPinned });
    this.#changed("note");
    await this.flush();
  }

  /** Save what waits to be saved. */
  flush() {
    return this.#autosave.flush();
  }

  async preview(isPreviewed = !this.isPreviewed) {
    this.isPreviewed = isPreviewed;
    this.#changed("preview");
    await this.#lime.storage.set({ key: PREVIEW, value: isPreviewed }).catch(() => {});
  }

  /** Move the open note to the trash. */
  async discard() {
    const note = this.open;
    if (note === null) return;
    await this.#attempt("note", async () => {
      await this.flush();
      await this.#notes.discard(note);
      // What was typed while it went is gone with it: saved now, the note would be back.
      this.#edited.delete(note);
      this.#autosave.drop();
      this.trash = await this.#notes.discarded();
      this.#offerUndo("deleted", { name: this.#nameOf(note) }, () => this.restore(note.id));
      await this.#showNeighbour(note.id);
    }, () => this.discard());
  }

  /** Bring a note back from the trash, with its attachments. */
  async restore(id) {
    // At once: what is searched for while the note comes back is the person's next wish, and stays.
    Object.assign(this, { query: "", tag: null });
    const turn = ++this.#turns;
    await this.#attempt("note", async () => {
      await this.#notes.restore(id);
      this.trash = await this.#notes.discarded();
      Object.assign(this, { done: null, isInTrash: false });
      this.#changed("done");
      await this.#find();
      await this.#readTitles();
      if (turn === this.#turns) await this.#open(id);
    }, () => this.restore(id));
  }

  /** Delete everything in the trash for good. */
  async emptyTrash() {
    await this.#attempt("note", async () => {
      await this.#erase(this.trash);
      await this.showTrash(true);
    });
  }

  async showTrash(isInTrash = true) {
    await this.flush();
    await this.#attempt("note", async () => {
      if (!isInTrash) return this.#open(this.notes[0]?.id ?? null);
      const turn = ++this.#turns;
      this.trash = await this.#notes.discarded();
      if (turn !== this.#turns) return;
      this.isInTrash = true;
      this.#show(this.trash[0] ?? null);
    });
  }

  /** Look at a note of the trash. */
  async lookAt(note) {
    this.#show(note);
  }

  undo() {
    return this.done?.undo?.();
  }

  /** Nobody undid it in time. */
  letGo() {
    this.done = null;
  }

  async attach() {
    const note = this.open;
    await this.#attempt("note", async () => {
      await this.#files.add(note.id);
      await this.#readAttachments(note);
    });
  }

  async detach(attachment) {
    const note = this.open;
    await this.#attempt("note", async () => {
      await this.#files.remove([attachment]);
      await this.#readAttachments(note);
    });
  }

  /** Look into a document, or close it where it is open. */
  async lookInto(attachment) {
    const note = this.open;
    await this.#attempt("note", async () => {
      const isOpen = this.lookedInto?.id === attachment.id;
      const found = isOpen ? null : { id: attachment.id, ...(await this.#files.preview(attachment)) };
      if (this.open !== note) return;
      this.lookedInto = found;
      this.#changed("attachments");
    });
  }

  async summarize() {
    const note = this.open;
    await this.#work("summary", "note", () => this.summarize(), async (hooks) => {
      // A summary is nothing without a model that can write one: said before anything is sent.
      if (!hasAbleModel(this.#lime)) throw noModel();
      note.summary = await summarize(this.#lime, note, this.#texts(), hooks);
      await this.#notes.save(note);
    });
  }

  dropSummary() {
    this.edit({ summary: "" });
    this.#changed("summary");
  }

  /** Answer a question from the notes. Where none speaks of it no model is asked, and where none is able none is used. */
  async ask(question) {
    if (this.busy !== null) return;
    await this.flush();
    this.asked = { question, sources: null, text: "", taskId: null, unanswered: null, isDemo: false };
    await this.#work("answer", "ask", () => this.ask(question), async (hooks) => {
      this.asked.sources = await findSources(this.#lime, question);
      this.#changed("ask");
      if (this.asked.sources.length > 0) Object.assign(this.asked, await this.#answer(question, hooks));
    });
  }

  /** Where nobody able answers, or what was answered is not worth showing, the passages are what there is. */
  async #answer(question, hooks) {
    if (!hasAbleModel(this.#lime)) return { unanswered: "noModel", isUnasked: true };
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
      const kept = await keepNote(this.#lime, note, this.#nameOf(note), this.#texts());
      note.artifactId = kept.id;
      await this.#notes.save(note);
      await this.#tellSaved(saveAsMarkdown(this.#lime, kept.id));
    });
  }

  async exportAnswer(artifactId) {
    await this.#work("export", "ask", () => this.exportAnswer(artifactId), () => this.#tellSaved(saveAsMarkdown(this.#lime, artifactId)));
  }

  /** Write every note as a Markdown file into a new folder. */
  async exportAll() {
    await this.flush();
    await this.#work("export", "note", () => this.exportAll(), async () => {
      const texts = this.#texts();
      const files = filesOf(await this.#notes.all(), texts("list.untitled"));
      const before = await this.#lime.storage.get({ key: EXPORTED });
      const { artifactId, isSaved } = await saveFolder(this.#lime, files, texts("export.folder"), before);
      await this.#lime.storage.set({ key: EXPORTED, value: artifactId });
      if (isSaved) this.#offerUndo("exported", { count: files.length });
    });
  }

  /** Read a folder of Markdown files; what is here already, word for word, is not taken twice. */
  async importFolder() {
    await this.flush();
    await this.#work("import", "note", () => this.importFolder(), async ({ onText, signal }) => {
      const onProgress = (count, all) => onText(`${count} / ${all}`);
      const read = await readFolder(this.#lime, { title: this.#texts()("import.choose"), onProgress, signal });
      if (read === null) return;
      const mark = ({ title, body }) => `${title}\n${body}`;
      const here = new Set((await this.#notes.all()).map(mark));
      const fresh = read.notes.filter((note) => !here.has(mark(note)));
      const added = [];
      // Before they come: what is searched for meanwhile stays.
      Object.assign(this, { query: "", tag: null });
      for (const note of fresh) added.push(await this.#notes.add({ ...note, createdAt: note.updatedAt }));
      this.isInTrash = false;
      await this.#find();
      await this.#readTitles();
      await this.#open(added[0]?.id ?? this.open?.id ?? null);
      const values = { count: added.length, same: read.notes.length - fresh.length, unread: read.unread.length };
      this.#offerUndo("imported", values, added.length > 0 ? () => this.#takeBack(added) : undefined);
    });
  }

  /** Stop what is going on, where it can be stopped. */
  stop() {
    this.#stop?.abort();
  }

  closeProblem() {
    this.problem = null;
    this.#changed("problem");
  }

  #nameOf(note) {
    return nameOf(note) || this.#texts()("list.untitled");
  }

  /** An answer that was overtaken by another search is dropped. */
  async #find() {
    const search = ++this.#searches;
    const { query, tag } = this;
    const found = await this.#notes.find({ query, tag });
    if (search !== this.#searches) return;
    this.notes = found;
    this.#changed("preview");
    if (query === "" && tag === null) this.tags = countTags(found);
    this.#changed("list");
  }

  async #open(id) {
    const turn = ++this.#turns;
    const note = id === null ? null : await this.#notes.get(id);
    const attachments = note ? await this.#files.of(note.id) : [];
    if (turn !== this.#turns) return;
    Object.assign(this, { attachments, isInTrash: false });
    // What was typed into it and waits to be saved is newer than what was stored.
    this.#show([...this.#edited].find((each) => each.id === id) ?? note);
    await this.#readBacklinks();
  }

  #show(note) {
    Object.assign(this, { open: note, lookedInto: null, problem: null, backlinks: [] });
    for (const part of ["list", "note"]) this.#changed(part);
  }

  async #save() {
    for (const note of [...this.#edited]) await this.#saveNote(note);
  }

  async #saveNote(note) {
    this.#edited.delete(note);
    try {
      Object.assign(note, { updatedAt: (await this.#notes.save(note)).updatedAt });
    } catch (error) {
      this.#edited.add(note);
      throw error;
    }
    if (this.problem?.isUnsaved) this.closeProblem();
    const isRenamed = this.titles.get(nameOf(note).toLowerCase())?.id !== note.id;
    this.#rememberTitle(note);
    await this.#find();
    if (isRenamed) await this.#readBacklinks();
  }

  #rememberTitle(note) {
    for (const [title, { id }] of this.titles) if (id === note.id) this.titles.delete(title);
    if (nameOf(note) !== "") this.titles.set(nameOf(note).toLowerCase(), { id: note.id, name: nameOf(note) });
  }

  async #readTitles() {
    this.titles = titlesOf(await this.#notes.all());
    this.#changed("links");
  }

  async #readBacklinks() {
    const note = this.open;
    const found = note === null || this.isInTrash ? [] : await this.#notes.linkingTo(nameOf(note));
    if (note !== this.open) return;
    this.backlinks = found.filter(({ id }) => id !== note.id);
    this.#changed("links");
  }

  async #takeBack(added) {
    await this.#attempt("note", async () => {
      await this.#notes.remove(added.map(({ id }) => id));
      this.done = null;
      await this.#find();
      await this.#readTitles();
      await this.#open(this.notes[0]?.id ?? null);
      this.#changed("done");
    });
  }

  async #emptyOldTrash() {
    const expired = await this.#notes.expired();
    if (expired.length === 0) return;
    await this.#erase(expired);
    this.trash = await this.#notes.discarded();
    this.#changed("list");
  }

  async #erase(notes) {
    for (const { id } of notes) {
      await this.#files.remove(await this.#files.of(id));
      await this.#notes.erase(id);
    }
  }

  #tellSaving(state, error) {
    if (error !== undefined) this.#tell("note", error, () => this.flush(), { isUnsaved: true });
    this.#changed("saving");
  }

  async #showNeighbour(id) {
    const place = this.notes.findIndex((note) => note.id === id);
    const turn = ++this.#turns;
    await this.#find();
    await this.#readTitles();
    if (turn !== this.#turns) return;
    await this.#open(this.notes[Math.min(Math.max(place, 0), this.notes.length - 1)]?.id ?? null);
  }

  #offerUndo(kind, values, undo) {
    this.done = { kind, values, undo };
    this.#changed("done");
  }

  async #readAttachments(note) {
    const found = await this.#files.of(note.id);
    if (this.open !== note) return;
    this.attachments = found;
    this.#changed("attachments");
  }

  async #readAnswers() {
    this.answers = await listAnswers(this.#lime);
    this.#changed("ask");
  }

  async #tellSaved(saving) {
    if (await saving) this.#offerUndo("saved", {});
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
    try {
      await this.#attempt(place, () => action({ onAsked, onText, onQuestion, signal: this.#stop.signal }), again);
    } finally {
      this.#report(null);
    }
  }

  #report(busy) {
    this.busy = busy;
    for (const part of ["status", "summary", "ask", "problem", "list"]) this.#changed(part);
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
