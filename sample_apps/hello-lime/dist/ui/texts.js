/** The texts of one language, from the same files that the host reads. */

const SUPPORTED = ["en", "zh-CN"];

/** Give a function from a key to its text: `texts("page.saved", { time })`. */
export async function loadTexts(locale) {
  const file = locale.toLowerCase().startsWith("zh") ? "zh-CN" : SUPPORTED[0];
  const tree = await (await fetch(`/locales/${file}.json`)).json();
  const texts = (key, values = {}, otherwise = key) => {
    const found = key.split(".").reduce((branch, part) => branch?.[part], tree) ?? otherwise;
    return found.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  };
  return Object.assign(texts, { locale: file });
}

/** Put the texts into every element that names one with `data-text`. */
export function showTexts(texts) {
  document.documentElement.lang = texts.locale;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = texts(element.dataset.text);
  }
}
