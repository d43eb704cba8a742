/** Draft Desk: connect to the host, follow its language and theme, and show the desk. */

import { getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";
import { Desk } from "/desk.js";
import { h, show } from "/html.js";
import { describe } from "/problem.js";
import { briefCard } from "/screens/brief_card.js";
import { draftCard } from "/screens/draft_card.js";
import { draftList, nameOf } from "/screens/draft_list.js";
import { evidenceList } from "/screens/evidence_list.js";
import { plain, primary, trouble } from "/screens/parts.js";
import { publishCard } from "/screens/publish_card.js";
import { reviewCard } from "/screens/review_card.js";
import { loadTexts } from "/texts.js";
import { lengthOf, toMarkdown } from "/work/markdown.js";

const byId = (id) => document.getElementById(id);

const lime = await getLimeRuntime();
syncTheme(lime);
let texts = await loadTexts(lime.snapshot.host.locale);
const desk = new Desk(lime, (part) => SHOW[part]());
const SHOW = { drafts: showDrafts, draft: showDraft, evidence: showEvidence };

function showDrafts() {
  show(byId("drafts"), draftList(desk, texts));
  const title = byId("title");
  if (title) title.textContent = nameOf(desk.open, texts);
}

function showDraft() {
  show(byId("draft"), ...(desk.open === null ? nothingYet() : steps()));
  byId("evidence").hidden = desk.open === null;
}

function showEvidence() {
  show(byId("evidence"), ...evidenceList(desk.evidence, texts));
}

function nothingYet() {
  const problem = desk.problem && trouble(describe(desk.problem, texts));
  const start = primary("start", texts("empty.action"), addDraft);
  return [problem, h("div", { className: "empty" }, h("h1", {}, texts("empty.title")), h("p", {}, texts("empty.text")), start)];
}

function steps() {
  const cards = {
    brief: briefCard(desk, texts, write),
    draft: draftCard(desk, texts),
    review: reviewCard(desk, texts, decide),
    publish: publishCard(desk, texts, { tryFirst, publish }),
  };
  if (desk.problem) (cards[desk.problem.step] ?? cards.brief).append(trouble(describe(desk.problem, texts)));
  return [header(), ...Object.values(cards)];
}

function header() {
  return h(
    "header",
    {},
    h("h1", { id: "title" }, nameOf(desk.open, texts)),
    h(
      "div",
      { className: "row" },
      plain("editor", texts("page.editor"), () => lime.ui.navigate({ entryKey: "editor" })),
      plain("delete", texts("page.delete"), () => byId("sure").showModal(), { disabled: desk.busy !== null }),
    ),
  );
}

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

const decide = () =>
  desk.decide(texts("review.subject", desk.open.content), ({ decision, note }) => {
    const said = texts(`evidence.${decision}`);
    return note ? texts("evidence.noted", { decision: said, note }) : said;
  });

const tryFirst = (format) => desk.tryFirst(format, (tried) => texts("evidence.tried", tried));

const publish = () => desk.publish((tried) => texts("evidence.published", tried));

function showTexts() {
  document.documentElement.lang = texts.locale;
  document.title = texts("page.title");
  for (const element of document.querySelectorAll("[data-text]")) element.textContent = texts(element.dataset.text);
}

function showAll() {
  showTexts();
  Object.values(SHOW).forEach((part) => part());
}

lime.onSnapshot(async ({ host }) => {
  if (host.locale === texts.locale) return;
  texts = await loadTexts(host.locale);
  showAll();
});

byId("new").addEventListener("click", addDraft);
byId("sure").addEventListener("close", ({ target }) => target.returnValue === "delete" && desk.remove());
showAll();
await desk.load();
