/** Folder Desk: connect to the host, follow its theme and language, and join the desk with what is seen of it. */

import { getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";
import "/shared/typing_guard.js";
import { Desk } from "/desk.js";
import { listenToKeys } from "/keys.js";
import { AskScreen } from "/screens/ask.js";
import { DocumentScreen } from "/screens/document.js";
import { DraftScreen } from "/screens/draft.js";
import { FilesScreen } from "/screens/files.js";
import { emptyDesk, starting } from "/screens/opening.js";
import { listenToDrops } from "/shared/dropping.js";
import { show, takeFocus } from "/shared/html.js";
import { Notice } from "/shared/notice.js";
import { followTexts, showTexts } from "/shared/texts.js";

const place = (id) => document.getElementById(id);

const lime = await getLimeRuntime();
syncTheme(lime);
let texts;
const words = () => texts;

const desk = new Desk(lime, words, (part) => showPart(part));
const notice = new Notice(place("notice"));
const openAddress = (url) => lime.ui.openExternal({ url }).catch(() => {});
const files = new FilesScreen(desk, words, place("files"));
const ask = new AskScreen(desk, words, place("main"), { openAddress });
const draft = new DraftScreen(desk, words, place("main"), { openAddress });
const reader = new DocumentScreen(desk, words, place("document"));

function showPart(part) {
  if (part === "done") return showDone();
  place("page").className = [desk.isLoaded ? "" : "starting", desk.folder === null && desk.draft === null ? "without" : "", desk.drafts.length > 0 ? "drafts" : ""].join(" ");
  files.show(part);
  reader.show(part);
  if (desk.draft !== null) return draft.show(part);
  draft.leave();
  if (desk.folder !== null) return ask.show(part);
  ask.leave();
  if (part === "main") show(place("main"), desk.isLoaded || desk.problem ? emptyDesk(desk, texts) : starting(texts));
}

function showDone() {
  const { done } = desk;
  if (done === null) return notice.clear();
  const undo = done.undo && (() => desk.undo());
  notice.say(texts(`done.${done.kind}`, done.values), { undo, label: texts("done.undo"), keys: "Ctrl+Shift+Z", gone: () => desk.letGo() });
}

function speak(found) {
  texts = found;
  showTexts(texts);
  place("over").textContent = texts("empty.drop");
  for (const part of ["files", "main", "document"]) showPart(part);
}

await followTexts(lime, speak);
// A model may have come or gone.
lime.onSnapshot(() => desk.busy === null && showPart("main"));
// Who looks away may close the window next; who comes back may have put a file into the folder.
lime.onVisibility(({ visible }) => (visible ? desk.lookAgain() : desk.flush()));
listenToDrops(place("over"), () => desk.openDropped());
listenToKeys(desk, { focusQuestion: () => ask.focus() });
await desk.load();
takeFocus(place("main"));
