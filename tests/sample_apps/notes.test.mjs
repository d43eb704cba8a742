/** Notes without a page: its notebook against the SDK's mock host, which keeps rows and answers as a test says. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { getLimeRuntime } from "../../resources/sdk/index.js";
import { createMockHost } from "../../resources/sdk/testing.js";
import { Notebook } from "../../sample_apps/notes/dist/ui/notebook.js";
import { describe } from "../../sample_apps/notes/dist/ui/problem.js";
import { textsOf } from "../../sample_apps/notes/dist/ui/shared/texts.js";
import { typedLink } from "../../sample_apps/notes/dist/ui/screens/completion.js";
import { nextItem } from "../../sample_apps/notes/dist/ui/screens/typing.js";
import { filesOf, noteOf } from "../../sample_apps/notes/dist/ui/work/folders.js";
import { DAYS_IN_TRASH } from "../../sample_apps/notes/dist/ui/work/notes.js";
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

/** A promise and what settles it: Node has that of itself only from 22 on. */
function deferred() {
  const made = {};
  made.promise = new Promise((resolve) => (made.resolve = resolve));
  return made;
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

test("a note that is begun while the notebook is still being read stays open, and takes the keyboard", async () => {
  const host = createMockHost({ appId: "notes" });
  host.answer("lime.files", "listRefs", () => []);
  host.answer("lime.artifacts", "list", () => []);
  const lime = await getLimeRuntime({ appId: "notes", transport: host.transport });
  const written = [];
  const shown = [];
  const notebook = new Notebook(lime, () => texts, (part) => {
    if (part === "written") written.push(notebook.open?.title);
    if (part === "note" && notebook.open !== null) shown.push(notebook.open.title);
  });
  // A host that was only starting answers while the new note is being opened, and then is slow with what load() opens.
  const start = deferred();
  const overtaken = deferred();
  host.answer("lime.storage", "get", async () => (await start.promise, null));
  const loading = notebook.load();
  const adding = notebook.add({ title: "Quick" });
  void adding.then(start.resolve);
  host.answer("lime.storage", "tableGet", async ({ table, id }) => {
    const isFirst = called(host, "lime.storage.tableGet").length === 1;
    (isFirst ? start : overtaken).resolve();
    await (isFirst ? Promise.race([overtaken.promise, loading]) : adding);
    const [row] = (await lime.storage.table(table).query({ where: { id } })).rows;
    return { row };
  });
  await adding;
  await loading;
  assert.deepEqual([written, shown, notebook.open.title, notebook.isLoaded], [["Quick"], ["Quick"], "Quick", true]);
});

test("a new note is open at once, so that what is typed next goes into it", async () => {
  const { lime, notebook } = await opened();
  const id = await write(notebook, "Garden", "Water the lime tree.");
  const adding = notebook.add();
  notebook.edit({ title: "Next" });
  await adding;
  await notebook.flush();
  assert.deepEqual(titles(notebook).toSorted(), ["Garden", "Next"]);
  assert.equal((await lime.storage.table("note").get(id)).title, "Garden");
});

test("what is typed while another note opens is kept in the note it was typed into", async () => {
  const { lime, notebook } = await opened();
  const garden = await write(notebook, "Garden", "Water the lime tree.");
  const plan = await write(notebook, "Plan", "Buy limes.");
  const choosing = notebook.choose(garden);
  notebook.edit({ body: "Buy many limes." });
  await choosing;
  assert.equal(notebook.open.id, garden);
  await notebook.flush();
  const kept = await Promise.all([garden, plan].map((id) => lime.storage.table("note").get(id)));
  assert.deepEqual(kept.map(({ body }) => body), ["Water the lime tree.", "Buy many limes."]);
});

test("a note that is opened while it is typed into shows what was typed, and one thrown away stays so", async () => {
  const { lime, notebook } = await opened();
  const id = await write(notebook, "Garden", "Water the lime tree.");
  const choosing = notebook.choose(id);
  notebook.edit({ body: "Water it on Mondays." });
  await choosing;
  assert.equal(notebook.open.body, "Water it on Mondays.");
  const discarding = notebook.discard();
  notebook.edit({ body: "Too late." });
  await discarding;
  await notebook.flush();
  assert.deepEqual([await lime.storage.table("note").get(id), notebook.open, notebook.saving], [null, null, "saved"]);
});

test("what comes for a note that is not open any more is dropped without a fault", async () => {
  const { host, notebook } = await opened();
  await write(notebook, "Garden", "- [ ] water");
  let choose;
  host.answer("lime.files", "pick", () => new Promise((resolve) => (choose = () => resolve({ files: [{ ref: "file-ref:1", name: "a.md", sizeBytes: 1 }] }))));
  const attaching = notebook.attach();
  await notebook.discard();
  choose();
  await attaching;
  notebook.edit({ body: "Too late." });
  notebook.tick(0, true);
  assert.deepEqual([notebook.open, notebook.attachments, notebook.problem], [null, [], null]);
  await write(notebook, "Plan", "- [ ] one");
  notebook.tick(7, true);
  assert.equal(notebook.open.body, "- [ ] one");
});

test("a pinned note stands first, whatever is newer", async () => {
  const { notebook } = await opened();
  await write(notebook, "Old", "");
  await notebook.pin();
  await write(notebook, "New", "");
  assert.deepEqual(titles(notebook), ["Old", "New"]);
});

test("a deleted note waits in the trash with its attachments, and lets go of them only when it is deleted for good", async () => {
  const { host, notebook, held } = await opened();
  await write(notebook, "Kept", "");
  const id = await write(notebook, "Gone", "soon");
  host.answer("lime.files", "pick", () => {
    held.push({ ref: "file-ref:1", name: "plan.md", sizeBytes: 9, mediaType: "text/markdown" });
    return { status: "chosen", files: held };
  });
  await notebook.attach();
  await notebook.discard();
  assert.deepEqual([titles(notebook), notebook.open.title, notebook.trash.map(nameOf)], [["Kept"], "Kept", ["Gone"]]);
  await notebook.undo();
  assert.deepEqual([notebook.open.id, notebook.trash, notebook.done], [id, [], null]);
  assert.deepEqual(notebook.attachments.map(({ name }) => name), ["plan.md"]);
  await notebook.discard();
  notebook.letGo();
  await notebook.load();
  assert.deepEqual([held.length, notebook.trash.map(nameOf)], [1, ["Gone"]]);
  await notebook.restore(id);
  assert.deepEqual([notebook.open.body, notebook.attachments.length], ["soon", 1]);
  await notebook.discard();
  await notebook.emptyTrash();
  assert.deepEqual([held, notebook.trash], [[], []]);
});

test("a note that came back is found by its words, and its links count", async () => {
  const { notebook } = await opened();
  const ferry = await write(notebook, "Ferry trip", "By noon.");
  const zebra = await write(notebook, "Zebra", "Stripes");
  for (const [animal, bringBack] of [["quagga", () => notebook.undo()], ["okapi", () => notebook.restore(zebra)]]) {
    // What was just typed, and nobody has read from the storage since.
    notebook.edit({ body: `A ${animal} lives near [[Ferry trip]]` });
    await notebook.discard();
    await bringBack();
    await notebook.search(animal);
    assert.deepEqual(titles(notebook), ["Zebra"]);
    await notebook.choose(ferry);
    assert.deepEqual(notebook.backlinks.map(nameOf), ["Zebra"]);
    await notebook.choose(zebra);
  }
});

test("what is searched for while a deleted note comes back stays searched for", async () => {
  const { notebook } = await opened();
  await write(notebook, "Kept", "rain coat");
  await write(notebook, "Gone", "soon");
  await notebook.search("gone");
  await notebook.discard();
  const undoing = notebook.undo();
  await notebook.search("rain");
  await undoing;
  assert.deepEqual([notebook.query, titles(notebook), notebook.open.title], ["rain", ["Kept"], "Gone"]);
  await notebook.search("");
  assert.deepEqual(titles(notebook).toSorted(), ["Gone", "Kept"]);
});

test("who opens another note while a deleted one comes back stays there", async () => {
  const { notebook } = await opened();
  const kept = await write(notebook, "Kept", "");
  await write(notebook, "Gone", "");
  await notebook.discard();
  const undoing = notebook.undo();
  await notebook.choose(kept);
  await undoing;
  assert.deepEqual([notebook.open.title, notebook.trash], ["Kept", []]);
});

test("who goes to the trash while a note is on its way there stays there", async () => {
  const { notebook } = await opened();
  await write(notebook, "Kept", "");
  await write(notebook, "Gone", "");
  const discarding = notebook.discard();
  while (notebook.trash.length === 0) await new Promise((resolve) => setTimeout(resolve));
  await notebook.showTrash();
  await discarding;
  assert.deepEqual([notebook.isInTrash, notebook.open.title], [true, "Gone"]);
  await notebook.showTrash(false);
  assert.deepEqual([notebook.isInTrash, notebook.open.title], [false, "Kept"]);
});

test("the trash is emptied of what has been in it for a month", async () => {
  const { lime, notebook } = await opened();
  const days = (count) => new Date(Date.now() - count * 86_400_000).toISOString();
  const note = { title: "", body: "x", tags: [], text: "x" };
  await lime.storage.table("trash").insert({ ...note, id: "old", title: "Old", deletedAt: days(DAYS_IN_TRASH + 1) });
  await lime.storage.table("trash").insert({ ...note, id: "new", title: "New", deletedAt: days(DAYS_IN_TRASH - 1) });
  await notebook.load();
  assert.deepEqual(notebook.trash.map(nameOf), ["New"]);
  assert.equal(await lime.storage.table("trash").get("old"), null);
});

test("a link leads to its note, or to a new one of that title, and each note says what links to it", async () => {
  const { notebook } = await opened();
  const garden = await write(notebook, "Garden", "See [[Kitchen]] and [[garden tools|tools]].");
  await write(notebook, "Garden tools", "");
  await notebook.choose(garden);
  await notebook.follow("GARDEN tools");
  assert.deepEqual([notebook.open.title, notebook.backlinks.map(nameOf)], ["Garden tools", ["Garden"]]);
  assert.equal(notebook.hasTitle("Kitchen"), false);
  await notebook.follow("Kitchen");
  assert.deepEqual([notebook.open.title, notebook.open.body, notebook.hasTitle("kitchen")], ["Kitchen", "", true]);
  assert.deepEqual(notebook.backlinks.map(nameOf), ["Garden"]);
  assert.deepEqual(notebook.completions("gar").toSorted(), ["Garden", "Garden tools"]);
  assert.deepEqual(notebook.completions("tools"), ["Garden tools"]);
  assert.deepEqual([typedLink("a [[Gar", 7), typedLink("a [[Gar]] b", 11), typedLink("[x", 2)], ["Gar", null, null]);
});

test("a list goes on by itself, and an empty item ends it", () => {
  assert.deepEqual(["- a", "  * b", "9. c", "1) d", "- [x] e", "- ", "text", ""].map(nextItem), ["- ", "  * ", "10. ", "2) ", "- [ ] ", "", null, null]);
});

test("a note that is renamed says at once what links to it", async () => {
  const { notebook } = await opened();
  await write(notebook, "Garden", "See [[Kitchen]].");
  await notebook.add();
  notebook.edit({ title: "Kitchen" });
  await notebook.flush();
  assert.deepEqual(notebook.backlinks.map(nameOf), ["Garden"]);
});

test("a task is ticked in the text itself", async () => {
  const { notebook } = await opened();
  await write(notebook, "Plan", "First\n- [ ] one\n- [x] two");
  notebook.tick(1, true);
  notebook.tick(2, false);
  assert.equal(notebook.open.body, "First\n- [x] one\n- [ ] two");
});

/** A folder that the person chose, as the host shows it. */
function folderOf(host, files) {
  const isUnder = (path, folder) => (folder ? path.startsWith(`${folder}/`) : true);
  host.answer("lime.ui", "selectDirectory", () => ({ path: "Notes", ref: "file-ref:folder", cancelled: false }));
  host.answer("lime.files", "listFolder", ({ path = "" }) => {
    const inside = Object.keys(files).filter((each) => isUnder(each, path)).map((each) => each.slice(path ? path.length + 1 : 0).split("/"));
    const names = [...new Map(inside.map(([name, ...rest]) => [name, rest.length > 0])).entries()];
    return { entries: names.map(([name, isFolder]) => ({ name, path: path ? `${path}/${name}` : name, isFolder, sizeBytes: 10, modifiedAt: "2026-01-02T03:04:05Z" })), truncated: false };
  });
  host.answer("lime.files", "readRef", ({ path }) => ({ content: files[path], offset: 0, bytesRead: 1, sizeBytes: 1 }));
}

test("a folder of Markdown becomes notes, nothing is taken twice, and it can be taken back", async () => {
  const { host, notebook, held } = await opened();
  held.push({ ref: "file-ref:folder" });
  folderOf(host, { "Garden.md": "# Garden\n\nWater [[Trees]].\n\n#home", "deep/Trees.markdown": "---\ntitle: Trees\ntags: [green, tall]\n---\nLime.", "picture.png": "", ".git/x.md": "no" });
  await notebook.importFolder();
  assert.deepEqual(notebook.notes.map(({ title, body, tags }) => [title, body, tags]).toSorted(), [["Garden", "Water [[Trees]].", ["home"]], ["Trees", "Lime.", ["green", "tall"]]]);
  assert.deepEqual([notebook.done.values, held], [{ count: 2, same: 0, unread: 0 }, []]);
  await notebook.importFolder();
  assert.deepEqual([notebook.notes.length, notebook.done.values, notebook.done.undo], [2, { count: 0, same: 2, unread: 0 }, undefined]);
  folderOf(host, { "New.md": "x" });
  await notebook.importFolder();
  await notebook.undo();
  assert.equal(notebook.notes.length, 2);
  host.answer("lime.ui", "selectDirectory", () => ({ path: null, cancelled: true }));
  await notebook.importFolder();
  assert.deepEqual([notebook.problem, notebook.busy], [null, null]);
});

test("all notes become files of a folder, and the same files are the same notes", async () => {
  const { host, notebook, artifacts } = await opened();
  await write(notebook, "Garden", "Water.\n\n- one", ["home"]);
  await write(notebook, "a/b: c?", "Odd name.");
  await write(notebook, "garden", "Twin.");
  const downloads = [];
  host.answer("lime.artifacts", "export", ({ format }) => ({ ref: `file-ref:${format}`, fileName: "Notes.zip" }));
  host.answer("lime.ui", "download", (wanted) => (downloads.push(wanted), { downloaded: true }));
  await notebook.exportAll();
  const { files } = artifacts[0].content;
  assert.deepEqual(files.map(({ path }) => path.toLowerCase()).toSorted(), ["a b c.md", "garden 2.md", "garden.md"]);
  assert.deepEqual(downloads, [{ ref: "file-ref:zip", fileName: "Notes", unpack: true }]);
  assert.deepEqual([notebook.done.kind, notebook.done.values.count], ["exported", 3]);
  const [garden] = filesOf([{ title: "Garden", body: "Water.\n\n- one", tags: ["home", "green"] }], "Untitled");
  const { title, body, tags } = noteOf(garden.text, garden.path);
  assert.deepEqual([title, body, tags], ["Garden", "Water.\n\n- one", ["home", "green"]]);
  await notebook.exportAll();
  assert.equal(artifacts[1].artifactId, artifacts[0].id);
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

test("it says that it looks while it looks, and that a model was asked once one was", async () => {
  const { host, notebook } = await opened();
  const id = await write(notebook, "Garden", "Water the lime tree on Mondays.");
  const seen = [];
  agentSays(host, ["On Mondays."]);
  host.answer("lime.knowledge", "search", () => (seen.push(notebook.busy.isAsked), { records: [{ rowId: id, title: "Garden", snippet: "On Mondays.", score: 1 }] }));
  host.answer("lime.agent", "startTask", () => (seen.push(notebook.busy.isAsked), { taskId: "t1" }));
  await notebook.ask("When is the lime tree watered?");
  assert.deepEqual(seen, [false, true]);
});

test("where nobody able would answer, or the answer is not worth showing, the passages are what is shown", async () => {
  const { host, notebook } = await opened();
  const id = await write(notebook, "Garden", "Water the lime tree on Mondays.");
  host.answer("lime.knowledge", "search", () => ({ records: [{ rowId: id, title: "Garden", snippet: "Water the lime tree on Mondays.", score: 8 }] }));
  host.refuse("lime.agent", "startTask", "APP_E130");
  await notebook.ask("When is the lime tree watered?");
  assert.deepEqual([notebook.asked.unanswered, notebook.asked.text, notebook.asked.sources.length, notebook.problem], ["noModel", "", 1, null]);
  agentSays(host, ["Bananas."], { subtype: "error_during_execution", error: { code: "APP_E109" } });
  await notebook.ask("When is the lime tree watered?");
  assert.deepEqual([notebook.asked.unanswered, notebook.asked.text], ["ungrounded", ""]);
  host.refuse("lime.agent", "startTask", "APP_E131");
  await notebook.summarize();
  assert.deepEqual([notebook.open.summary, describe(notebook.problem.error, texts).isQuiet], ["", true]);
});

test("that no model answers is said for as long as it is so", async () => {
  const { host, lime, notebook } = await opened();
  const id = await write(notebook, "Garden", "Water the lime tree on Mondays.");
  host.answer("lime.knowledge", "search", () => ({ records: [{ rowId: id, title: "Garden", snippet: "On Mondays.", score: 8 }] }));
  const models = (status) => Object.assign(lime.snapshot, { models: { status } });
  models("none");
  await notebook.ask("When is the lime tree watered?");
  assert.equal(notebook.unanswered, "noModel");
  models("ready");
  assert.equal(notebook.unanswered, "modelNow");
  host.refuse("lime.agent", "startTask", "APP_E130");
  await notebook.ask("When is the lime tree watered?");
  assert.equal(notebook.unanswered, "noModel", "the host refused, whatever it said before");
});

test("where no note speaks of a question, no model is asked", async () => {
  const { host, notebook } = await opened();
  host.answer("lime.knowledge", "search", () => ({ records: [] }));
  await notebook.ask("Who won in 1966?");
  assert.deepEqual([notebook.asked.sources, called(host, "lime.agent.startTask")], [[], []]);
});

test("an answer is kept as a document with its sources and their evidence", async () => {
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
  await notebook.summarize();
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
  const working = notebook.summarize();
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

test("what is chosen while the notes are read is not given back", async () => {
  // A bug: the folder that somebody imported at once was tidied away as one that no note names.
  const { lime, host, held } = await opened();
  held.push({ ref: "file-ref:left-behind" });
  host.answer("lime.artifacts", "list", () => []);
  const again = new Notebook(lime, () => texts);
  host.answer("lime.files", "listRefs", () => [...held]);
  // Somebody chooses a folder while the first value is read.
  host.answer("lime.storage", "get", () => {
    held.push({ ref: "file-ref:just-chosen" });
    return null;
  });
  await again.load();
  assert.deepEqual(held, [{ ref: "file-ref:just-chosen" }]);
});
