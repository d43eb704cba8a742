/** Notes: connect to the host, follow its theme and language, and join the notebook with what is seen of it. */

import { getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";

import "./shared/typing_guard.js";
import { listenToKeys } from "./keys.js";
import { Notebook } from "./notebook.js";
import { AskScreen } from "./screens/ask.js";
import { DoneScreen } from "./screens/done.js";
import { EditorScreen } from "./screens/editor.js";
import { ListScreen } from "./screens/list.js";
import { followTexts, loadTexts, showTexts } from "./shared/texts.js";

let texts = await loadTexts(navigator.language);
showTexts(texts);

const lime = await getLimeRuntime();
syncTheme(lime);

const notebook = new Notebook(
  lime,
  () => texts,
  (part) => showPart(part),
);
const place = (id) => document.getElementById(id);
const openAddress = (url) => lime.ui.openExternal({ url }).catch(() => {});
const list = new ListScreen(notebook, () => texts, { head: place("head"), tags: place("tags"), notes: place("notes"), foot: place("foot"), sure: place("sure") }, { toggleAsk });
const editor = new EditorScreen(notebook, () => texts, place("editor"), { openAddress });
const screens = [list, editor, new AskScreen(notebook, () => texts, place("ask"), () => toggleAsk()), new DoneScreen(notebook, () => texts, place("notice"))];

function showPart(part) {
  for (const screen of screens) screen.show(part);
}

function toggleAsk() {
  const ask = place("ask");
  ask.hidden = !ask.hidden;
  list.show("list");
  if (ask.hidden) editor.focus();
  else ask.querySelector("input")?.focus();
}

await followTexts(lime, (found) => {
  texts = found;
  showTexts(texts);
  for (const part of ["list", "note", "ask", "done"]) showPart(part);
});
// What was said of a model that was not there holds no longer once there is one.
lime.onSnapshot(() => showPart("ask"));
// Who looks away may close the window next: nothing typed waits for its timer then.
lime.onVisibility(({ visible }) => !visible && notebook.flush());
listenToKeys(notebook, { search: () => list.search(), toggleAsk, togglePreview: () => editor.togglePreview() });
await notebook.load();
// The keyboard begins where one writes; whoever went somewhere else meanwhile stays there.
if (document.activeElement === document.body) (place("first") ?? editor).focus();
