/** Notes without a page: its notebook against the SDK's mock host, which keeps rows and answers as a test says. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { getLimeRuntime } from "../../resources/sdk/index.js";
import { createMockHost } from "../../resources/sdk/testing.js";
import { Notebook } from "../../sample_apps/notes/dist/ui/notebook.js";
import { describe } from "../../sample_apps/notes/dist/ui/problem.js";
import { textsOf } from "../../sample_apps/notes/dist/ui/texts.js";
import { excerptOf, nameOf, tagsOf } from "../../sample_apps/notes/dist/ui/work/words.js";

const locales = new URL("../../sample_apps/notes/dist/ui/locales/", import.meta.url);
const texts = textsOf(JSON.parse(await readFile(new URL("en.json", locales), "utf-8")), "en");

async function opened() {
  const host = createMockHost({ appId: "notes" });
  const held = [];
  host.answer("lime.files", "listRefs", () => held);
  host.answer("lime.files", "releaseRef", ({ ref }) => ({ released: held.splice(held.findIndex((each) => each.ref === ref), 1).length > 0 }));
  const artifacts = [];
  host.answer("lime.artifacts", "list", () => artifacts.toReversed());
  host.answer("lime.artifacts", "create", (wanted) => {
    artifacts.push({ id: `a${artifacts.length + 1}`, createdAt: new Date(0).toISOString(), ...wanted });
    return artifacts.at(-1);
  });
  const lime = await getLimeRuntime({ appId: "notes", transport: host.transport });
  const notebook = new Notebook(lime, () => texts);
  await notebook.load();
  return { host, lime, notebook, held, artifacts };
}

async function write(notebook, title, body, tags = []) {
  await notebook.add();
  notebook.edit({ title, body, tags });
  await notebook.flush();
  return notebook.open.id;
}

/** An agent that says these words and ends so. */
function agentSays(host, words, result = { subtype: "success", text: words.join("") }) {
  const events = [
    ...words.map((delta, index) => ({ sequence: index + 1, type: "assistant:delta", payload: { delta } })),
    { sequence: words.length + 1, type: "result" },
  ];
  host.answer("lime.agent", "startTask", () => ({ taskId: "t1" }));
  host.answer("lime.agent", "streamTask", ({ afterSequence = 0 }) => events.filter(({ sequence }) => sequence > afterSequence));
  host.answer("lime.agent", "getTask", () => ({ result }));
}

const called = (host, name) => host.calls.filter(({ capability, method }) => `${capability}.${method}` === name);
const titles = (notebook) => notebook.notes.map(nameOf);

test("what is typed is kept, listed and found by any of its words", async () => {
  const { notebook } = await opened();
  await write(notebook, "Garden", "Water the lime tree on Mondays.", ["home"]);
  await write(notebook, "行程", "周会在上海办公室开。", ["work"]);
  assert.deepEqual(titles(notebook).toSorted(), ["Garden", "行程"]);
  await notebook.search("lime MONDAYS");
  assert.deepEqual(titles(notebook), ["Garden"]);
  await notebook.search("上海");
  assert.deepEqual(titles(notebook), ["行程"]);
  await notebook.search("lime nowhere");
  assert.deepEqual(titles(notebook), []);
  await notebook.search("", "home");
  assert.deepEqual([titles(notebook), notebook.tags], [["Garden"], [["home", 1], ["work", 1]]]);
});

test("a pinned note stands first, whatever is newer", async () => {
  const { notebook } = await opened();
  await write(notebook, "Old", "");
  await notebook.pin();
  await write(notebook, "New", "");
  assert.deepEqual(titles(notebook), ["Old", "New"]);
});

test("a deleted note comes back with its attachments, and else lets go of them", async () => {
  const { host, notebook, held } = await opened();
  await write(notebook, "Kept", "");
  const id = await write(notebook, "Gone", "soon");
  host.answer("lime.files", "pick", () => {
    held.push({ ref: "file-ref:1", name: "plan.md", sizeBytes: 9, mediaType: "text/markdown" });
    return { status: "chosen", files: held };
  });
  await notebook.attach();
  await notebook.remove();
  assert.deepEqual([titles(notebook), notebook.open.title], [["Kept"], "Kept"]);
  await notebook.undo();
  assert.equal(notebook.open.id, id);
  assert.deepEqual(notebook.attachments.map(({ name }) => name), ["plan.md"]);
  await notebook.remove();
  await notebook.letGo();
  assert.deepEqual([held, notebook.deleted], [[], null]);
});

test("what cannot be saved stays on the page, says so, and is saved when it can be", async () => {
  const { host, lime, notebook } = await opened();
  const id = await write(notebook, "Garden", "");
  const keep = (input) => lime.storage.tableInsert({ ...input, row: { ...input.row, id: "other" } });
  host.refuse("lime.storage", "tableUpsert", "APP_E901");
  notebook.edit({ body: "Typed while the server was away." });
  await notebook.flush();
  assert.equal(notebook.saving, "failed");
  assert.equal(describe(notebook.problem.error, texts).title, texts("errors.APP_E901"));
  host.answer("lime.storage", "tableUpsert", keep);
  await notebook.problem.again();
  assert.deepEqual([notebook.saving, notebook.problem, notebook.open.id], ["saved", null, id]);
  assert.equal((await lime.storage.table("note").get("other")).body, "Typed while the server was away.");
});

test("a question is answered from the notes that speak of it, and the search is what is cited", async () => {
  const { host, notebook } = await opened();
  const id = await write(notebook, "Garden", "Water the lime tree on Mondays.");
  const record = { rowId: id, title: "Garden", snippet: "Water the lime tree on Mondays.", score: 8 };
  const other = { ...record, rowId: "other", score: 1 };
  host.answer("lime.knowledge", "search", () => ({ records: [record, record, other] }));
  agentSays(host, ["On ", "Mondays."]);
  await notebook.ask("When is the lime tree watered?");
  assert.equal(notebook.asked.text, "On Mondays.");
  assert.deepEqual(notebook.asked.sources.map(({ noteId }) => noteId), [id]);
  const [{ input }] = called(host, "lime.agent.startTask");
  assert.deepEqual([input.prompt, input.knowledge[0].key], ["When is the lime tree watered?", "notes"]);
});

test("where no note speaks of a question, no model is asked", async () => {
  const { host, notebook } = await opened();
  host.answer("lime.knowledge", "search", () => ({ records: [] }));
  await notebook.ask("Who won in 1966?");
  assert.deepEqual([notebook.asked.sources, called(host, "lime.agent.startTask")], [[], []]);
});

test("an answer is kept after a yes, as a document with its sources and their evidence", async () => {
  const { host, notebook, artifacts } = await opened();
  const id = await write(notebook, "Garden", "Water the lime tree on Mondays.");
  host.answer("lime.knowledge", "search", () => ({ records: [{ rowId: id, title: "Garden", snippet: "On Mondays.", score: 1 }] }));
  agentSays(host, ["On Mondays."]);
  await notebook.ask("When?");
  host.answer("lime.evidence", "record", () => ({ id: "e1" }));
  host.answer("lime.evidence", "linkArtifact", () => ({ id: "e1" }));
  await notebook.keepAnswer();
  assert.deepEqual([artifacts[0].kind, artifacts[0].content.sources[0].noteId], ["answer", id]);
  assert.match(artifacts[0].content.markdown, /1\. \*\*Garden\*\*: On Mondays\./);
  assert.deepEqual(called(host, "lime.evidence.record")[0].input.refs, ["t1", `note:${id}`]);
  assert.deepEqual(notebook.answers.map(({ title }) => title), ["When?"]);
});

test("a summary is written into the note; one that fails says why and can be tried again", async () => {
  const { host, notebook } = await opened();
  await write(notebook, "Garden", "Water the lime tree on Mondays.");
  agentSays(host, ["Wat"], { subtype: "error_during_execution", error: { code: "APP_E101", message: "interrupted" } });
  await notebook.sumUp();
  assert.deepEqual([notebook.open.summary, notebook.problem.place, notebook.busy], ["", "note", null]);
  agentSays(host, ["Water on Mondays."]);
  await notebook.problem.again();
  assert.deepEqual([notebook.open.summary, notebook.problem], ["Water on Mondays.", null]);
});

test("work that is stopped ends quietly", async () => {
  const { host, notebook } = await opened();
  await write(notebook, "Garden", "Water the lime tree on Mondays.");
  agentSays(host, ["Wat"], { subtype: "cancelled", error: { code: "APP_E103" } });
  host.answer("lime.agent", "cancelTask", () => ({ taskId: "t1" }));
  const working = notebook.sumUp();
  notebook.stop();
  await working;
  assert.ok(describe(notebook.problem.error, texts).isQuiet);
});

test("a note becomes a Markdown file; the same note again is its next version", async () => {
  const { host, notebook, artifacts } = await opened();
  await write(notebook, "Garden", "Water the lime tree.", ["home"]);
  host.answer("lime.artifacts", "export", () => ({ ref: "file-ref:2", fileName: "Garden.md" }));
  host.answer("lime.ui", "download", () => ({ downloaded: true }));
  await notebook.exportNote();
  await notebook.exportNote();
  assert.equal(artifacts[0].content.markdown, "Water the lime tree.\n\n#home");
  assert.equal(artifacts[1].artifactId, artifacts[0].id);
  assert.deepEqual(called(host, "lime.ui.download")[0].input, { ref: "file-ref:2", fileName: "Garden.md" });
  host.refuse("lime.ui", "download", "APP_E904");
  await notebook.exportNote();
  assert.equal(notebook.problem, null);
});

test("tags and names are read as people write them", () => {
  assert.deepEqual(tagsOf("#Work, garden、家；work"), ["work", "garden", "家"]);
  assert.equal(nameOf({ title: " ", body: "First line\nsecond" }), "First line");
  assert.equal(excerptOf({ title: "", body: "First line\nsecond" }), "second");
  assert.equal(excerptOf({ title: "T", body: `${"x ".repeat(40)}lime` }, ["lime"]).startsWith("…"), true);
});
