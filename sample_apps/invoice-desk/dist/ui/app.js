/** Invoice Desk: connect to the host, follow its theme and language, and join the desk with what is seen of it. */

import { getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";
import "/shared/typing_guard.js";
import { Desk } from "/desk.js";
import { listenToKeys } from "/keys.js";
import { mainOf } from "/screens/main.js";
import { topOf } from "/screens/top.js";
import { listenToDrops } from "/shared/dropping.js";
import { show, takeFocus } from "/shared/html.js";
import { Notice } from "/shared/notice.js";
import { followTexts, showTexts } from "/shared/texts.js";

/** How often it is looked how the runs stand: soon while the host works, seldom while it waits for a person. */
const SOON_MS = 700;
const SELDOM_MS = 2_500;

const place = (id) => document.getElementById(id);

const lime = await getLimeRuntime();
syncTheme(lime);
let texts;
let looking;
let isSeen = true;

const desk = new Desk(lime, () => texts, (part) => showPart(part));
const notice = new Notice(place("notice"));

function showPart(part) {
  if (part === "done") return showDone();
  // Where both do not fit beside each other, it stands below the list.
  if (part === "detail") return place("detail")?.scrollIntoView({ block: "nearest" });
  place("page").className = desk.isLoaded ? "" : "starting";
  if (part === "top") show(place("top"), topOf(desk, texts));
  else keepScroll(place("main"), () => show(place("main"), mainOf(desk, texts)));
}

/** What is drawn anew stays where it was scrolled to. */
function keepScroll(main, draw) {
  const at = new Map([...main.querySelectorAll("[data-scroll]")].map((each) => [each.dataset.scroll, each.scrollTop]));
  draw();
  for (const each of main.querySelectorAll("[data-scroll]")) each.scrollTop = at.get(each.dataset.scroll) ?? 0;
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
  place("over").textContent = texts("folder.drop");
  for (const part of ["top", "main"]) showPart(part);
}

/** Follow the runs while the page is seen: they go on without it. */
async function follow() {
  clearTimeout(looking);
  try {
    if (isSeen) await desk.refresh();
  } finally {
    looking = setTimeout(follow, desk.isMoving ? SOON_MS : SELDOM_MS);
  }
}

await followTexts(lime, speak);
// A model may have come or gone.
lime.onSnapshot(() => desk.busy === null && showPart("main"));
// Who comes back may have put a file into the folder, or decided on an invoice.
lime.onVisibility(({ visible }) => {
  isSeen = visible;
  if (visible) void desk.lookAgain({ isAsked: false });
});
listenToDrops(place("over"), () => desk.openDropped());
listenToKeys(desk, { focusSearch: () => (desk.view !== "booked" && desk.go("booked"), place("search")?.focus()) });
await desk.load();
const wanted = new URLSearchParams(location.search).get("artifact");
if (location.pathname === "/report") {
  desk.go("reports");
  if (wanted) await desk.openReport(wanted);
}
takeFocus(place("main"));
await follow();
