/** Drafts in the app's own database: one row each, newest first. */

import { emptyBrief } from "./brief.js";

export class Drafts {
  #table;

  constructor(lime) {
    this.#table = lime.storage.table("drafts");
  }

  async list() {
    const { rows } = await this.#table.query({ orderBy: [{ field: "updatedAt", direction: "desc" }] });
    return rows;
  }

  add(language) {
    const now = new Date().toISOString();
    return this.#table.insert({
      id: crypto.randomUUID(),
      status: "brief",
      brief: emptyBrief(language),
      content: null,
      artifactId: null,
      version: 0,
      taskIds: [],
      createdAt: now,
      updatedAt: now,
    });
  }

  change(draft, changes) {
    return this.#table.update(draft.id, { ...changes, updatedAt: draft.updatedAt });
  }

  remove(draft) {
    return this.#table.delete(draft.id);
  }

  /** Put a deleted draft back as it was. */
  restore(draft) {
    return this.#table.upsert(draft);
  }
}
