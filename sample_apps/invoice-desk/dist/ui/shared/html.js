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
 * Show other children in a place without taking the keyboard away: what had the focus keeps it by its id, and where it
 * is gone or asleep, what stands in its stead is named by `data-take-focus`.
 */
export function show(place, ...children) {
  const hadFocus = place.contains(document.activeElement);
  const id = document.activeElement?.id;
  place.replaceChildren(...children.flat().filter(Boolean));
  if (!hadFocus) return;
  if (id) document.getElementById(id)?.focus({ preventScroll: true });
  takeFocus(place);
}

/** Put the keyboard where a person acts next, unless they are somewhere already. What is disabled or folded away takes none. */
export function takeFocus(place, where = "[data-take-focus]") {
  for (const next of place.querySelectorAll(where)) {
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    next.focus();
  }
}

/** A button that says what it does, with its keys where it has some. */
export const button = (label, onclick, { keys, ...properties } = {}) =>
  h("button", { type: "button", onclick, title: keys && `${label} (${keys})`, "aria-keyshortcuts": ariaKeys(keys), ...properties }, label);

/** A button that is a picture; its name is what a screen reader says, and what a resting pointer shows. */
export const iconButton = (name, label, onclick, { keys, ...properties } = {}) =>
  h(
    "button",
    {
      type: "button",
      className: "icon",
      onclick,
      title: keys ? `${label} (${keys})` : label,
      "aria-label": label,
      "aria-keyshortcuts": ariaKeys(keys),
      ...properties,
    },
    icon(name),
  );

const ariaKeys = (keys) => keys?.replaceAll("Ctrl", "Control");

const SVG = "http://www.w3.org/2000/svg";

/** Lines on a grid of 20, drawn in the colour of the text around them. */
const ICONS = {
  add: "M10 4v12M4 10h12",
  back: "M12 4l-6 6 6 6",
  bin: "M4 6h12M8 6V4h4v2M6 6l1 10h6l1-10",
  bulb: "M7 13a5 5 0 1 1 6 0v1.5H7zM8 17h4",
  chart: "M4 16V9M10 16V4M16 16v-5",
  check: "M4 10.5l4 4 8-9",
  close: "M5 5l10 10M15 5L5 15",
  edit: "M4 16l1-4 8-8 3 3-8 8z",
  eye: "M2.5 10S5.5 5 10 5s7.5 5 7.5 5-3 5-7.5 5-7.5-5-7.5-5zM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4z",
  file: "M6 3h5l4 4v10H6zM11 3v4h4",
  folder: "M3 5h5l2 2h7v9H3z",
  in: "M10 4v8M6.5 8.5L10 12l3.5-3.5M4 16h12",
  more: "M5 10h.01M10 10h.01M15 10h.01",
  note: "M5 3h10v14H5zM8 7h4M8 10h4M8 13h2",
  out: "M10 12V4M6.5 7.5L10 4l3.5 3.5M4 16h12",
  pin: "M10 12v5M6 12h8l-1.5-3V4h-5v5z",
  search: "M9 14A5 5 0 1 0 9 4a5 5 0 0 0 0 10zM13 13l4 4",
  table: "M3 4h14v12H3zM3 8h14M8 8v8",
};

export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  for (const [key, value] of Object.entries({ viewBox: "0 0 20 20", class: "drawn", "aria-hidden": "true" })) svg.setAttribute(key, value);
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}
