/** Folder Desk without a page: places, citations, figures, drafts and decisions, against the SDK's mock host. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { getLimeRuntime } from "../../resources/sdk/index.js";
import { createMockHost } from "../../resources/sdk/testing.js";
import { Desk } from "../../sample_apps/folder-desk/dist/ui/desk.js";
import { textsOf } from "../../sample_apps/folder-desk/dist/ui/shared/texts.js";
import { citationParts, renumbered, shownSources } from "../../sample_apps/folder-desk/dist/ui/work/asking.js";
import { describe } from "../../sample_apps/folder-desk/dist/ui/shared/problem.js";
import { kindOf } from "../../sample_apps/folder-desk/dist/ui/work/kinds.js";
import { placeIn, rowsIn } from "../../sample_apps/folder-desk/dist/ui/work/place.js";
import { assembled } from "../../sample_apps/folder-desk/dist/ui/work/writing.js";

const locales = new URL("../../sample_apps/folder-desk/dist/ui/locales/", import.meta.url);
const texts = textsOf(JSON.parse(await readFile(new URL("en.json", locales), "utf-8")), "en");

const CSV = "person,amount\nAnna,40\nBen,2\nAnna,2\n";
const FILES = [
  { path: "boats.pdf", name: "boats.pdf", isFolder: false, sizeBytes: 10, modifiedAt: "2026-01-01T00:00:00Z" },
  { path: "money/costs.csv", name: "costs.csv", isFolder: false, sizeBytes: CSV.length, modifiedAt: "2026-01-01T00:00:00Z" },
  { path: "photo.jpg", name: "photo.jpg", isFolder: false, sizeBytes: 10, modifiedAt: "2026-01-01T00:00:00Z" },
];
const PAGES = [{ text: "First page.", page: 1 }, { text: "Departures.\nThe ferry leaves\nat 08:15.", page: 2 }];
const FOUND = [
  { id: "folder/1", title: "boats.pdf", path: "boats.pdf", page: 2, snippet: "The ferry leaves at 08:15.", score: 4 },
  { id: "folder/2", title: "costs.csv", path: "money/costs.csv", snippet: "Anna\t40", score: 0.5 },
];

async function opened({ models = { status: "ready" }, records = FOUND, status = () => ({ status: "bound", sources: 2, pending: 0 }) } = {}) {
  const host = createMockHost({ appId: "folder-desk", snapshot: { models } });
  const held = ["file-ref:a", "file-ref:b"];
  const released = [];
  let bound = null;
  host.answer("lime.ui", "selectDirectory", () => ({ path: "Trip", ref: held.shift(), cancelled: false }));
  host.answer("lime.knowledge", "bind", ({ ref }) => ((bound = ref), { key: "folder", status: "indexing" }));
  host.answer("lime.knowledge", "unbind", () => ((bound = null), { unbound: true }));
  host.answer("lime.knowledge", "bindStatus", () => (bound ? { key: "folder", ...status() } : { key: "folder", status: "unbound" }));
  host.answer("lime.knowledge", "search", ({ query }) => ({ query, records, isPartial: false, pending: 0 }));
  host.answer("lime.files", "listRefs", () => (bound ? [{ ref: bound }] : []));
  host.answer("lime.files", "listFolder", () => ({ entries: FILES, truncated: false }));
  host.answer("lime.files", "releaseRef", ({ ref }) => (released.push(ref), { released: true }));
  host.answer("lime.files", "parse", ({ path }) => (path === "boats.pdf" ? { sections: PAGES, tables: [], truncated: false } : { sections: [{ text: "" }], tables: [[["person", "amount"], ["Anna", "40"], ["Ben", "2"]]], truncated: false }));
  host.answer("lime.files", "readRef", ({ ref }) => ({ ref, content: btoa(CSV), encoding: "base64", offset: 0, bytesRead: CSV.length, sizeBytes: CSV.length }));
  host.answer("lime.evidence", "record", () => ({ id: "e1" }));
  host.answer("lime.evidence", "linkArtifact", () => ({ id: "e1" }));
  const artifacts = [];
  host.answer("lime.artifacts", "create", (wanted) => (artifacts.push(wanted), { id: "a1", version: artifacts.length, ...wanted }));
  const lime = await getLimeRuntime({ appId: "folder-desk", transport: host.transport });
  const desk = new Desk(lime, () => texts);
  await desk.load();
  return { host, lime, desk, released, artifacts, boundTo: () => bound };
}

/** An agent that says this and ends so. */
function agentSays(host, text, result = { subtype: "success", text }) {
  host.answer("lime.agent", "startTask", () => ({ taskId: "t1" }));
  host.answer("lime.agent", "streamTask", ({ afterSequence = 0 }) => [{ sequence: 1, type: "assistant:delta", payload: { delta: text } }, { sequence: 2, type: "result" }].filter(({ sequence }) => sequence > afterSequence));
  host.answer("lime.agent", "getTask", () => ({ result }));
}

const called = (host, name) => host.calls.filter(({ capability, method }) => `${capability}.${method}` === name);

test("a passage is found where it stands, however its lines were joined", () => {
  assert.deepEqual(placeIn(PAGES, { snippet: "The ferry leaves at 08:15.", page: 2 }), { index: 1, start: 12, end: 38 });
  assert.deepEqual(placeIn(PAGES, { snippet: "First page." }), { index: 0, start: 0, end: 11 });
  // A file that changed since: its page is still the best place to open.
  assert.deepEqual(placeIn(PAGES, { snippet: "gone", page: 2 }), { index: 1, start: 0, end: 0 });
  assert.equal(placeIn(PAGES, { snippet: "gone" }), null);
  assert.deepEqual(rowsIn([["person", "amount"], ["Anna", "40"], ["Ben", "2"]], "na\t40\nBen\t2"), [1, 2]);
});

test("only numbers of passages that there are become citations", () => {
  assert.deepEqual(citationParts("At 08:15 [1], not [9].", 2), [{ text: "At 08:15 " }, { number: 1 }, { text: ", not [9]." }]);
  const sources = [{ id: "a" }, { id: "b", isWeak: true }, { id: "c", isWeak: true }];
  assert.deepEqual(shownSources("So it is [3].", sources).map(({ number }) => number), [1, 3]);
  assert.equal(renumbered("One [1], three [3].", [{ number: 3 }]), "One, three [1].");
  assert.deepEqual(["a.PDF", "b.xlsx", "c.md", "d.docx", "e.jpg", "f"].map(kindOf), ["pdf", "table", "note", "document", null, null]);
});

test("a chosen folder is bound by its reference, listed, and there again after a restart", async () => {
  const { desk, lime, boundTo } = await opened();
  await desk.choose();
  assert.equal(boundTo(), "file-ref:a");
  assert.deepEqual([desk.folder.name, desk.files.map(({ name }) => name), desk.others], ["Trip", ["boats.pdf", "costs.csv"], 1]);
  const later = new Desk(lime, () => texts);
  await later.load();
  assert.equal(later.folder.name, "Trip");
});

test("nothing is called read before the host said so, and what cannot be read is counted", async () => {
  const { host, desk, lime } = await opened({ status: () => ({ status: "bound", sources: 2, pending: 0, unread: 1 }) });
  await desk.choose();
  while (!desk.reading.isDone) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(desk.reading.unread, 1);
  host.answer("lime.knowledge", "bindStatus", () => ({ key: "folder", status: "indexing", sources: 1, pending: 1, unread: 0 }));
  const states = [];
  const later = new Desk(lime, () => texts, (part) => part === "files" && states.push(later.reading.isDone && later.folder !== null));
  await later.load();
  assert.deepEqual([states.includes(true), later.reading.isDone], [false, false]);
  await later.stopReading();
});

test("a folder that the person took back in the settings is not taken again", async () => {
  const { host, desk, lime } = await opened();
  await desk.choose();
  await lime.knowledge.unbind({ key: "folder" });
  host.answer("lime.files", "listRefs", () => [{ ref: "file-ref:a" }]);
  const later = new Desk(lime, () => texts);
  await later.load();
  assert.deepEqual([later.folder, later.lost], [null, { name: "Trip", why: "revoked" }]);
  assert.equal(called(host, "lime.knowledge.bind").length, 1);
});

test("reading that is cancelled closes the folder, and opens the one before again", async () => {
  let status = { status: "bound", sources: 2, pending: 0 };
  const { desk, released, boundTo } = await opened({ status: () => status });
  await desk.choose();
  status = { status: "indexing", sources: 1, pending: 9 };
  await desk.choose();
  while (desk.reading.left !== 9) await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(boundTo(), "file-ref:b");
  status = { status: "bound", sources: 2, pending: 0 };
  await desk.stopReading();
  assert.deepEqual([boundTo(), released, desk.folder.ref], ["file-ref:a", [], "file-ref:a"]);
  desk.letGo();
  assert.deepEqual(released, ["file-ref:b"]);
});

test("a closed folder comes back by Undo, and is given back when nobody undoes it", async () => {
  const { desk, released, boundTo } = await opened();
  await desk.choose();
  await desk.closeFolder();
  assert.deepEqual([boundTo(), desk.folder, released], [null, null, []]);
  await desk.undo();
  assert.equal(boundTo(), "file-ref:a");
  await desk.closeFolder();
  desk.letGo();
  assert.deepEqual(released, ["file-ref:a"]);
});

test("an answer cites passages of the search, and one opens its document at the place", async () => {
  const { host, desk } = await opened();
  agentSays(host, "At 08:15 [1].");
  await desk.choose();
  await desk.ask("When does the ferry leave?");
  assert.deepEqual([desk.asked.text, desk.sources.map(({ id }) => id)], ["At 08:15 [1].", ["folder/1"]]);
  assert.deepEqual(called(host, "lime.agent.startTask")[0].input.knowledge, [{ key: "folder", mode: "retrieval" }]);
  await desk.openDocument("boats.pdf", desk.sources[0]);
  assert.deepEqual(desk.document.place, { index: 1, start: 12, end: 38 });
});

test("it says that it looks while it looks, and that a model was asked once one was", async () => {
  const { host, desk } = await opened();
  const seen = [];
  agentSays(host, "At 08:15 [1].");
  host.answer("lime.knowledge", "search", ({ query }) => (seen.push(["search", desk.busy.isAsked]), { query, records: FOUND, isPartial: false, pending: 0 }));
  host.answer("lime.files", "readRef", ({ ref }) => (seen.push(["table", desk.busy.isAsked]), { ref, content: btoa(CSV), encoding: "base64", offset: 0, bytesRead: CSV.length, sizeBytes: CSV.length }));
  host.answer("lime.agent", "startTask", () => (seen.push(["model", desk.busy.isAsked]), { taskId: "t1" }));
  await desk.choose();
  await desk.ask("When does the ferry leave?");
  assert.deepEqual(seen, [["search", false], ["table", false], ["model", true]]);
});

test("a folder that is dropped while a model answers has nothing of the answer", async () => {
  const { host, desk } = await opened();
  await desk.choose();
  let stop;
  const isStopped = new Promise((resolve) => (stop = () => resolve(true)));
  host.answer("lime.agent", "startTask", () => ({ taskId: "t1" }));
  host.answer("lime.agent", "cancelTask", () => (stop(), { taskId: "t1" }));
  host.answer("lime.agent", "streamTask", async () => (await isStopped, [{ sequence: 1, type: "result" }]));
  host.answer("lime.agent", "getTask", () => ({ result: { subtype: "cancelled", error: { code: "APP_E103" } } }));
  host.answer("lime.files", "takeDropped", () => ({ files: [{ ref: "file-ref:b", name: "Other", isFolder: true }] }));
  const answering = desk.ask("When does the ferry leave?");
  while (desk.busy?.isAsked !== true) await new Promise((resolve) => setTimeout(resolve, 1));
  await desk.openDropped();
  await answering;
  assert.deepEqual([desk.folder.name, desk.asked, desk.figure, desk.busy, desk.problem], ["Other", null, null, null, null]);
});

test("where nobody able would answer, or nothing was found, no model is asked and nothing is made up", async () => {
  const without = await opened({ models: { status: "none" } });
  await without.desk.choose();
  await without.desk.ask("When does the ferry leave?");
  assert.deepEqual([without.desk.asked.text, without.desk.asked.unanswered], ["", "noModel"]);
  const empty = await opened({ records: [] });
  await empty.desk.choose();
  await empty.desk.ask("Zeppelins?");
  assert.deepEqual([empty.desk.asked.sources, called(empty.host, "lime.agent.startTask").length], [[], 0]);
  const nonsense = await opened();
  agentSays(nonsense.host, "Bananas.", { subtype: "error_during_execution", error: { code: "APP_E109", message: "withheld" } });
  await nonsense.desk.choose();
  await nonsense.desk.ask("When does the ferry leave?");
  assert.deepEqual([nonsense.desk.asked.text, nonsense.desk.asked.unanswered], ["", "ungrounded"]);
});

test("a question that is asked while the folder is still read says so", async () => {
  const { host, desk } = await opened({ models: { status: "none" }, status: () => ({ status: "indexing", sources: 1, pending: 9 }) });
  host.answer("lime.knowledge", "search", ({ query }) => ({ query, records: FOUND, isPartial: true, pending: 9 }));
  await desk.choose();
  assert.equal(desk.busy, null);
  await desk.ask("When does the ferry leave?");
  assert.equal(desk.asked.unread, 9);
  await desk.stopReading();
  assert.deepEqual([desk.folder, desk.asked, desk.done.kind], [null, null, "stopped"]);
});

test("a figure is computed from the table that the question speaks of", async () => {
  const { desk } = await opened({ models: { status: "none" } });
  await desk.choose();
  await desk.ask("What is the total amount for each person?");
  const { table, plan, groups, ignored } = desk.figure;
  assert.deepEqual([table.path, plan.operation, plan.groupBy, ignored], ["money/costs.csv", "sum", "person", []]);
  assert.deepEqual(groups.map(({ label, value }) => [label, value]), [["Anna", 42], ["Ben", 2]]);
  desk.changeFigure({ ...plan, operation: "count" });
  assert.deepEqual(desk.figure.groups.map(({ value }) => value), [2, 1]);
  await desk.ask("When does the ferry leave?");
  assert.equal(desk.figure, null);
});

test("a figure by month is computed from a table with days, whatever else its words are", async () => {
  const { host, desk } = await opened({ models: { status: "none" } });
  const dated = "day,item,cost\n2026-03-14,ferry,40\n2026-04-02,hotel,90\n2026-03-28,museum,12\n";
  host.answer("lime.files", "readRef", ({ ref }) => ({ ref, content: btoa(dated), encoding: "base64", offset: 0, bytesRead: dated.length, sizeBytes: dated.length }));
  await desk.choose();
  for (const question of ["How much did we spend per month?", "每月总共花了多少？"]) {
    await desk.ask(question);
    assert.deepEqual(desk.figure.groups.map(({ label, value }) => [label, value]), [["2026-03", 52], ["2026-04", 90]], question);
  }
});

test("without a model a draft holds what the documents say and nothing else, and says so", async () => {
  const { desk } = await opened({ models: { status: "none" } });
  await desk.choose();
  await desk.ask("When does the ferry leave?");
  await desk.write("report");
  assert.deepEqual([desk.draft.madeBy, desk.draft.why, desk.drafts.length], ["template", "noModel", 1]);
  const passages = [{ name: "boats.pdf", page: 2, snippet: "The ferry leaves\nat 08:15." }];
  assert.equal(
    assembled("mail", { question: "When?", answer: "", sources: passages, figure: "" }, texts),
    "Subject: When?\n\nHello,\n\nhere is what our documents say about “When?”:\n\n> The ferry leaves at 08:15. [1]\n\nBest regards\n\n## Sources\n\n1. boats.pdf, page 2",
  );
});

test("a model writes from the passages that were ticked, and must rest on them", async () => {
  const { host, desk } = await opened();
  agentSays(host, "```markdown\nAt 08:15 [1].\n```");
  await desk.choose();
  await desk.ask("When does the ferry leave?");
  await desk.write("mail");
  const { input, knowledge, expectedOutput } = called(host, "lime.agent.startTask").at(-1).input;
  assert.deepEqual([knowledge, expectedOutput, input.passages.length], [[], { grounded: true }, 1]);
  assert.equal(desk.draft.markdown, "At 08:15 [1].\n\n## Sources\n\n1. boats.pdf, page 2");
});

test("a model that stops is not the only way to a draft", async () => {
  const { host, desk } = await opened();
  agentSays(host, "At 08:15 [1].");
  await desk.choose();
  await desk.ask("When does the ferry leave?");
  agentSays(host, "", { subtype: "error_during_execution", error: { code: "APP_E101", message: "down" } });
  await desk.write("report");
  assert.deepEqual([desk.draft, desk.problem.error.code], [null, "error_during_execution"]);
  await desk.problem.assemble();
  assert.deepEqual([desk.draft.madeBy, desk.draft.why, desk.problem], ["template", "wanted", null]);
});

test("a draft opens its places only in its own folder", async () => {
  const { desk } = await withDraft();
  await desk.openSource(desk.draft.sources[0]);
  assert.equal(desk.document.path, "boats.pdf");
  await desk.closeFolder();
  await desk.openSource(desk.draft.sources[0]);
  assert.deepEqual([desk.document, desk.problem.error.code], [null, "other_folder"]);
});

async function withDraft() {
  const all = await opened();
  agentSays(all.host, "At 08:15 [1].");
  await all.desk.choose();
  await all.desk.ask("When does the ferry leave?");
  await all.desk.write("report");
  agentSays(all.host, "At 08:15 sharp [1].");
  return all;
}

test("a change is put to the person as a difference, and what they approved last is what counts", async () => {
  const { host, desk } = await withDraft();
  const before = desk.draft.markdown;
  host.answer("lime.review", "requestDecision", ({ payload }) => ({ decisionId: "d1", status: "decided", decision: "modify", payload: { ...payload, after: "At 08:15, be early." } }));
  await desk.revise("Be precise");
  assert.deepEqual(called(host, "lime.review.requestDecision")[0].input.payload, { before, after: "At 08:15 sharp [1]." });
  assert.deepEqual([desk.draft.markdown, desk.draft.proposal, desk.done.kind], ["At 08:15, be early.", null, "changed"]);
  await desk.undo();
  assert.equal(desk.draft.markdown, before);
});

test("a draft that a model changed is no template's any more", async () => {
  const { host, desk, artifacts } = await withDraft();
  Object.assign(desk.draft, { madeBy: "template", why: "wanted" });
  host.answer("lime.review", "requestDecision", ({ payload }) => ({ decisionId: "d1", status: "decided", decision: "approve", payload }));
  await desk.revise("Be precise");
  assert.deepEqual([desk.draft.madeBy, desk.draft.why], ["model", "changed"]);
  await desk.saveDocument();
  assert.equal(artifacts.at(-1).content.madeBy, "model");
});

test("what was made by a template is so again by Undo, and says what the person wrote into it", async () => {
  const { host, desk } = await withDraft();
  Object.assign(desk.draft, { madeBy: "template", why: "wanted" });
  host.answer("lime.review", "requestDecision", ({ payload }) => ({ decisionId: "d1", status: "decided", decision: "approve", payload }));
  await desk.revise("Be precise");
  await desk.undo();
  assert.deepEqual([desk.draft.madeBy, desk.draft.why, desk.draft.isEdited], ["template", "wanted", undefined]);
  desk.edit({ title: "Ferry" });
  assert.equal(desk.draft.isEdited, undefined);
  desk.edit({ markdown: "Mine." });
  assert.equal(desk.draft.isEdited, true);
  await desk.flush();
});

test("a change that the host withholds is not said to have stopped", async () => {
  const { host, desk } = await withDraft();
  agentSays(host, "Bananas.", { subtype: "error_during_execution", error: { code: "APP_E109", message: "withheld" } });
  await desk.revise("Be precise");
  const said = describe(desk.problem, texts);
  assert.deepEqual([said.title, said.isQuiet, desk.draft.proposal], ["What the model wrote is not used.", true, null]);
  assert.match(said.action, /Nothing was changed/u);
  agentSays(host, "", { subtype: "error_during_execution", error: { code: "APP_E101", message: "down" } });
  await desk.revise("Be precise");
  assert.equal(describe(desk.problem, texts).title, "The model stopped before it was done.");
});

test("a proposal that changes nothing is not put to the person", async () => {
  const { host, desk } = await withDraft();
  agentSays(host, desk.draft.markdown);
  await desk.revise("Be precise");
  assert.deepEqual([called(host, "lime.review.requestDecision").length, desk.draft.proposal, desk.done.kind], [0, null, "unchanged"]);
});

test("a rejected change changes nothing, and one that waits is there after a restart", async () => {
  const { host, lime, desk } = await withDraft();
  const before = desk.draft.markdown;
  host.answer("lime.review", "requestDecision", ({ payload }) => ({ decisionId: "d1", status: "decided", decision: "reject", payload }));
  await desk.revise("Be precise");
  assert.deepEqual([desk.draft.markdown, desk.draft.proposal, desk.done.kind], [before, null, "rejected"]);
  host.refuse("lime.review", "requestDecision", "APP_E002");
  await desk.revise("Be precise");
  const later = new Desk(lime, () => texts);
  await later.load();
  await later.openDraft(later.drafts[0].id);
  assert.equal(later.draft.proposal.after, "At 08:15 sharp [1].");
});

test("a draft is saved once for each text, with its sources as evidence, and deleted with a way back", async () => {
  const { host, desk, artifacts } = await withDraft();
  await desk.saveDocument();
  await desk.saveDocument();
  assert.equal(artifacts.length, 1);
  assert.deepEqual(called(host, "lime.evidence.record").at(-1).input.refs, ["t1", "folder/1"]);
  desk.edit({ markdown: "Mine." });
  await desk.saveDocument();
  assert.deepEqual([artifacts.at(-1).artifactId, artifacts.at(-1).content.markdown], ["a1", "Mine."]);
  await desk.removeDraft();
  assert.deepEqual([desk.drafts.length, desk.draft], [0, null]);
  await desk.undo();
  assert.equal(desk.draft.markdown, "Mine.");
});
