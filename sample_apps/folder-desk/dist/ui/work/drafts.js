/** Drafts: rows of the app's own while they are worked on, documents of the host's once they are saved. */

import { patiently } from "../shared/patience.js";

const MOST_DRAFTS = 200;
/** A person takes their time, so a host that starts again meanwhile is waited for as well. */
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000];

export class Drafts {
  #lime;
  #rows;

  constructor(lime) {
    this.#lime = lime;
    this.#rows = lime.storage.table("draft");
  }

  async all() {
    const { rows } = await this.#rows.query({ orderBy: [{ field: "updatedAt", direction: "desc" }], limit: MOST_DRAFTS });
    return rows;
  }

  /** Keep a new draft. */
  async add(fields) {
    const draft = { id: crypto.randomUUID(), artifactId: null, version: 0, proposal: null, ...fields, createdAt: new Date().toISOString() };
    return this.save(draft);
  }

  async save(draft) {
    const kept = { ...draft, updatedAt: new Date().toISOString() };
    await this.#rows.upsert(kept);
    return kept;
  }

  remove(id) {
    return this.#rows.delete(id);
  }

  /** Save a draft as a document; the same draft again is its next version. */
  keep({ title, markdown, artifactId, madeBy, question, sources, picture }) {
    // `markdown`, `svg` and `png` are what the host's exporters look for.
    const content = { markdown, madeBy, question, sources: sources.map(({ name, path, page }) => ({ name, path, ...(page && { page }) })), ...picture };
    const wanted = { kind: "folder-document", title, content, ...(artifactId && { artifactId }) };
    return this.#lime.artifacts.create(wanted, { operation: "save_document" });
  }

  /** Say what a saved document rests on, for later proof. */
  async recordSources({ artifactId, sources, taskId }, message) {
    const refs = [taskId, ...sources.map(({ id }) => id)].filter(Boolean);
    const { id } = await this.#lime.evidence.record({ kind: "document_sources", message, subject: artifactId, refs });
    await this.#lime.evidence.linkArtifact({ evidenceId: id, artifactId });
  }

  /** Write a document to a place that the person chooses; says whether they chose one. */
  async saveAs(artifactId, format) {
    const { ref, fileName } = await this.#lime.artifacts.export({ artifactId, format });
    try {
      await this.#lime.ui.download({ ref, fileName }, { operation: "save_file" });
      return true;
    } catch (error) {
      // Closing the chooser is a choice too.
      if (error.code === "cancelled") return false;
      throw error;
    }
  }
}

/**
 * Ask the person to decide on a change, in the host's own window, which shows it as a difference.
 * @returns {Promise<{decision: string, markdown: string, note?: string} | null>} null where nobody waits any more
 */
export async function askForDecision(lime, subject, { before, after }, signal) {
  const ask = () => lime.review.requestDecision({ subject, payload: { before, after } }, { signal });
  const { status, decision, note, payload } = await patiently(ask, { signal, pauses: PAUSES_MS });
  // The host lets a person change what they approve: what counts is what they saw last.
  return status === "decided" ? { decision, note, markdown: payload.after } : null;
}
