/**
 * The desk: which drafts there are, what happens to the open one, and what went wrong. No element and no text of the
 * page is known here, so all of it can be tried against the SDK's mock host.
 */

import { missingIn } from "./work/brief.js";
import { Drafts } from "./work/drafts.js";
import { evidenceOf, record } from "./work/evidence.js";
import { publish, tryPublishing } from "./work/publishing.js";
import { askForDecision, keepVersion } from "./work/reviewing.js";
import { writeDraft } from "./work/writing.js";

const NO_EVIDENCE = { steps: [], calls: [] };

export class Desk {
  drafts = [];
  /** The draft that is open, or null. */
  open = null;
  evidence = NO_EVIDENCE;
  /** What is going on: `{ step, characters? }`, or null. */
  busy = null;
  /** What went wrong and at which step, or null. */
  problem = null;
  /** What the dry run found, or null. */
  tried = null;

  #lime;
  #kept;
  #changed;
  #stop = null;

  /** @param changed hears which part to show anew: `drafts`, `draft` or `evidence` */
  constructor(lime, changed = () => {}) {
    this.#lime = lime;
    this.#kept = new Drafts(lime);
    this.#changed = changed;
  }

  async load() {
    await this.#attempt("open", async () => {
      this.drafts = await this.#kept.list();
      await this.#show(this.drafts[0] ?? null);
    });
  }

  async add(language) {
    await this.#attempt("open", async () => this.#show(await this.#kept.add(language)));
  }

  async choose(draft) {
    if (this.busy === null) await this.#show(draft);
  }

  async remove() {
    await this.#attempt("open", async () => {
      await this.#kept.remove(this.open);
      this.drafts = this.drafts.filter(({ id }) => id !== this.open.id);
      await this.#show(this.drafts[0] ?? null);
    });
  }

  /** Keep a brief that a person changed. The page stays as it is: they are still typing. */
  async saveBrief(brief) {
    await this.#attempt("brief", () => this.#change({ brief }));
  }

  /** Keep a draft that a person changed by hand; what was tried of an older text no longer counts. */
  async saveContent(content) {
    this.tried = null;
    await this.#attempt("draft", () => this.#change({ content, status: "drafted" }));
    this.#changed("draft");
  }

  get missing() {
    return missingIn(this.open.brief);
  }

  async write(evidenceOfDraft) {
    await this.#work("draft", async (signal) => {
      await record(this.#lime, this.open, "brief-given", this.open.brief.goal);
      const onProgress = (characters) => this.#report({ step: "draft", characters });
      const { content, taskId } = await writeDraft(this.#lime, this.open.brief, { onProgress, signal });
      this.tried = null;
      await this.#change({ content, status: "drafted", taskIds: [...this.open.taskIds, taskId] });
      await record(this.#lime, this.open, "draft-written", evidenceOfDraft(content), [taskId]);
    });
  }

  /** Ask a person, and keep what they approved. */
  async decide(subject, evidenceOfDecision) {
    await this.#work("review", async (signal) => {
      const decided = await askForDecision(this.#lime, this.open, subject, { signal });
      if (decided === null) return;
      const message = evidenceOfDecision(decided);
      if (decided.decision === "reject") {
        await this.#change({ status: "rejected" });
        await record(this.#lime, this.open, "draft-decided", message);
        return;
      }
      const { id: artifactId, version } = await keepVersion(this.#lime, this.open, decided);
      this.tried = null;
      await this.#change({ content: decided.content, status: "approved", artifactId, version });
      const { id } = await record(this.#lime, this.open, "draft-decided", message, [artifactId]);
      await this.#lime.evidence.linkArtifact({ evidenceId: id, artifactId });
    });
  }

  async tryFirst(format, evidenceOfTrial) {
    await this.#work("publish", async () => {
      this.tried = await tryPublishing(this.#lime, this.open, format);
      await record(this.#lime, this.open, "publish-tried", evidenceOfTrial(this.tried), [this.open.artifactId]);
    });
  }

  async publish(evidenceOfPublishing) {
    await this.#work("publish", async () => {
      await publish(this.#lime, this.tried);
      const message = evidenceOfPublishing(this.tried);
      this.tried = null;
      await this.#change({ status: "published" });
      await record(this.#lime, this.open, "draft-published", message, [this.open.artifactId]);
    });
  }

  /** Stop what is going on, where it can be stopped. */
  stop() {
    this.#stop?.abort();
  }

  async #show(draft) {
    this.open = draft;
    this.tried = null;
    this.problem = null;
    this.evidence = NO_EVIDENCE;
    if (draft && !this.drafts.some(({ id }) => id === draft.id)) this.drafts = [draft, ...this.drafts];
    this.#changed("drafts");
    this.#changed("draft");
    await this.#readEvidence();
  }

  async #change(changes) {
    // At once, and then for good: whoever types and presses a button must get what they typed.
    this.open = { ...this.open, ...changes };
    this.drafts = this.drafts.map((draft) => (draft.id === this.open.id ? this.open : draft));
    this.#changed("drafts");
    await this.#kept.change(this.open, changes);
  }

  /** Something that takes a while: one at a time, shown while it lasts, and its evidence read when it is over. */
  async #work(step, action) {
    if (this.busy !== null) return;
    this.#stop = new AbortController();
    this.problem = null;
    this.#report({ step });
    await this.#attempt(step, () => action(this.#stop.signal));
    this.#report(null);
    await this.#readEvidence();
  }

  #report(busy) {
    this.busy = busy;
    this.#changed("draft");
  }

  async #readEvidence() {
    if (this.open) this.evidence = await evidenceOf(this.#lime, this.open).catch(() => NO_EVIDENCE);
    this.#changed("evidence");
  }

  async #attempt(step, action) {
    try {
      await action();
    } catch (error) {
      // What is not the host's or the agent's answer is a fault of this page, and must not look like one.
      if (!["LimeError", "NoDraft"].includes(error.name)) throw error;
      this.problem = { step, error };
      this.#changed("draft");
    }
  }
}
