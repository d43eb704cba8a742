/** Table Lens: connect to the host, follow its language and theme, and show the page, the panel or the viewer. */

import { getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";
import "/shared/typing_guard.js";
import { listenToDrops } from "/shared/dropping.js";
import { Lens, TOPIC } from "/lens.js";
import { describe } from "/shared/problem.js";
import { answerCard } from "/screens/answer_card.js";
import { askCard } from "/screens/ask_card.js";
import { header, nothingYet, reading } from "/screens/opening.js";
import { trouble } from "/shared/parts.js";
import { profileCard } from "/screens/profile_card.js";
import { reportPage } from "/screens/report.js";
import { rowsCard } from "/screens/rows_card.js";
import { show, takeFocus } from "/shared/html.js";
import { Notice } from "/shared/notice.js";
import { followTexts, showTexts } from "/shared/texts.js";

const main = document.getElementById("page");
const isPanel = location.pathname === "/ask";
const isReport = location.pathname === "/report";

const lime = await getLimeRuntime();
syncTheme(lime);
let texts;
const notice = new Notice(document.getElementById("notice"));
const lens = new Lens(lime, showLens);

function showLens() {
  const isOpening = lens.busy?.step === "open";
  main.classList.toggle("centred", lens.table === null);
  show(main, ...(isOpening ? [reading(lens, texts)] : lens.table ? tableParts() : emptyParts()));
  if (lens.isSaved) {
    notice.say(texts("answer.saved"));
    lens.isSaved = false;
  }
}

const problem = () => lens.problem && trouble(lens.problem, describe(lens.problem, texts), texts);

const emptyParts = () => (lens.isLoaded || lens.problem ? [nothingYet(texts, { pick, sample }), problem()] : [reading(lens, texts)]);

function tableParts() {
  const asking = [askCard(lens, texts), problem(), answerCard(lens, texts, openReport)];
  if (isPanel) return [header(lens, texts, pick), ...asking];
  return [header(lens, texts, pick), ...asking, profileCard(lens, texts), rowsCard(lens, texts, showLens)];
}

async function showReport() {
  const said = texts;
  try {
    const parts = await reportPage(lime, said);
    // The language may have changed meanwhile: then it is shown again already.
    if (said === texts) show(main, ...parts);
  } catch (error) {
    if (error.name !== "LimeError") throw error;
    show(main, trouble({ again: showReport }, describe({ error }, texts), texts));
  }
}

const pick = () => lens.pick();
const openReport = (artifactId) => lime.artifacts.open({ artifactId });

async function followOpened() {
  try {
    await lens.followOpened();
  } catch (error) {
    // A host that has no such topic is one where files are dropped or chosen.
    if (error.name !== "LimeError") throw error;
  }
}

async function sample() {
  const answer = await fetch("/examples/orders.csv");
  await lens.openSample("orders.csv", new Uint8Array(await answer.arrayBuffer()));
}

async function speak(found) {
  texts = found;
  showTexts(texts);
  document.getElementById("over").textContent = texts("empty.drop");
  await (isReport ? showReport() : showLens());
}

await followTexts(lime, speak);
if (!isReport) {
  listenToDrops(document.getElementById("over"), (file) => lens.openDropped(file));
  await lens.openLast();
  takeFocus(main);
}
if (!isReport && !isPanel) followOpened();
if (isPanel) {
  // The page beside the panel opened another table.
  for await (const _ of lime.events.on(TOPIC)) await lens.openLast();
}
