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

/**
 * Show other children in a place without taking the keyboard away: what had the focus keeps it by its id, and what
 * stands in its stead is named by `data-take-focus`.
 */
export function show(place, ...children) {
  const hadFocus = place.contains(document.activeElement);
  const id = document.activeElement?.id;
  place.replaceChildren(...children.flat().filter(Boolean));
  if (!hadFocus) return;
  const next = (id && document.getElementById(id)) || place.querySelector("[data-take-focus]");
  next?.focus({ preventScroll: true });
}
