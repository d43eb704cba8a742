/** Files beside a note: the app holds a reference that a person gave it, never a path. */

const PREVIEW_CHARACTERS = 4_000;

export class Attachments {
  #lime;
  #rows;

  constructor(lime) {
    this.#lime = lime;
    this.#rows = lime.storage.table("attachment");
  }

  async of(noteId) {
    return (await this.#rows.query({ where: { noteId } })).rows;
  }

  /** Let the person choose files; choosing is what grants them. */
  async add(noteId) {
    const { files } = await this.#lime.files.pick({ multiple: true, persist: true });
    const added = files.map(({ ref, name, sizeBytes, mediaType }) =>
      this.#rows.upsert({ id: ref, noteId, ref, name, sizeBytes, mediaType }),
    );
    return Promise.all(added);
  }

  /** The beginning of a document's text. */
  async preview({ ref }) {
    const { text, truncated } = await this.#lime.files.parse({ ref });
    const isLong = truncated || text.length > PREVIEW_CHARACTERS;
    return { text: text.slice(0, PREVIEW_CHARACTERS), isLong };
  }

  /** Take files off a note and give their references back; the files themselves stay where they are. */
  async remove(attachments) {
    for (const { id, ref } of attachments) {
      await this.#rows.delete(id);
      await this.#lime.files.releaseRef({ ref });
    }
  }

  /** What this app may read now. */
  held() {
    return this.#lime.files.listRefs();
  }

  /**
   * Give back what no note names, such as what an export left behind. Notes in the trash still name theirs.
   * @param held what was held when nobody could have chosen anything yet: what is chosen meanwhile is on its way to a note
   */
  async tidy(held) {
    const named = new Set((await this.#rows.query({ limit: 1_000 })).rows.map(({ ref }) => ref));
    for (const { ref } of held.filter((each) => !named.has(each.ref))) await this.#lime.files.releaseRef({ ref });
  }
}
