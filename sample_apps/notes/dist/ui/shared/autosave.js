/** Saves a moment after the last keystroke, one save at a time, and says how it stands. */

const DELAY_MS = 500;
/** The host may be away for a moment: what could not be saved is tried again without anybody asking. */
const AGAIN_MS = 3_000;

export class Autosave {
  /** `saved`, `waiting`, `saving` or `failed`. */
  state = "saved";
  #save;
  #told;
  #timer;
  #saving = Promise.resolve();

  /** @param save keeps what there is at that moment  @param told hears of every new state, and of what failed */
  constructor(save, told = () => {}) {
    this.#save = save;
    this.#told = told;
  }

  /** Something was typed. */
  touch() {
    clearTimeout(this.#timer);
    this.#become("waiting");
    this.#timer = setTimeout(() => void this.flush(), DELAY_MS);
  }

  /** Save now what waits to be saved; resolves when it is kept, or failed. */
  flush() {
    clearTimeout(this.#timer);
    if (this.state === "waiting" || this.state === "failed") this.#saving = this.#saving.then(() => this.#run());
    return this.#saving;
  }

  async #run() {
    this.#become("saving");
    try {
      await this.#save();
      // Typed meanwhile: that is saved by its own timer.
      if (this.state === "saving") this.#become("saved");
    } catch (error) {
      this.#become("failed", error);
      this.#timer = setTimeout(() => void this.flush(), AGAIN_MS);
    }
  }

  /** Nobody waits for what is left: the page goes, or the note is gone. */
  drop() {
    clearTimeout(this.#timer);
    this.state = "saved";
  }

  #become(state, error) {
    this.state = state;
    this.#told(state, error);
  }
}
