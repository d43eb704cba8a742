/** Draft Desk without a page: its own modules against the SDK's mock host. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { getLimeRuntime } from "../../resources/sdk/index.js";
import { createMockHost } from "../../resources/sdk/testing.js";
import { Desk } from "../../sample_apps/draft-desk/dist/ui/desk.js";
import { describe } from "../../sample_apps/draft-desk/dist/ui/problem.js";
import { textsOf } from "../../sample_apps/draft-desk/dist/ui/shared/texts.js";
import { missingIn, taskFor } from "../../sample_apps/draft-desk/dist/ui/work/brief.js";
import { fromMarkdown, lengthOf, toMarkdown } from "../../sample_apps/draft-desk/dist/ui/work/markdown.js";
import { partialDraft, partialJson } from "../../sample_apps/draft-desk/dist/ui/work/partial.js";

const APP = "draft-desk";
const BRIEF = { goal: "Move", readers: "All", points: "- On 3 May\n\n* Bring boxes", tone: "plain", language: "en" };
const CONTENT = { headline: "We move", summary: "Soon.", sections: [{ heading: "When", text: "3 May." }], questions: [] };

/** What a task says, and how it ends. */
const result = (subtype, more = {}, deltas = ["12345"]) => ({
  events: [
    ...deltas.map((delta, index) => ({ sequence: index + 1, type: "assistant:delta", payload: { delta } })),
    { sequence: deltas.length + 1, type: "result", subtype, payload: { subtype, ...more } },
  ],
  result: { subtype, ...more },
});

/** A desk with one open draft, over a host that answers as told. */
async function deskOver(task = result("success", { output: CONTENT })) {
  const host = createMockHost({ appId: APP });
  const kept = [];
  host.answer("lime.agent", "startTask", () => ({ taskId: "task-1" }));
  host.answer("lime.agent", "streamTask", () => task.events);
  host.answer("lime.agent", "getTask", () => ({ result: task.result }));
  host.answer("lime.agent", "cancelTask", () => ({ taskId: "task-1" }));
  host.answer("lime.evidence", "record", (fact) => (kept.push(fact), { id: `evidence-${kept.length}`, ...fact }));
  host.answer("lime.evidence", "list", () => kept.toReversed());
  host.answer("lime.evidence", "linkArtifact", () => ({}));
  host.answer("lime.artifacts", "create", ({ artifactId }) => ({ id: artifactId ?? "art-1", version: artifactId ? 2 : 1 }));
  host.answer("lime.artifacts", "export", () => ({ ref: "file-ref:1", fileName: "We move.md", sizeBytes: 12 }));
  host.answer("lime.ui", "download", () => ({ downloaded: true }));
  const desk = new Desk(await getLimeRuntime({ appId: APP, transport: host.transport }));
  await desk.load();
  await desk.add("en");
  await desk.saveBrief(BRIEF);
  return { host, desk, kept, calls: (name) => host.calls.filter(({ method }) => method === name) };
}

const decides = (host, decision, changes = {}) =>
  host.answer("lime.review", "requestDecision", ({ payload }) => ({
    status: "decided",
    decision,
    payload: { ...payload, ...changes },
  }));

test("a brief says what is missing, and gives its points as data", () => {
  assert.deepEqual(missingIn({ ...BRIEF, goal: " ", points: "-\n" }), ["goal", "points"]);
  assert.deepEqual(taskFor(BRIEF).input.points, ["On 3 May", "Bring boxes"]);
  assert.ok(!taskFor(BRIEF).prompt.includes("3 May"));
});

test("a draft is the same after a way through text", () => {
  const { headline, questions, ...rest } = CONTENT;
  assert.deepEqual(fromMarkdown(toMarkdown(CONTENT)), rest);
  assert.deepEqual(fromMarkdown("Only this."), { summary: "Only this.", sections: [] });
  assert.equal(lengthOf("Two words, 你好"), 4);
});

test("what was typed is what is written from, however fast somebody is", async () => {
  const { desk, calls } = await deskOver();
  desk.saveBrief({ ...BRIEF, goal: "Move today" });
  await desk.write(() => "written");
  assert.equal(calls("startTask")[0].input.input.goal, "Move today");
  assert.deepEqual([desk.open.content, desk.open.status, desk.busy], [CONTENT, "drafted", null]);
});

test("what was typed is kept in its own draft, whichever is open by then", async () => {
  const { desk } = await deskOver();
  const { id } = desk.open;
  await desk.outline();
  await desk.add("en");
  await desk.saveBrief({ ...BRIEF, goal: "Move today" }, id);
  await desk.saveText("We move today", "Soon.", id);
  const first = desk.drafts.find((each) => each.id === id);
  assert.deepEqual([first.brief.goal, first.content.headline], ["Move today", "We move today"]);
  assert.deepEqual([desk.open.brief.goal, desk.open.content], ["", null]);
  await desk.choose(first);
  await desk.remove();
  await desk.saveBrief(BRIEF, id);
  assert.deepEqual([desk.drafts.length, desk.problem], [1, null]);
});

test("what could not be saved is saved as it was typed by then, once a person tries again", async () => {
  const { host, desk, calls } = await deskOver();
  host.refuse("lime.storage", "tableUpdate", "APP_E002");
  await desk.saveBrief({ ...BRIEF, goal: "Move today" });
  await desk.saveBrief({ ...BRIEF, goal: "Move tomorrow" });
  assert.equal(desk.problem.step, "brief");
  const updates = [];
  host.answer("lime.storage", "tableUpdate", (input) => (updates.push(JSON.stringify(input)), {}));
  await desk.problem.again();
  assert.deepEqual([updates.length, updates[0].includes("Move tomorrow"), desk.problem], [1, true, null], `${calls("tableUpdate").length}`);
});

test("the list tells of a draft when it was changed last, not when the page was opened", async () => {
  const { desk, calls } = await deskOver();
  const before = new Date(0).toISOString();
  Object.assign(desk.open, { updatedAt: before });
  desk.drafts = desk.drafts.map((each) => ({ ...each, updatedAt: before }));
  await desk.saveBrief({ ...BRIEF, goal: "Move today" });
  const [shown] = desk.drafts;
  assert.ok(Date.now() - Date.parse(shown.updatedAt) < 60_000, shown.updatedAt);
  assert.ok(JSON.stringify(calls("tableUpdate").at(-1).input).includes(shown.updatedAt), "and so it is kept");
});

test("a task without an output changes nothing and says why", async () => {
  const { desk } = await deskOver(result("error_max_structured_output_retries"));
  await desk.write(() => "written");
  assert.equal(desk.open.content, null);
  assert.equal(desk.problem.error.code, "error_max_structured_output_retries");
  assert.deepEqual(desk.open.brief, BRIEF);
});

test("stopping cancels the task, or keeps it from beginning", async () => {
  const { host, desk, calls } = await deskOver(result("cancelled"));
  const early = desk.write(() => "written");
  desk.stop();
  await early;
  assert.deepEqual([calls("startTask").length, desk.problem.error.code], [0, "cancelled"]);
  host.answer("lime.agent", "startTask", () => (desk.stop(), { taskId: "task-1" }));
  await desk.write(() => "written");
  assert.equal(desk.problem.error.code, "cancelled");
  assert.equal(describe(desk.problem, textsOf({ errors: { cancelled: "Stopped." } }, "en")).isQuiet, true);
});

test("what a person changed is what becomes the version", async () => {
  const { host, desk, kept, calls } = await deskOver();
  await desk.write(() => "written");
  decides(host, "modify", { headline: "Moving!" });
  await desk.decide("Approve?", ({ decision }) => decision);
  assert.equal(calls("create")[0].input.content.headline, "Moving!");
  assert.deepEqual([desk.open.version, desk.open.content.headline], [2, "Moving!"]);
  decides(host, "approve");
  await desk.decide("Approve?", ({ decision }) => decision);
  assert.deepEqual([calls("create")[1].input.artifactId, desk.open.version, desk.versions[0].number], ["art-1", 3, 3]);
  assert.deepEqual(kept.map(({ kind }) => kind), ["brief-given", "draft-written", "draft-decided", "draft-decided"]);
});

test("a draft that is rejected is not kept as a document, and its text stays a version", async () => {
  const { host, desk, calls } = await deskOver();
  await desk.write(() => "written");
  decides(host, "reject");
  await desk.decide("Approve?", () => "no");
  assert.deepEqual([calls("create").length, desk.open.status], [0, "rejected"]);
  assert.deepEqual(desk.versions.map(({ number, kind }) => [number, kind]), [[2, "reject"], [1, "written"]]);
});

/** A host whose person has not decided yet; `decide` is when they do. */
function asksSlowly(host) {
  const asked = [];
  let answer = null;
  host.answer("lime.review", "requestDecision", ({ subject, payload }) => {
    asked.push({ subject, payload });
    return answer === null ? { status: "pending" } : { status: "decided", decision: answer, payload };
  });
  return { asked, decide: (decision) => (answer = decision) };
}

async function until(isSo) {
  for (let looks = 0; looks < 400 && !isSo(); looks += 1) await new Promise((done) => setTimeout(done, 25));
  assert.ok(isSo());
}

test("who decides later goes on, and the decision is taken when it comes", async () => {
  const { host, desk, kept } = await deskOver();
  await desk.write(() => "written");
  const person = asksSlowly(host);
  const deciding = desk.decide("Approve?", ({ decision }) => decision);
  await until(() => person.asked.length > 0);
  desk.stop();
  await deciding;
  assert.deepEqual([desk.open.status, desk.problem, desk.busy], ["waiting", null, null]);
  person.decide("approve");
  await until(() => desk.open.status === "approved");
  await until(() => kept.at(-1).kind === "draft-decided");
  assert.equal(desk.open.version, 2);
});

test("a page that starts again goes on waiting with the same question", async () => {
  const { host, desk } = await deskOver();
  await desk.write(() => "written");
  const person = asksSlowly(host);
  desk.decide("Approve?", ({ decision }) => decision);
  await until(() => person.asked.length > 0);
  const later = new Desk(await getLimeRuntime({ appId: APP, transport: host.transport }));
  await later.load(({ decision }) => `later: ${decision}`);
  assert.equal(later.open.status, "waiting");
  person.decide("reject");
  await until(() => later.open.status === "rejected");
  assert.equal(new Set(person.asked.map((each) => JSON.stringify(each))).size, 1);
});

test("a text that is changed while a review is open does not take over its answer", async () => {
  const { host, desk, calls } = await deskOver();
  await desk.write(() => "written");
  const person = asksSlowly(host);
  const deciding = desk.decide("Approve?", ({ decision }) => decision);
  await until(() => person.asked.length > 0);
  desk.stop();
  await deciding;
  await desk.saveText("We move", "Later.");
  assert.deepEqual([desk.open.status, desk.problem], ["drafted", null]);
  person.decide("approve");
  await desk.decide("Approve?", ({ decision }) => decision);
  assert.deepEqual(calls("create").map(({ input }) => input.content.markdown), ["Later."]);
});

test("a review that cannot be asked for leaves the draft as it was", async () => {
  const { host, desk } = await deskOver();
  await desk.write(() => "written");
  host.refuse("lime.review", "requestDecision", "APP_E002");
  await desk.decide("Approve?", ({ decision }) => decision);
  assert.deepEqual([desk.open.status, desk.problem.step, desk.busy], ["drafted", "review", null]);
});

test("a refusal of the host is shown, and what was tried can be tried again", async () => {
  const { host, desk } = await deskOver();
  await desk.write(() => "written");
  decides(host, "approve");
  await desk.decide("Approve?", () => "yes");
  await desk.tryFirst("markdown", () => "tried");
  host.refuse("lime.ui", "download", "APP_E002");
  await desk.publish(() => "published");
  assert.deepEqual([desk.problem.step, desk.problem.error.code], ["publish", "permission_denied"]);
  assert.equal(desk.tried.fileName, "We move.md");
  const words = { errors: { not_allowed: "You chose" }, actions: { not_allowed: "In Settings" } };
  const { title, action, isQuiet } = describe(desk.problem, textsOf(words, "en"));
  assert.deepEqual([title, action, isQuiet], ["You chose", "In Settings", true]);
});

test("a person's own no to publishing is said calmly", async () => {
  const { host, desk } = await deskOver();
  await desk.write(() => "written");
  decides(host, "approve");
  await desk.decide("Approve?", () => "yes");
  await desk.tryFirst("markdown", () => "tried");
  host.refuse("lime.ui", "download", "APP_E027");
  await desk.publish(() => "published");
  const said = describe(desk.problem, textsOf({ errors: { not_published: "Not published" } }, "en"));
  assert.deepEqual([said.title, said.isQuiet, desk.problem.again !== null], ["Not published", true, true]);
});

test("a text changed after the trial has to be tried again", async () => {
  const { host, desk } = await deskOver();
  await desk.write(() => "written");
  decides(host, "approve");
  await desk.decide("Approve?", () => "yes");
  await desk.tryFirst("markdown", () => "tried");
  await desk.saveText("We move", "Later.");
  assert.deepEqual([desk.tried, desk.open.status], [null, "drafted"]);
});

test("a text is there while it is written, however far it has come", async () => {
  const whole = JSON.stringify(CONTENT);
  assert.deepEqual(partialJson(whole), CONTENT);
  for (const text of [whole, JSON.stringify(CONTENT, null, 2)]) {
    let shown = "";
    for (let end = 0; end <= text.length; end += 1) {
      const draft = partialDraft(text.slice(0, end));
      const now = [draft.headline, draft.summary, ...draft.sections.flatMap(({ heading, text: words }) => [heading, words])].join("");
      // It only ever grows: what was seen once never flickers away.
      assert.ok(now.startsWith(shown), text.slice(0, end));
      shown = now;
    }
    assert.equal(shown, "We moveSoon.When3 May.");
  }
  assert.equal(partialDraft('Sure: {"headline": "We mo').headline, "We mo");
  assert.equal(partialDraft('{"headline": "A \\"quote\\" and \\u4f').headline, 'A "quote" and ');
  assert.deepEqual(partialDraft('{"headline": 4, "sections": [{"heading": "When", "text": "On'), { headline: "", summary: "", sections: [{ heading: "When", text: "On" }] });

  const { desk } = await deskOver(result("success", { output: CONTENT }, [whole.slice(0, 15), whole.slice(15, 60), whole.slice(60)]));
  const shown = [];
  const told = desk.write(() => "written");
  const look = setInterval(() => desk.busy?.draft && shown.push(desk.busy.draft.headline), 0);
  await told;
  clearInterval(look);
  assert.deepEqual(desk.open.content, CONTENT);
});

test("every text a draft has had can be compared and taken up again", async () => {
  const { host, desk } = await deskOver();
  await desk.write(() => "written");
  await desk.saveText("We move", "Soon, by hand.");
  decides(host, "modify", { markdown: "On 3 May." });
  await desk.decide("Approve?", () => "yes");
  assert.deepEqual(desk.versions.map(({ number, kind, markdown }) => [number, kind, markdown]), [
    [3, "modify", "On 3 May."],
    [2, "edited", "Soon, by hand."],
    [1, "written", "Soon.\n\n## When\n\n3 May."],
  ]);
  const [, , first] = desk.versions;
  desk.compare(first);
  assert.deepEqual([desk.before(first), desk.before(desk.versions[0]).number], [null, 2]);
  await desk.takeUp(first);
  assert.deepEqual([toMarkdown(desk.open.content), desk.open.status, desk.compared], [first.markdown, "drafted", null]);
  assert.equal(desk.versions.length, 4);
});

test("what was typed after the last version is not lost when it is written again", async () => {
  const { desk } = await deskOver();
  await desk.write(() => "written");
  await desk.saveText("Mine", "My own words.");
  await desk.write(() => "written");
  assert.deepEqual(desk.versions.map(({ headline }) => headline), ["We move", "Mine", "We move"]);
});

test("where nobody able would write, the brief stays and the way on is said", async () => {
  const { host, desk } = await deskOver();
  host.refuse("lime.agent", "startTask", "APP_E131");
  await desk.write(() => "written");
  const { isNoModel, isQuiet } = describe(desk.problem, textsOf({ errors: { other: "x" }, actions: { other: "x" } }, "en"));
  assert.deepEqual([desk.open.content, desk.open.brief, isNoModel, isQuiet], [null, BRIEF, true, true]);
});

test("without a model an outline of the brief is a draft too, and nothing in it is made up", async () => {
  const { desk, calls } = await deskOver();
  await desk.outline();
  assert.deepEqual(desk.open.content, { headline: "Move", summary: "", sections: [{ heading: "On 3 May", text: "" }, { heading: "Bring boxes", text: "" }], questions: [] });
  assert.equal(calls("startTask").length, 0);
});

test("a deleted draft comes back as it was, with its versions", async () => {
  const { desk } = await deskOver();
  await desk.write(() => "written");
  const { id } = desk.open;
  await desk.remove();
  assert.deepEqual([desk.open, desk.drafts, desk.removed.id], [null, [], id]);
  await desk.undo();
  assert.deepEqual([desk.open.content, desk.removed, desk.versions.length], [CONTENT, null, 1]);
  await desk.remove();
  await desk.forgetRemoved();
  assert.equal(desk.removed, null);
});
