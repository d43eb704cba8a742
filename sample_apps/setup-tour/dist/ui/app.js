/** Setup Tour: look at each thing the app needs, by really using it, and say whether it is there. */

import { LimeError, getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";

/** A step is there when its call works; what the host says otherwise is shown as it is. */
const STEPS = {
  permission: (lime) => lime.storage.set({ key: "last-visit", value: new Date().toISOString() }),
  secret: (lime) => lime.secrets.getRef({ key: "any_word" }),
  migration: (lime) => lime.storage.table("step").upsert({ key: "seen", at: new Date().toISOString() }),
  knowledge: (lime) => lime.knowledge.bindStatus({ key: "handbook" }).then(refuseUnbound),
};

function refuseUnbound({ status }) {
  if (status !== "bound" && status !== "indexing") {
    throw new LimeError({ stableCode: "readiness_blocked", message: status });
  }
}

const list = document.getElementById("steps");
const lime = await getLimeRuntime();
let last;
syncTheme(lime);
lime.onSnapshot(show);
await show(lime.snapshot);

async function show(snapshot) {
  last = snapshot;
  const texts = await textsFor(snapshot.host.locale);
  // Texts take a moment to come, and what the host said meanwhile is shown already.
  if (last !== snapshot) return;
  document.documentElement.lang = snapshot.host.locale;
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = texts[element.dataset.text];
  }
  const outcomes = await Promise.all(Object.entries(STEPS).map(([key, look]) => outcomeOf(key, look)));
  if (last === snapshot) list.replaceChildren(...outcomes.map((outcome) => row(outcome, texts)));
}

async function outcomeOf(key, look) {
  try {
    await look(lime);
    return { key, isDone: true };
  } catch (error) {
    if (!(error instanceof LimeError)) throw error;
    return { key, isDone: false, why: error.message };
  }
}

function row({ key, isDone, why }, texts) {
  const item = document.createElement("li");
  item.className = isDone ? "done" : "open";
  item.dataset.step = key;
  const mark = Object.assign(document.createElement("span"), { className: "mark", textContent: isDone ? "✓" : "✗" });
  mark.setAttribute("aria-label", isDone ? texts.done : texts.open);
  const title = Object.assign(document.createElement("strong"), { textContent: texts[`${key}.title`] });
  const about = Object.assign(document.createElement("small"), { textContent: why ?? texts[`${key}.done`] });
  item.append(mark, title, about);
  return item;
}

async function textsFor(locale) {
  const file = locale.toLowerCase().startsWith("zh") ? "zh-CN" : "en";
  return (await fetch(`/locales/${file}.json`)).json();
}
