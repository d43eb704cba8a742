/** The few shapes that every screen is made of. */

import { button, h } from "./html.js";

export function card(id, title, ...children) {
  return h("section", { className: "card", "aria-labelledby": id }, h("h2", { id }, title), ...children);
}

/** A control with its name above it. */
export const field = (name, control) => h("div", { className: "field" }, h("label", { htmlFor: control.id }, name), control);

export const primary = (id, text, onclick, more = {}) => button(text, onclick, { id, className: "primary", ...more });

export const plain = (id, text, onclick, more = {}) => button(text, onclick, { id, ...more });

/** @param {Record<string, string>} options */
export function choice(id, value, options, onchange) {
  const items = Object.entries(options).map(([key, text]) => h("option", { value: key }, text));
  const select = h("select", { id, onchange: () => onchange(select.value) }, ...items);
  select.value = value;
  return select;
}

/** Work that goes on: how far it is where that is known, and how to stop it. */
export function working(text, share, stop, stopText) {
  const bar = h("progress", { "aria-label": text, max: 1 });
  if (share !== undefined) bar.value = share;
  const button = plain("stop", stopText, stop, { "data-take-focus": "" });
  return h("div", { className: "working" }, h("div", { className: "row" }, h("p", { role: "status" }, text), h("span", { className: "spring" }), button), bar);
}

/** What went wrong, quietly where nothing is broken, and the way on. */
export const trouble = ({ again }, { title, action, code, isQuiet }, texts) =>
  h(
    "div",
    { className: isQuiet ? "tell" : "tell bad", role: isQuiet ? "status" : "alert", tabIndex: -1, "data-take-focus": "" },
    h("strong", {}, title),
    h("p", {}, action),
    again && h("div", { className: "row" }, plain("again", texts("page.retry"), again)),
    !isQuiet && h("code", {}, code),
  );
