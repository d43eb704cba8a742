/** The texts of one language, from the same files that the host reads. */

/** Give a function from a key to its text: `texts("table.rows", { count })`. */
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

/** A moment in the person's own way of writing it. */
export const momentIn = (texts, moment) =>
  new Date(moment).toLocaleString(texts.locale, { dateStyle: "medium", timeStyle: "short" });
