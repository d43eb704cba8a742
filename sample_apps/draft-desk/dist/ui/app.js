/** Draft Desk: connect to the host, follow its language and theme, and show the desk. */

import { getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";
import "/shared/typing_guard.js";
import { Desk } from "/desk.js";
import { button, h, icon, iconButton, show, takeFocus } from "/shared/html.js";
import { Notice } from "/shared/notice.js";
import { followTexts, showTexts } from "/shared/texts.js";
import { describe } from "/problem.js";
import { beside } from "/screens/beside.js";
import { briefStep } from "/screens/brief_step.js";
import { comparison } from "/screens/comparison.js";
import { draftStep, showProgress } from "/screens/draft_step.js";
import { draftList, nameOf } from "/screens/draft_list.js";
import { primary, trouble } from "/screens/parts.js";
import { publishStep } from "/screens/publish_step.js";
import { reviewStep } from "/screens/review_step.js";
import { lengthOf, toMarkdown } from "/work/markdown.js";

const byId = (id) => document.getElementById(id);

const lime = await getLimeRuntime();
syncTheme(lime);
let texts;
const notice = new Notice(byId("notice"));
const desk = new Desk(lime, (part) => SHOW[part]());
const SHOW = { drafts: showDrafts, draft: showDraft, progress: () => showProgress(desk, texts), evidence: showEvidence, removed: showRemoved, added: () => byId("goal")?.focus() };
const openAddress = (url) => lime.ui.openExternal({ url }).catch(() => {});

function showDrafts() {
  show(byId("drafts"), draftList(desk, texts));
  const status = byId("status");
  if (status && desk.open) status.replaceWith(statusPill());
  // Who types ends the waiting by it, and goes on typing: only that step is drawn again.
  if (desk.busy === null && desk.open?.status === "drafted") byId("waiting")?.closest("section").replaceWith(reviewStep(desk, texts, decide));
}

function showDraft() {
  show(byId("draft"), ...(desk.open === null ? nothingYet() : desk.compared ? comparison(desk, texts) : steps().map(markNext)));
  byId("evidence").hidden = desk.open === null;
}

/** What a person does next, where nothing is going on and nothing went wrong: those say it themselves. */
function markNext(part) {
  const { busy, problem, open, tried } = desk;
  if (busy !== null || problem) return part;
  const isDecided = ["approved", "published"].includes(open.status);
  const next = open.content === null ? "#goal" : isDecided ? (tried ? "#publish" : "#try") : "#text, #edit";
  [...part.querySelectorAll(next)].at(-1)?.setAttribute("data-take-focus", "");
  return part;
}

function showEvidence() {
  show(byId("evidence"), ...beside(desk, texts));
}

function showRemoved() {
  if (desk.removed === null) return notice.clear();
  const undo = () => desk.undo().then(begin);
  notice.say(texts("page.deleted", { name: nameOf(desk.removed, texts) }), { undo, label: texts("page.undo"), gone: () => desk.forgetRemoved() });
}

function nothingYet() {
  if (desk.problem) return [h("div", { className: "empty" }, trouble(desk.problem, describe(desk.problem, texts), texts))];
  if (!desk.isLoaded) return [h("p", { className: "empty about", role: "status" }, texts("page.ready"))];
  return [
    h(
      "section",
      { className: "empty" },
      h("div", { className: "sign" }, icon("edit")),
      h("h1", {}, texts("empty.title")),
      h("p", {}, texts("empty.text")),
      h("div", { className: "row" }, primary("start", texts("empty.action"), addDraft, { "data-take-focus": "" })),
    ),
  ];
}

function steps() {
  const made = {
    brief: briefStep(desk, texts, { write, outline: () => desk.outline() }),
    draft: draftStep(desk, texts, { openAddress }),
    review: reviewStep(desk, texts, decide),
    publish: publishStep(desk, texts, { tryFirst, publish }),
  };
  const { problem } = desk;
  if (problem) (made[problem.step] ?? made.brief).append(trouble(problem, describe(problem, texts), texts, { outline: () => desk.outline() }));
  return [header(), ...Object.values(made).filter(Boolean)];
}

const statusPill = () => h("span", { id: "status", className: `pill ${desk.open.status}` }, texts(`status.${desk.open.status}`, desk.open));

function header() {
  return h(
    "header",
    {},
    statusPill(),
    h("span", { className: "spring" }),
    button(texts("page.editor"), () => lime.ui.navigate({ entryKey: "editor" }), { id: "editor", className: "quiet" }),
    iconButton("bin", texts("page.delete"), () => desk.remove(), { id: "delete", disabled: desk.busy !== null }),
  );
}

/** The keyboard on a page that was just opened: at the top, whatever comes next below. */
const begin = () => takeFocus(byId("draft"), "#start, #goal, #edit, #again");

// What a person does, with the words that go into the evidence.

const addDraft = () => desk.add(texts.locale);

const write = () =>
  desk.write((content) =>
    texts("evidence.written", {
      headline: content.headline,
      count: lengthOf(toMarkdown(content)),
      sections: content.sections.length,
    }),
  );

const decide = () => desk.decide(texts("review.subject", desk.open.content), decisionInWords);

function decisionInWords({ decision, note }) {
  const said = texts(`evidence.${decision}`);
  return note ? texts("evidence.noted", { decision: said, note }) : said;
}

const tryFirst = (format) => desk.tryFirst(format, (tried) => texts("evidence.tried", tried));

const publish = () => desk.publish((tried) => texts("evidence.published", tried));

function showAll() {
  showTexts(texts);
  for (const part of ["drafts", "draft", "evidence", "removed"]) SHOW[part]();
}

await followTexts(lime, (found) => {
  texts = found;
  showAll();
});
byId("new").addEventListener("click", addDraft);
// The question comes up beside the page, which is laid out anew: what it waits for stays in sight.
addEventListener("resize", () => desk.busy?.step === "review" && byId("stop")?.scrollIntoView({ block: "center" }));
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== "n") return;
  event.preventDefault();
  addDraft();
});
await desk.load(decisionInWords);
begin();
