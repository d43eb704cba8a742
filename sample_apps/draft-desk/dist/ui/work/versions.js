/** Every text that a draft has had: what was written, what was decided, and by which note. Kept beside the draft. */

import { toMarkdown } from "./markdown.js";

export class Versions {
  #rows;

  constructor(lime) {
    this.#rows = lime.storage.table("versions");
  }

  /** The versions of a draft, newest first. */
  async of(draftId) {
    const { rows } = await this.#rows.query({ where: { draftId }, orderBy: [{ field: "number", direction: "desc" }], limit: 200 });
    return rows;
  }

  /**
   * Keep a version. The same text with the same fate is no new one.
   * @param {"written" | "outlined" | "edited" | "approve" | "modify" | "reject"} kind
   */
  async add(draftId, content, kind, note = "") {
    const [last] = await this.of(draftId);
    const text = { headline: content.headline, markdown: toMarkdown(content) };
    if (last && last.kind === kind && last.headline === text.headline && last.markdown === text.markdown) return last;
    const number = (last?.number ?? 0) + 1;
    return this.#rows.insert({ id: `${draftId}:${number}`, draftId, number, kind, note, questions: content.questions ?? [], ...text, createdAt: new Date().toISOString() });
  }

  async remove(draftId) {
    for (const { id } of await this.of(draftId)) await this.#rows.delete(id);
  }
}

/** A version as one text, to compare it with another. */
export const textOf = ({ headline, markdown }) => `# ${headline}\n\n${markdown}`;
