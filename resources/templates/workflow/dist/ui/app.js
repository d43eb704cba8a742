/** The page: starts the process, and shows how far it is. */

import { LimeError, getLimeRuntime, syncTheme } from "@lime/app-sdk";

import { STEPS, finishStep, nextStep, readProgress, startProcess } from "./process.js";

const byId = (id) => document.getElementById(id);

function show(done) {
  byId("steps").replaceChildren(...(done === null ? [] : STEPS.map((step) => row(step, done))));
  if (done?.length === STEPS.length) byId("state").textContent = "Every step is done.";
}

function row({ key, title }, done) {
  const item = document.createElement("li");
  const label = document.createElement("label");
  label.className = "row";
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = done.includes(key);
  box.disabled = nextStep(done)?.key !== key;
  box.addEventListener("change", () => attempt(async () => show(await finishStep(lime, key))));
  label.append(box, title);
  item.append(label);
  return item;
}

async function start() {
  const { by, why } = await startProcess(lime);
  byId("state").textContent = by === "host" ? "The host runs the process." : `${why} Tick the steps off by hand.`;
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
await attempt(async () => show(await readProgress(lime)));
