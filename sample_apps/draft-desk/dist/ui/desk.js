/**
 * The desk: which drafts there are, what happens to the open one, and what went wrong. No element and no text of the
 * page is known here, so all of it can be tried against the SDK's mock host.
 */

import { hasAbleModel, noModel, noModelHint } from "./shared/models.js";
import { isOnlyLater, patiently } from "./shared/patience.js";
import { missingIn } from "./work/brief.js";
import { Drafts } from "./work/drafts.js";
import { evidenceOf, record } from "./work/evidence.js";
import { fromMarkdown } from "./work/markdown.js";
import { publish, tryPublishing } from "./work/publishing.js";
import { askForDecision, decidedContent, isAbout, keepVersion, payloadOf } from "./work/reviewing.js";
import { Versions } from "./work/versions.js";
import { outlineOf, writeDraft } from "./work/writing.js";

const NO_EVIDENCE = { steps: [], calls: [] };
const WAITING = "waiting";
const EXPECTED = ["LimeError", "TaskEnded", "AbortError"];

export class Desk {
  /** Whether the first look at the storage is over: before that nobody knows whether there are drafts. */
  isLoaded = false;
  drafts = [];
  /** The draft that is open, or null. */
  open = null;
  /** Every text it has had, newest first, and the one that is compared with the one before it, or null. */
  versions = [];
  compared = null;
  evidence = NO_EVIDENCE;
  /** What is going on: `{ step, draft? }`, or null; `draft` is what is written so far. */
  busy = null;
  /** What went wrong, at which step, and how to try again, or null. */
  problem = null;
  /** What the dry run found, or null. */
  tried = null;
  /** The draft that was deleted last, as long as it can come back, or null. */
  removed = null;

  #lime;
  #kept;
  #versions;
  #changed;
  #stop = null;
  /** The drafts whose decision is waited for, each with what ends the waiting. */
  #awaited = new Map();
  #evidenceOfDecision = ({ decision }) => decision;

  /** @param changed hears which part to show anew: `drafts`, `draft`, `progress`, `evidence` or `removed`; `added` where a new brief waits */
  constructor(lime, changed = () => {}) {
    this.#lime = lime;
    this.#kept = new Drafts(lime);
    this.#versions = new Versions(lime);
    this.#changed = changed;
  }

  /** @param evidenceOfDecision gives the words for a decision that was asked for when this page was not there */
  async load(evidenceOfDecision = this.#evidenceOfDecision) {
    this.#evidenceOfDecision = evidenceOfDecision;
    await this.#attempt("open", async () => {
      this.drafts = await patiently(() => this.#kept.list());
      this.isLoaded = true;
      for (const { id, status } of this.drafts) if (status === WAITING) this.#awaitDecision(id);
      await this.#show(this.drafts[0] ?? null);
    }, () => this.load());
  }

  async add(language) {
    await this.#attempt("open", async () => this.#show(await this.#kept.add(language), { isNew: true }));
  }

  async choose(draft) {
    if (this.busy === null) await this.#attempt("open", () => this.#show(draft));
  }

  /** Delete the open draft; its approved versions stay with the host, and `undo` brings it back. */
  async remove() {
    const draft = this.open;
    await this.#attempt("open", async () => {
      await this.#kept.remove(draft);
      this.#awaited.get(draft.id)?.abort();
      await this.forgetRemoved();
      this.removed = draft;
      this.drafts = this.drafts.filter(({ id }) => id !== draft.id);
      await this.#show(this.drafts[0] ?? null);
      this.#changed("removed");
    });
  }

  async undo() {
    const draft = this.removed;
    await this.#attempt("open", async () => {
      await this.#kept.restore(draft);
      this.removed = null;
      await this.#show(draft);
      if (draft.status === WAITING) this.#awaitDecision(draft.id);
      this.#changed("removed");
    });
  }

  /** Nobody brought it back in time. */
  async forgetRemoved() {
    const draft = this.removed;
    this.removed = null;
    if (draft !== null) await this.#versions.remove(draft.id).catch(() => {});
  }

  /** Keep a brief that a person changed. The page stays as it is: they are still typing. Another draft may be open by now. */
  async saveBrief(brief, id = this.open?.id) {
    await this.#keepTyped("brief", { brief }, id);
  }

  /** Keep a draft that a person changed by hand; what was tried of an older text no longer counts. */
  async saveText(headline, markdown, id = this.open?.id) {
    const { content: before } = this.drafts.find((each) => each.id === id) ?? {};
    const content = { ...before, headline, ...fromMarkdown(markdown) };
    // A blank line more is no other text: what was asked or decided about it still holds.
    if (before && isAbout(payloadOf(before), content)) return;
    if (id === this.open?.id) this.tried = null;
    await this.#keepTyped("draft", { content, status: "drafted" }, id);
  }

  /** Says that nobody would write, for as long as that is so. */
  modelHint(text) {
    return noModelHint(this.#lime, text);
  }

  get missing() {
    return missingIn(this.open.brief);
  }

  async write(evidenceOfDraft) {
    await this.#work("draft", () => this.write(evidenceOfDraft), async (signal) => {
      if (!hasAbleModel(this.#lime)) throw noModel();
      await this.#keepEdits();
      await record(this.#lime, this.open, "brief-given", this.open.brief.goal);
      const onDraft = (draft) => {
        this.busy = { step: "draft", draft };
        this.#changed("progress");
      };
      const { content, taskId } = await writeDraft(this.#lime, this.open.brief, { onDraft, signal });
      this.tried = null;
      await this.#change({ content, status: "drafted", taskIds: [...this.open.taskIds, taskId] });
      await this.#addVersion("written");
      await record(this.#lime, this.open, "draft-written", evidenceOfDraft(content), [taskId]);
    });
  }

  /** Begin by hand: the points of the brief become sections, and no model is asked. */
  async outline() {
    await this.#work("draft", () => this.outline(), async () => {
      await this.#change({ content: outlineOf(this.open.brief), status: "drafted" });
      await this.#addVersion("outlined");
    });
  }

  /** Ask a person, and keep what they approved. Who decides later goes on meanwhile: the answer is still waited for. */
  async decide(subject, evidenceOfDecision) {
    this.#evidenceOfDecision = evidenceOfDecision;
    await this.#work("review", () => this.decide(subject, evidenceOfDecision), async (signal) => {
      await this.#keepEdits();
      const { id, content, status, asked } = this.open;
      const before = status === WAITING ? asked.before : status;
      // Kept before anybody is asked: the answer may come when this page is gone.
      await this.#change({ status: WAITING, asked: { subject, before, ...payloadOf(content) } });
      await Promise.race([this.#awaitDecision(id), aborted(signal)]);
    });
  }

  async tryFirst(format, evidenceOfTrial) {
    await this.#work("publish", () => this.tryFirst(format, evidenceOfTrial), async () => {
      this.tried = await tryPublishing(this.#lime, this.open, format);
      await record(this.#lime, this.open, "publish-tried", evidenceOfTrial(this.tried), [this.open.artifactId]);
    });
  }

  async publish(evidenceOfPublishing) {
    await this.#work("publish", () => this.publish(evidenceOfPublishing), async () => {
      await publish(this.#lime, this.tried);
      const message = evidenceOfPublishing(this.tried);
      this.tried = null;
      await this.#change({ status: "published" });
      await record(this.#lime, this.open, "draft-published", message, [this.open.artifactId]);
    });
  }

  /** Show what a version changed against the one before it, or the draft again. */
  compare(version) {
    this.compared = version;
    for (const part of ["draft", "evidence"]) this.#changed(part);
  }

  /** The version before another, or null for the first. */
  before(version) {
    return this.versions.find(({ number }) => number < version.number) ?? null;
  }

  /** Take an older text up again; what is there now stays a version. */
  async takeUp(version) {
    await this.#work("draft", () => this.takeUp(version), async () => {
      await this.#keepEdits();
      const content = { headline: version.headline, ...fromMarkdown(version.markdown), questions: version.questions ?? [] };
      this.compared = null;
      this.tried = null;
      await this.#change({ content, status: "drafted" });
      await this.#addVersion("edited");
    });
  }

  /** Stop what is going on, where it can be stopped. */
  stop() {
    this.#stop?.abort();
  }

  async #show(draft, { isNew = false } = {}) {
    Object.assign(this, { open: draft, tried: null, problem: null, evidence: NO_EVIDENCE, versions: [], compared: null });
    if (draft && !this.drafts.some(({ id }) => id === draft.id)) this.drafts = [draft, ...this.drafts];
    for (const part of ["drafts", "draft", ...(isNew ? ["added"] : [])]) this.#changed(part);
    await this.#readBeside();
  }

  async #change(changes, id = this.open.id) {
    const draft = this.drafts.find((each) => each.id === id);
    // Deleted since: what was typed into it comes too late.
    if (draft === undefined) return;
    // At once, and then for good: whoever types and presses a button must get what they typed.
    const changed = { ...draft, ...changes, updatedAt: new Date().toISOString() };
    // Another text is asked anew: an answer about the one before is not taken for it.
    if (draft.status === WAITING && changed.status === "drafted") this.#awaited.get(id)?.abort();
    this.drafts = this.drafts.map((each) => (each.id === id ? changed : each));
    if (this.open?.id === id) this.open = changed;
    this.#changed("drafts");
    await this.#kept.change(changed, changes);
  }

  /** Wait for the answer to what was asked about a draft, whichever is open; it ends when the text becomes another. */
  async #awaitDecision(id) {
    const { asked } = this.#draft(id);
    const stop = new AbortController();
    this.#awaited.get(id)?.abort();
    this.#awaited.set(id, stop);
    try {
      const decided = await patiently(() => askForDecision(this.#lime, asked, stop), stop);
      if (decided !== null) await this.#settle(id, decided);
    } catch (error) {
      if (!EXPECTED.includes(error.name)) throw error;
      if (!stop.signal.aborted) await this.#tellUnasked(id, error);
    } finally {
      if (this.#awaited.get(id) === stop) this.#awaited.delete(id);
    }
  }

  async #settle(id, { decision, note, payload }) {
    const draft = this.#draft(id);
    // Deleted or changed since: what was decided is not about this text.
    if (draft?.status !== WAITING || !isAbout(draft.asked, draft.content)) return;
    const content = decidedContent(draft.content, payload);
    const message = this.#evidenceOfDecision({ decision, note });
    if (decision === "reject") {
      await this.#change({ status: "rejected", asked: null }, id);
      await this.#versions.add(id, draft.content, decision, note);
      await record(this.#lime, draft, "draft-decided", message);
    } else {
      const { id: artifactId } = await keepVersion(this.#lime, draft, { decision, note, content });
      // The number that stands in the list beside it: the document counts only what was approved.
      const { number: version } = await this.#versions.add(id, content, decision, note);
      await this.#change({ content, status: "approved", asked: null, artifactId, version }, id);
      const { id: evidenceId } = await record(this.#lime, draft, "draft-decided", message, [artifactId]);
      await this.#lime.evidence.linkArtifact({ evidenceId, artifactId });
    }
    if (this.open?.id !== id) return;
    this.tried = null;
    this.#changed("draft");
    await this.#readBeside();
  }

  /** Nobody was asked, or nobody could tell the answer: where the host is only away, the question may still wait there. */
  async #tellUnasked(id, error) {
    const { status, asked } = this.#draft(id) ?? {};
    if (status === WAITING && !isOnlyLater(error)) await this.#change({ status: asked.before, asked: null }, id).catch(() => {});
    if (this.open?.id !== id) return;
    this.problem = { step: "review", error, again: () => this.decide(asked.subject, this.#evidenceOfDecision) };
    this.#changed("draft");
  }

  #draft(id) {
    return this.drafts.find((each) => each.id === id);
  }

  async #addVersion(kind, note) {
    await this.#versions.add(this.open.id, this.open.content, kind, note);
  }

  /** What was typed since the last version would else be lost when another text takes its place. */
  async #keepEdits() {
    const { content } = this.open;
    const [last] = await this.#versions.of(this.open.id);
    if (content === null || !last) return;
    await this.#versions.add(this.open.id, content, isSame(last, content) ? last.kind : "edited", last.note);
  }

  /** Something that takes a while: one at a time, shown while it lasts, and its evidence read when it is over. */
  async #work(step, again, action) {
    if (this.busy !== null) return;
    this.#stop = new AbortController();
    Object.assign(this, { problem: null, compared: null });
    this.#report({ step });
    await this.#attempt(step, () => action(this.#stop.signal), again);
    this.#report(null);
    await this.#readBeside();
  }

  #report(busy) {
    this.busy = busy;
    // The list too: nothing else can be opened meanwhile, and everything again afterwards.
    for (const part of ["drafts", "draft"]) this.#changed(part);
  }

  async #readBeside() {
    if (this.open) {
      this.versions = await this.#versions.of(this.open.id).catch(() => []);
      this.evidence = await evidenceOf(this.#lime, this.open).catch(() => NO_EVIDENCE);
    }
    this.#changed("evidence");
  }

  /** Keep what was typed; where that fails it is still on the page, and can be kept as it is by then. */
  async #keepTyped(step, changes, id) {
    const again = () => {
      this.problem = null;
      this.#changed("draft");
      const now = this.drafts.find((each) => each.id === id) ?? {};
      return this.#keepTyped(step, Object.fromEntries(Object.keys(changes).map((key) => [key, now[key]])), id);
    };
    await this.#attempt(step, () => this.#change(changes, id), again);
  }

  async #attempt(step, action, again = null) {
    try {
      await action();
    } catch (error) {
      // What is not the host's or the agent's answer is a fault of this page, and must not look like one.
      if (!EXPECTED.includes(error.name)) throw error;
      this.problem = { step, error, again };
      this.#changed("draft");
    }
  }
}

const isSame = (version, { headline, summary, sections }) => {
  const { summary: said, sections: parts } = fromMarkdown(version.markdown);
  return version.headline === headline && said === summary && JSON.stringify(parts) === JSON.stringify(sections);
};

const aborted = (signal) => new Promise((resolve) => (signal.aborted ? resolve() : signal.addEventListener("abort", resolve, { once: true })));
