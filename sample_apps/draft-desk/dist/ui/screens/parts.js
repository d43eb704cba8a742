/** The few shapes that every screen is made of. */

import { h } from "/html.js";

/** A numbered step of the way from a brief to a file. */
export function card(number, title, isReached, ...children) {
  const id = `step-${number}`;
  return h(
    "section",
    { className: `card${isReached ? "" : " later"}`, "aria-labelledby": id },
    h("h2", { id }, h("span", { className: "number", "aria-hidden": "true" }, String(number)), title),
    ...children,
  );
}

/** A control with its name above it. */
export function field(name, control, hint) {
  const about = hint && h("small", { id: `${control.id}-hint` }, hint);
  if (about) control.setAttribute("aria-describedby", about.id);
  return h("div", { className: "field" }, h("label", { htmlFor: control.id }, name), control, about);
}

export const primary = (id, text, onclick, more = {}) =>
  h("button", { id, type: "button", className: "primary", onclick, ...more }, text);

export const plain = (id, text, onclick, more = {}) => h("button", { id, type: "button", onclick, ...more }, text);

export function choice(id, value, options, onchange) {
  const items = Object.entries(options).map(([key, text]) => h("option", { value: key }, text));
  const select = h("select", { id, onchange: () => onchange(select.value) }, ...items);
  select.value = value;
  return select;
}

/** Work that goes on: what it is, and how to stop it where that is possible. */
export const working = (text, stop, stopText) =>
  h(
    "div",
    { className: "working" },
    h("progress", { "aria-label": text }),
    h("p", { role: "status" }, text),
    stop && plain("stop", stopText, stop, { "data-take-focus": "" }),
  );

/** What went wrong, quietly where the person did it themselves. */
export const trouble = ({ title, action, code, isQuiet }) =>
  h(
    "div",
    { className: isQuiet ? "notice" : "notice bad", role: isQuiet ? "status" : "alert", tabIndex: -1, "data-take-focus": "" },
    h("strong", {}, title),
    h("p", {}, action),
    !isQuiet && h("code", {}, code),
  );
