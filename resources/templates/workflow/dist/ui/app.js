/** The page: starts the process, and shows how far it is. */

import { LimeError, getLimeRuntime, syncTheme } from "@lime/app-sdk";

import { STEPS, finishStep, nextStep, readProgress, startProcess } from "./process.js";
import { followLanguage } from "./texts.js";

const byId = (id) => document.getElementById(id);
let texts;

function show(done) {
  byId("steps").replaceChildren(...(done === null ? [] : STEPS.map((step) => row(step, done))));
  if (done?.length === STEPS.length) byId("state").textContent = texts("finished");
}

function row(key, done) {
  const item = document.createElement("li");
  const label = document.createElement("label");
  label.className = "row";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = done.includes(key);
  box.disabled = nextStep(done) !== key;
  box.addEventListener("change", () => attempt(async () => show(await finishStep(lime, key))));
  label.append(box, texts(`step.${key}`));
  item.append(label);
  return item;
}

async function start() {
  const { by, why } = await startProcess(lime);
  byId("state").textContent = by === "host" ? texts("by.host") : texts("by.hand", { why });
  show(await readProgress(lime));
}

/** Do something, and say in plain words where the host refuses. */
async function attempt(action) {
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
byId("start").addEventListener("click", () => attempt(start));
await followLanguage(lime, async (found) => {
  texts = found;
  await attempt(async () => show(await readProgress(lime)));
});
