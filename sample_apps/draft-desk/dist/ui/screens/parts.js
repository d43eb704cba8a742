/** The few shapes that every screen is made of. */

import { button, h } from "/shared/html.js";

/** A step of the way from a brief to a file. */
export const step = (id, title, ...children) =>
  h("section", { className: "step", "aria-labelledby": `step-${id}` }, h("h2", { id: `step-${id}` }, title), ...children);

/** A control with its name above it. */
export const field = (name, control) => h("div", { className: "field" }, h("label", { htmlFor: control.id }, name), control);

export const primary = (id, text, onclick, more = {}) => button(text, onclick, { id, className: "primary", ...more });

export const plain = (id, text, onclick, more = {}) => button(text, onclick, { id, ...more });

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
    h("div", { className: "row" }, h("p", { role: "status", tabIndex: stop ? null : -1, "data-take-focus": stop ? null : "" }, text), h("span", { className: "spring" }), stop && plain("stop", stopText, stop, { "data-take-focus": "" })),
    h("progress", { "aria-label": text }),
  );

/** What went wrong, quietly where the person did it themselves or nothing is wrong, and the way on. */
export const trouble = ({ again }, { title, action, code, isQuiet, isNoModel }, texts, { outline } = {}) =>
  h(
    "div",
    { className: isQuiet ? "tell" : "tell bad", role: isQuiet ? "status" : "alert", tabIndex: -1, "data-take-focus": again ? null : "" },
    h("strong", {}, title),
    h("p", {}, action),
    h(
      "div",
      { className: "row" },
      again && plain("again", texts("page.retry"), again, { "data-take-focus": "" }),
      isNoModel && outline && plain("outline-instead", texts("brief.outline"), outline),
    ),
    !isQuiet && h("code", {}, code),
  );
