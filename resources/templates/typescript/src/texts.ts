/** The page's words in the person's language. They lie in `locales/`, one file per language. */

import type { HostSnapshot, LimeRuntime } from "@lime/app-sdk";

export type Texts = { (key: string, values?: Record<string, string>): string; language: string };

/** Call `speak` with the words of the person's language, now and whenever it changes. */
export async function followLanguage(lime: LimeRuntime, speak: (texts: Texts) => Promise<void>): Promise<void> {
  let locale: string | undefined;
  const follow = async ({ host }: HostSnapshot): Promise<void> => {
    if (host.locale === locale) return;
    locale = host.locale;
    const texts = await loadTexts(host.locale);
    // Words take a moment to come, and the language may have changed again meanwhile.
    if (host.locale !== locale) return;
    showTexts(texts);
    await speak(texts);
  };
  lime.onSnapshot(follow);
  await follow(lime.snapshot);
}

/** A function from a key to its words: `texts("remove.named", { text })`. */
async function loadTexts(locale: string): Promise<Texts> {
  const language = locale.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  const words: Record<string, string> = await (await fetch(`/locales/${language}.json`)).json();
  const texts = (key: string, values: Record<string, string> = {}): string =>
    (words[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
  return Object.assign(texts, { language });
}

/** Put words into every element that names some by `data-text`, `data-label` or `data-hint`. */
function showTexts(texts: Texts): void {
  document.documentElement.lang = texts.language;
  for (const each of document.querySelectorAll<HTMLElement>("[data-text]")) each.textContent = texts(each.dataset.text ?? "");
  for (const each of document.querySelectorAll<HTMLElement>("[data-label]")) each.ariaLabel = texts(each.dataset.label ?? "");
  for (const each of document.querySelectorAll<HTMLInputElement>("[data-hint]")) each.placeholder = texts(each.dataset.hint ?? "");
}
