/** The page: gives the text to the engine, shows how far it is, and what came of it. */

import { LimeError, getLimeRuntime, syncTheme } from "@lime/app-sdk";

import { followLanguage } from "./texts.js";
import { countWords } from "./words.js";

const byId = (id) => document.getElementById(id);
let texts;
let stopping = new AbortController();

function show({ total, words }) {
  byId("total").textContent = texts("total", { total });
  byId("words").replaceChildren(
    ...words.map(([word, times]) => {
      const item = document.createElement("li");
      item.textContent = `${word} × ${times}`;
      return item;
    }),
  );
}

function setBusy(isBusy) {
  byId("count").disabled = isBusy;
  byId("stop").disabled = !isBusy;
  byId("progress").hidden = !isBusy;
  byId("progress").value = 0;
}

async function count(lime) {
  stopping = new AbortController();
  for (const each of ["problem", "total", "words"]) byId(each).replaceChildren();
  setBusy(true);
  try {
    const found = await countWords(lime, byId("text").value, {
      onProgress: (share) => (byId("progress").value = share),
      signal: stopping.signal,
    });
    if (found) show(found);
    else byId("total").textContent = texts("stopped");
  } catch (error) {
    const advice = error instanceof LimeError ? error.userAction : null;
    byId("problem").textContent = [error.message, advice].filter(Boolean).join(" ");
  } finally {
    setBusy(false);
  }
}

const lime = await getLimeRuntime();
syncTheme(lime);
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  count(lime);
});
byId("stop").addEventListener("click", () => stopping.abort());
await followLanguage(lime, (found) => {
  texts = found;
});
