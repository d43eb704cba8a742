/** What is an element called, and what is it, to somebody who cannot see it? The part of ARIA that app pages use. */

/** @type {Record<string, string>} */
const ROLES = {
  A: "link", ARTICLE: "article", ASIDE: "complementary", BUTTON: "button", DIALOG: "dialog", FORM: "form",
  H1: "heading", H2: "heading", H3: "heading", H4: "heading", HEADER: "banner", IMG: "img", LI: "listitem",
  MAIN: "main", NAV: "navigation", OL: "list", OPTION: "option", OUTPUT: "status", PROGRESS: "progressbar",
  SELECT: "combobox", SUMMARY: "button", TABLE: "table", TD: "cell", TEXTAREA: "textbox", TH: "columnheader",
  TR: "row", UL: "list",
};
/** @type {Record<string, string>} */
const INPUT_ROLES = { button: "button", checkbox: "checkbox", number: "spinbutton", radio: "radio", range: "slider",
  reset: "button", search: "searchbox", submit: "button" };

/** @param {Element} element */
export function roleOf(element) {
  const written = element.getAttribute("role");
  if (written) return written.split(" ")[0];
  if (element.tagName === "INPUT") return INPUT_ROLES[/** @type {HTMLInputElement} */ (element).type] ?? "textbox";
  return ROLES[element.tagName] ?? "";
}

/** @param {Element} element @returns {string} */
export function accessibleName(element) {
  const field = /** @type {HTMLInputElement} */ (element);
  const content = element.ownerDocument;
  const labelledBy = element.getAttribute("aria-labelledby");
  if (labelledBy) {
    return labelledBy.split(/\s+/).map((id) => wordsOf(content.getElementById(id))).join(" ").trim();
  }
  const label = element.getAttribute("aria-label");
  if (label?.trim()) return label.trim();
  if (field.labels?.length) return [...field.labels].map(labelWords).join(" ").trim();
  const own = ["INPUT", "SELECT", "TEXTAREA"].includes(element.tagName) ? buttonWords(field) : wordsOf(element);
  return own || element.getAttribute("alt") || element.getAttribute("title") || field.placeholder || "";
}

/** @param {HTMLInputElement} field */
const buttonWords = (field) => (["button", "submit", "reset"].includes(field.type) ? field.value : "");

/** A label's words without what stands in the fields inside it. @param {HTMLLabelElement} label */
function labelWords(label) {
  const copy = /** @type {HTMLElement} */ (label.cloneNode(true));
  for (const field of copy.querySelectorAll("input, select, textarea, button")) field.remove();
  return (copy.textContent ?? "").replace(/\s+/g, " ").trim();
}

/** @param {Element | null} element @returns {string} */
function wordsOf(element) {
  const words = element?.textContent?.replace(/\s+/g, " ").trim();
  if (words || !element) return words ?? "";
  const picture = element.querySelector("img[alt], svg[aria-label]");
  return picture?.getAttribute("alt") ?? picture?.getAttribute("aria-label") ?? "";
}

/** @param {Element} element */
export const isVisible = (element) =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
