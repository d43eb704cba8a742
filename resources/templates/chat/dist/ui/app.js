/** The page: takes a question, shows the answer as it comes, and can stop it. */

import { LimeError, getLimeRuntime, syncTheme } from "@lime/app-sdk";

import { NoAnswer, ask } from "./asking.js";
import { followLanguage } from "./texts.js";

const byId = (id) => document.getElementById(id);
let stopping;
let texts;

async function answer(question) {
  stopping = new AbortController();
  byId("answer").textContent = byId("problem").textContent = "";
  byId("state").textContent = texts("thinking");
  setBusy(true);
  try {
    byId("answer").textContent = await ask(lime, question, {
      onText: (soFar) => (byId("answer").textContent = soFar),
      onQuestion: () => (byId("state").textContent = texts("asked")),
      signal: stopping.signal,
    });
  } catch (error) {
    if (!(error instanceof LimeError) && !(error instanceof NoAnswer)) throw error;
    const isStopped = error.isStopped || error.code === "cancelled";
    byId("problem").textContent = isStopped ? "" : (error.userAction ?? error.message);
  } finally {
    byId("state").textContent = "";
    setBusy(false);
  }
}

function setBusy(isBusy) {
  byId("ask").disabled = isBusy;
  byId("stop").disabled = !isBusy;
}

const lime = await getLimeRuntime();
syncTheme(lime);
await followLanguage(lime, (found) => (texts = found));
byId("stop").addEventListener("click", () => stopping?.abort());
byId("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const question = byId("question").value.trim();
  if (question !== "") answer(question);
});
