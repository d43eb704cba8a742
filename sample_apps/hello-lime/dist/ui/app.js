/** Hello Lime: read a greeting from the host's storage, show it, let a person change it. */

import { HostBridge, HostError } from "/bridge.js";
import { loadTexts, showTexts } from "/texts.js";
import { applyTheme } from "/theme.js";

const APP_ID = "hello-lime";
const KEY = "greeting";

const byId = (id) => document.getElementById(id);
const page = {
  greeting: byId("greeting"),
  form: byId("form"),
  text: byId("text"),
  save: byId("save"),
  status: byId("status"),
  problem: byId("problem"),
  problemTitle: byId("problem-title"),
  problemAction: byId("problem-action"),
  problemCode: byId("problem-code"),
  retry: byId("retry"),
};

let texts = await loadTexts(navigator.language);
let wanted = texts.locale;
let speaking = Promise.resolve();
let bridge;

async function start() {
  showTexts(texts);
  bridge ??= connectedBridge();
  const snapshot = await bridge.connect();
  await follow(snapshot);
  show((await bridge.invoke("lime.storage", "get", { key: KEY })) ?? texts("page.firstGreeting"));
  page.text.disabled = page.save.disabled = false;
  // There is one thing to do here; whoever went somewhere else meanwhile stays there.
  if (document.activeElement === document.body) page.text.focus();
}

function connectedBridge() {
  const made = new HostBridge(APP_ID);
  made.on("theme:update", applyTheme);
  made.on("host:snapshot", follow);
  return made;
}

/** Take over the host's theme and language; the host sends a snapshot again when they change. */
async function follow(snapshot) {
  applyTheme(snapshot.theme);
  const locale = snapshot.host?.locale;
  if (locale !== undefined && locale !== wanted) {
    wanted = locale;
    speaking = speak(locale);
  }
  // Also where the same language was told before: its texts may still be on their way.
  await speaking;
}

async function speak(locale) {
  const found = await loadTexts(locale);
  // Texts take a moment to come, and the language may have changed again meanwhile.
  if (locale !== wanted) return;
  texts = found;
  showTexts(texts);
}

async function save() {
  const value = page.text.value.trim();
  if (value === "") return;
  page.save.disabled = true;
  page.status.textContent = texts("page.saving");
  try {
    await bridge.invoke("lime.storage", "set", { key: KEY, value });
    show(value);
    const time = new Date().toLocaleTimeString(texts.locale);
    page.status.textContent = texts("page.saved", { time });
  } finally {
    page.save.disabled = false;
  }
}

function show(greeting) {
  page.greeting.textContent = greeting;
  page.text.value = greeting;
}

/** Run an action; show what goes wrong, and offer to do it again where that can help. */
async function attempt(action) {
  page.problem.hidden = true;
  try {
    await action();
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    page.status.textContent = "";
    page.problemTitle.textContent = texts(`errors.${error.code}`, {}, error.message);
    page.problemAction.textContent = error.userAction ?? texts(`actions.${error.code}`, {}, "");
    page.problemCode.textContent = [error.code, error.traceId].filter(Boolean).join(" · ");
    page.retry.hidden = !error.isRetryable;
    page.retry.onclick = () => attempt(action);
    page.problem.hidden = false;
  }
}

page.form.addEventListener("submit", (event) => {
  event.preventDefault();
  attempt(save);
});

attempt(start);
