/** The page: takes requests, and shows how far each of them is. */

import { LimeError, getLimeRuntime, syncTheme } from "@lime/app-sdk";

import { readBooked, readRequests, request, tryAgain } from "./purchases.js";
import { followLanguage } from "./texts.js";

const LOOK_MS = 1_000;
const byId = (id) => document.getElementById(id);
let texts;
let waiting;

/** Show every request, and look again while the host leads one of them on. */
async function look() {
  clearTimeout(waiting);
  const requests = await readRequests(lime);
  byId("requests").replaceChildren(...requests.map(row));
  byId("empty").hidden = requests.length > 0;
  const booked = await readBooked(lime);
  const sum = new Intl.NumberFormat(texts.language).format(booked.reduce((sum, { amount }) => sum + amount, 0));
  byId("booked").textContent = booked.length > 0 ? texts("booked", { sum }) : "";
  if (requests.some(({ isOver }) => !isOver)) waiting = setTimeout(() => attempt(look), LOOK_MS);
}

function row({ workflowRunId, what, amount, standing, receipt }) {
  const item = document.createElement("li");
  item.className = "row";
  const words = document.createElement("span");
  words.className = "wide";
  words.textContent = texts("request.named", { what, amount: new Intl.NumberFormat(texts.language).format(amount) });
  const state = document.createElement("span");
  state.className = "muted";
  state.textContent = texts(`run.${standing}`);
  item.append(words, state);
  if (receipt !== null) item.append(button("receipt", what, () => lime.artifacts.open({ artifactId: receipt })));
  if (standing === "waiting.retry" || standing === "failed") {
    item.append(button("again", what, async () => { await tryAgain(lime, workflowRunId); await look(); }));
  }
  return item;
}

function button(key, what, action) {
  const made = document.createElement("button");
  made.textContent = texts(key);
  made.setAttribute("aria-label", texts(`${key}.named`, { what }));
  made.addEventListener("click", () => attempt(action));
  return made;
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
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(async () => {
    await request(lime, { what: byId("what").value, amount: byId("amount").valueAsNumber });
    byId("form").reset();
    await look();
  });
});
await followLanguage(lime, async (found) => {
  texts = found;
  await attempt(look);
});
