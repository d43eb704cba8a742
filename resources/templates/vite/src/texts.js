/** The page's words, from the files that the host reads as well. */

import en from "../dist/ui/locales/en.json";
import zh from "../dist/ui/locales/zh-CN.json";

/** @typedef {(key: keyof typeof en, values?: Record<string, string>) => string} Texts */

/**
 * A function from a key to its words: `texts("remove.named", { text })`.
 * @param {string} locale
 * @returns {Texts}
 */
export function textsFor(locale) {
  const words = locale.toLowerCase().startsWith("zh") ? zh : en;
  document.documentElement.lang = words === zh ? "zh-CN" : "en";
  return (key, values = {}) => words[key].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
