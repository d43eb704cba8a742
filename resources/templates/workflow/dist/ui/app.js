/** The page: starts the process, and shows how far it is. */

import { LimeError, getLimeRuntime, syncTheme } from "@lime/app-sdk";

import { STEPS, finishStep, nextStep, readProgress, readRun, startProcess } from "./process.js";
import { followLanguage } from "./texts.js";

const LOOK_MS = 1_000;
const byId = (id) => document.getElementById(id);
let texts;
let waiting;

function show(done, isHosts = false) {
  byId("steps").replaceChildren(...(done === null ? [] : STEPS.map((step) => row(step, done, isHosts))));
  if (done?.length === STEPS.length) byId("state").textContent = texts("finished");
}

function row(key, done, isHosts) {
  const item = document.createElement("li");
  const label = document.createElement("label");
  label.className = "row";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = done.includes(key);
  box.disabled = isHosts || nextStep(done) !== key;
  box.addEventListener("change", () => attempt(async () => show(await finishStep(lime, key))));
  label.append(box, texts(`step.${key}`));
  item.append(label);
  return item;
}

async function start() {
  const { by, why } = await startProcess(lime);
  if (by === "person") byId("state").textContent = texts("by.hand", { why });
  await look();
}

/** Show how far the process is, and look again while the host leads it on. */
async function look() {
  clearTimeout(waiting);
  const run = await readRun(lime);
  if (run === null) return show(await readProgress(lime));
  byId("state").textContent = texts(`run.${run.status}`);
  show(run.done, true);
  if (!run.isOver) waiting = setTimeout(() => attempt(look), LOOK_MS);
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
  await attempt(look);
});
