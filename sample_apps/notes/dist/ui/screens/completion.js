/** Titles to choose from while `[[` is being typed: by arrows and Enter, or by the pointer. */

import { h } from "../shared/html.js";

/** What stands between the last `[[` and the caret, or null. Pure. */
export function typedLink(text, caret) {
  return /\[\[([^[\]\n]{0,100})$/u.exec(text.slice(Math.max(0, caret - 102), caret))?.[1] ?? null;
}

export class Completion {
  #field;
  #find;
  #list = h("ul", { id: "completions", className: "completions", role: "listbox", hidden: true });
  #titles = [];
  #chosen = 0;
  #isDismissed = false;

  /** @param {HTMLTextAreaElement} field @param {(typed: string) => string[]} find */
  constructor(field, find, label) {
    this.#field = field;
    this.#find = find;
    this.#list.setAttribute("aria-label", label);
    field.setAttribute("aria-controls", "completions");
    field.setAttribute("aria-autocomplete", "list");
    field.addEventListener("input", () => {
      this.#isDismissed = false;
      this.#look();
    });
    field.addEventListener("keydown", (event) => this.#press(event));
    field.addEventListener("blur", () => this.#close());
    field.addEventListener("click", () => this.#close());
  }

  get element() {
    return this.#list;
  }

  /** Other titles are known now: one may fit what was typed before it was. */
  lookAgain() {
    if (this.#list.hidden && !this.#isDismissed && this.#field === document.activeElement) this.#look();
  }

  #look() {
    const { value, selectionStart } = this.#field;
    const typed = typedLink(value, selectionStart);
    this.#titles = typed === null ? [] : this.#find(typed);
    this.#chosen = 0;
    if (this.#titles.length === 0) this.#close();
    else this.#draw();
  }

  #draw() {
    const items = this.#titles.map((title, index) =>
      // The pointer goes down before the field loses the keyboard: chosen at once, it keeps it.
      h("li", { id: `completion-${index}`, role: "option", "aria-selected": index === this.#chosen, onmousedown: (event) => (event.preventDefault(), this.#take(title)) }, title),
    );
    this.#list.replaceChildren(...items);
    this.#list.hidden = false;
    const { left, top } = caretPlace(this.#field);
    Object.assign(this.#list.style, { left: `${left}px`, top: `${top}px` });
    this.#field.setAttribute("aria-activedescendant", `completion-${this.#chosen}`);
  }

  #press(event) {
    if (this.#list.hidden || event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) this.#chosen = (this.#chosen + step + this.#titles.length) % this.#titles.length;
    else if (["Enter", "Tab"].includes(event.key)) this.#take(this.#titles[this.#chosen]);
    else if (event.key === "Escape") this.#dismiss();
    else return;
    event.preventDefault();
    event.stopPropagation();
    if (step !== undefined) this.#draw();
  }

  /** As if it had been typed, so that the field's own undo takes it back. */
  #take(title) {
    const field = this.#field;
    const caret = field.selectionStart;
    const typed = typedLink(field.value, caret) ?? "";
    const after = field.value.slice(caret).startsWith("]]") ? 2 : 0;
    field.setSelectionRange(caret - typed.length, caret + after);
    document.execCommand("insertText", false, `${title}]]`);
    this.#close();
  }

  #dismiss() {
    this.#isDismissed = true;
    this.#close();
  }

  #close() {
    this.#list.hidden = true;
    this.#field.removeAttribute("aria-activedescendant");
  }
}

const MIRRORED = ["font", "lineHeight", "letterSpacing", "padding", "border", "width", "whiteSpace", "overflowWrap", "boxSizing"];

/** Where the caret stands on the page: the field says nothing about it, a copy of its text does. */
function caretPlace(field) {
  const style = getComputedStyle(field);
  const mark = h("span", {}, "\u200b");
  const copy = h("div", { "aria-hidden": "true" }, field.value.slice(0, field.selectionStart), mark);
  for (const name of MIRRORED) copy.style[name] = style[name];
  Object.assign(copy.style, { position: "absolute", visibility: "hidden", top: "0", left: "0" });
  document.body.append(copy);
  const place = { left: mark.offsetLeft, top: mark.offsetTop + mark.offsetHeight - field.scrollTop };
  copy.remove();
  return { left: Math.min(field.offsetLeft + place.left, field.offsetLeft + field.clientWidth - 220), top: field.offsetTop + place.top + 4 };
}
