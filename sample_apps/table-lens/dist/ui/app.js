/** Table Lens: connect to the host, follow its language and theme, and show the page, the panel or the viewer. */

import { getLimeRuntime, syncTheme } from "/__lime__/sdk/index.js";
import { show } from "/html.js";
import { Lens, TOPIC } from "/lens.js";
import { describe } from "/problem.js";
import { answerCard } from "/screens/answer_card.js";
import { askCard } from "/screens/ask_card.js";
import { header, nothingYet, reading } from "/screens/opening.js";
import { trouble } from "/screens/parts.js";
import { profileCard } from "/screens/profile_card.js";
import { reportPage } from "/screens/report.js";
import { rowsCard } from "/screens/rows_card.js";
import { loadTexts } from "/texts.js";

const main = document.getElementById("page");
const isPanel = location.pathname === "/ask";
const isReport = location.pathname === "/report";

const lime = await getLimeRuntime();
syncTheme(lime);
let texts = await loadTexts(lime.snapshot.host.locale);
const lens = new Lens(lime, showLens);

function showLens() {
  show(main, ...(lens.busy?.step === "open" ? [reading(lens, texts)] : lens.table ? tableParts() : emptyParts()));
}

const problem = () => lens.problem && trouble(describe(lens.problem, texts));

const emptyParts = () => [problem(), nothingYet(texts, { pick, sample })];

function tableParts() {
  const asking = [askCard(lens, texts), problem(), answerCard(lens, texts, openReport)];
  if (isPanel) return [header(lens, texts, pick), ...asking];
  return [header(lens, texts, pick), ...asking, profileCard(lens, texts), rowsCard(lens, texts, showLens)];
}

async function showReport() {
  try {
    show(main, ...(await reportPage(lime, texts)));
  } catch (error) {
    if (error.name !== "LimeError") throw error;
    show(main, trouble(describe({ error }, texts)));
  }
}

const pick = () => lens.pick();
const openReport = (artifactId) => lime.artifacts.open({ artifactId });

async function sample() {
  const answer = await fetch("/examples/orders.csv");
  await lens.openSample("orders.csv", new Uint8Array(await answer.arrayBuffer()));
}

async function speak(locale) {
  texts = await loadTexts(locale);
  document.documentElement.lang = texts.locale;
  document.title = texts("page.title");
  await (isReport ? showReport() : showLens());
}

lime.onSnapshot(({ host }) => host.locale !== texts.locale && speak(host.locale));
await speak(lime.snapshot.host.locale);
if (!isReport) await lens.openLast();
if (isPanel) {
  // The page beside the panel opened another table.
  for await (const _ of lime.events.on(TOPIC)) await lens.openLast();
}
