/** The page: shows the list and passes on what a person does to it. */

import { LimeError, getLimeRuntime, syncTheme } from "@lime/app-sdk";

import { addItem, readItems, removeItem, type Item } from "./items.js";
import { followLanguage, type Texts } from "./texts.js";

let texts: Texts;

function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}`);
  return found as T;
}

function show(items: Item[]): void {
  byId("items").replaceChildren(...items.map(row));
  byId("empty").hidden = items.length > 0;
}

function row({ id, text }: Item): HTMLLIElement {
  const item = document.createElement("li");
  item.className = "row";
  const words = document.createElement("span");
  words.className = "wide";
  words.textContent = text;
  const remove = document.createElement("button");
  remove.textContent = texts("remove");
  remove.setAttribute("aria-label", texts("remove.named", { text }));
  remove.addEventListener("click", () => attempt(async () => show(await removeItem(lime, id))));
  item.append(words, remove);
  return item;
}

/** Do something, and say in plain words where the host refuses. */
async function attempt(action: () => Promise<void>): Promise<void> {
  byId("problem").textContent = "";
  try {
    await action();
  } catch (error) {
    if (!(error instanceof LimeError)) throw error;
    byId("problem").textContent = error.userAction ?? error.message;
  }
}

const lime = await getLimeRuntime();
syncTheme(lime);
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    const text = byId<HTMLInputElement>("text");
    show(await addItem(lime, text.value));
    text.value = "";
  });
});
await followLanguage(lime, async (found) => {
  texts = found;
  await attempt(async () => show(await readItems(lime)));
});
