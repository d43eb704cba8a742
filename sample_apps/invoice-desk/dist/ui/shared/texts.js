/** The texts of one language, from the same files that the host reads. */

/** Give a function from a key to its text: `texts(key, { query })`. */
export async function loadTexts(locale) {
  const file = locale.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  return textsOf(await (await fetch(`/locales/${file}.json`)).json(), file);
}

/**
 * The same for a tree of texts that is already at hand. A text with two forms, `{ "one": …, "other": … }`, is chosen by
 * the value `count`.
 */
export function textsOf(tree, locale) {
  const rules = new Intl.PluralRules(locale);
  const texts = (key, values = {}, otherwise = key) => {
    let found = key.split(".").reduce((branch, part) => branch?.[part], tree) ?? otherwise;
    if (typeof found === "object") found = found[rules.select(values.count)] ?? found.other;
    return found.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  };
  return Object.assign(texts, { locale });
}

/**
 * Call `speak` with the texts of the host's language, now and whenever it changes. Texts take a moment to come: whoever
 * changes the language several times in a row hears the last one, whichever texts come last.
 */
export async function followTexts(lime, speak) {
  let wanted;
  let telling;
  const tell = async (locale) => {
    try {
      const texts = await loadTexts(locale);
      if (locale === wanted) await speak(texts);
    } catch (error) {
      if (locale === wanted) wanted = undefined;
      throw error;
    }
  };
  // Who asks for a language that is on its way waits for it: nobody goes on without texts.
  const follow = ({ host: { locale } }) => {
    if (locale !== wanted) {
      wanted = locale;
      telling = tell(locale);
    }
    return telling;
  };
  // A page that is on its way out gets no texts any more; one that stays is told again.
  lime.onSnapshot((snapshot) => follow(snapshot).catch(() => {}));
  await follow(lime.snapshot);
}

/** Put the texts into every element of the page that names one with `data-text`, `data-label` or `data-title`. */
export function showTexts(texts) {
  document.documentElement.lang = texts.locale;
  document.title = texts("title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = texts(element.dataset.text);
  for (const element of document.querySelectorAll("[data-label]")) {
    element.setAttribute("aria-label", texts(element.dataset.label));
    if ("placeholder" in element) element.placeholder = texts(element.dataset.label);
    else if (element.tagName === "BUTTON") element.title = [texts(element.dataset.label), element.dataset.keys && `(${element.dataset.keys})`].filter(Boolean).join(" ");
  }
}

/** A moment in the person's own way of writing it: the time today, the date before. */
export function momentIn(texts, moment, now = new Date()) {
  const at = new Date(moment);
  if (at.toDateString() === now.toDateString()) return at.toLocaleTimeString(texts.locale, { timeStyle: "short" });
  const isThisYear = at.getFullYear() === now.getFullYear();
  return at.toLocaleDateString(texts.locale, isThisYear ? { month: "short", day: "numeric" } : { dateStyle: "medium" });
}

const LARGER = ["KB", "MB", "GB", "TB"];

/** A file's size as a person says it, and as Lime itself writes it. */
export function sizeIn(texts, bytes) {
  if (bytes < 1_000) return `${bytes} ${texts.locale.startsWith("zh") ? "字节" : bytes === 1 ? "byte" : "bytes"}`;
  let [amount, unit] = [bytes / 1_000, 0];
  for (; Math.round(amount) >= 1_000 && unit < LARGER.length - 1; unit += 1) amount /= 1_000;
  return `${amount.toLocaleString(texts.locale, { maximumFractionDigits: amount < 100 ? 1 : 0 })} ${LARGER[unit]}`;
}
