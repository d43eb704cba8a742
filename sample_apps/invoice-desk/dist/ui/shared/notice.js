/** A line at the bottom that says what was done and offers to undo it, for a while. It floats, so nothing moves. */

import { button, h, show } from "./html.js";

const STAYS_MS = 10_000;

export class Notice {
  #place;
  #timer;

  constructor(place) {
    place.classList.add("floating");
    place.setAttribute("role", "status");
    this.#place = place;
  }

  /** Say something; with `undo` there is a button beside it. `gone` hears that nobody took it. */
  say(message, { undo, label, keys, gone = () => {} } = {}) {
    this.clear();
    const end = () => {
      this.clear();
      gone();
    };
    const take = undo && button(label, () => (this.clear(), undo()), { id: "undo", keys });
    show(this.#place, h("div", {}, h("span", {}, message), take));
    this.#timer = setTimeout(end, STAYS_MS);
  }

  clear() {
    clearTimeout(this.#timer);
    show(this.#place);
  }
}
