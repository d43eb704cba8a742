/** Elements without a framework: `h("button", { onclick: save }, "Save")`. */

/** Make an element. A key that starts with `on` is a listener, one with a dash an attribute, any other a property. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.includes("-") || name === "role") element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Show other children in a place. What had the keyboard keeps it, found again by its id. */
export function show(place, ...children) {
  const focused = place.contains(document.activeElement) ? document.activeElement.id : "";
  place.replaceChildren(...children.flat().filter(Boolean));
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

/** A button that says what it does, with its keys where it has some. */
export const button = (label, onclick, { keys, ...properties } = {}) =>
  h("button", { type: "button", onclick, title: keys && `${label} (${keys})`, "aria-keyshortcuts": keys, ...properties }, label);
