/** The texts of one language, from the same files that the host reads. */

/** Give a function from a key to its text: `texts("list.noneFound", { query })`. */
export async function loadTexts(locale) {
  const file = locale.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  return textsOf(await (await fetch(`/locales/${file}.json`)).json(), file);
}

/** The same for a tree of texts that is already at hand. */
export function textsOf(tree, locale) {
  const texts = (key, values = {}, otherwise = key) => {
    const found = key.split(".").reduce((branch, part) => branch?.[part], tree) ?? otherwise;
    return found.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  };
  return Object.assign(texts, { locale });
}

/** Put the texts into every element of the page that names one with `data-text` or `data-label`. */
export function showTexts(texts) {
  document.documentElement.lang = texts.locale;
  document.title = texts("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = texts(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", texts(element.dataset.label));
    if ("placeholder" in element) element.placeholder = texts(element.dataset.label);
  }
}

/** A moment in the person's own way of writing it: the time today, the date before. */
export function momentIn(texts, moment, now = new Date()) {
  const at = new Date(moment);
  const isToday = at.toDateString() === now.toDateString();
  return at.toLocaleString(texts.locale, isToday ? { timeStyle: "short" } : { dateStyle: "medium" });
}
