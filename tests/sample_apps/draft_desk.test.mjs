/** Draft Desk without a page: its own modules against the SDK's mock host. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { getLimeRuntime } from "../../resources/sdk/index.js";
import { createMockHost } from "../../resources/sdk/testing.js";
import { Desk } from "../../sample_apps/draft-desk/dist/ui/desk.js";
import { describe } from "../../sample_apps/draft-desk/dist/ui/problem.js";
import { textsOf } from "../../sample_apps/draft-desk/dist/ui/texts.js";
import { missingIn, taskFor } from "../../sample_apps/draft-desk/dist/ui/work/brief.js";
import { fromMarkdown, lengthOf, toMarkdown } from "../../sample_apps/draft-desk/dist/ui/work/markdown.js";

const APP = "draft-desk";
const BRIEF = { goal: "Move", readers: "All", points: "- On 3 May\n\n* Bring boxes", tone: "plain", language: "en" };
const CONTENT = { headline: "We move", summary: "Soon.", sections: [{ heading: "When", text: "3 May." }], questions: [] };

const result = (subtype, more = {}) => [
  { sequence: 1, type: "assistant:delta", payload: { delta: "12345" } },
  { sequence: 2, type: "result", subtype, payload: { subtype, ...more } },
];

/** A desk with one open draft, over a host that answers as told. */
async function deskOver(events = result("success", { output: CONTENT })) {
  const host = createMockHost({ appId: APP });
  const kept = [];
  host.answer("lime.agent", "startTask", () => ({ taskId: "task-1" }));
  host.answer("lime.agent", "streamTask", () => events);
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

test("a task without an output changes nothing and says why", async () => {
  const { desk } = await deskOver(result("error_max_structured_output_retries"));
  await desk.write(() => "written");
  assert.equal(desk.open.content, null);
  assert.equal(desk.problem.error.subtype, "error_max_structured_output_retries");
});

test("stopping cancels the task, even before it has begun", async () => {
  const { desk, calls } = await deskOver(result("cancelled"));
  const writing = desk.write(() => "written");
  desk.stop();
  await writing;
  assert.deepEqual(calls("cancelTask")[0].input, { taskId: "task-1" });
  assert.equal(describe(desk.problem, textsOf({ errors: { cancelled: "Stopped." } }, "en")).isQuiet, true);
});

test("what a person changed is what becomes the version", async () => {
  const { host, desk, kept, calls } = await deskOver();
  await desk.write(() => "written");
  decides(host, "modify", { headline: "Moving!" });
  await desk.decide("Approve?", ({ decision }) => decision);
  assert.equal(calls("create")[0].input.content.headline, "Moving!");
  assert.deepEqual([desk.open.version, desk.open.content.headline], [1, "Moving!"]);
  decides(host, "approve");
  await desk.decide("Approve?", ({ decision }) => decision);
  assert.deepEqual([calls("create")[1].input.artifactId, desk.open.version], ["art-1", 2]);
  assert.deepEqual(kept.map(({ kind }) => kind), ["brief-given", "draft-written", "draft-decided", "draft-decided"]);
});

test("a draft that is sent back makes no version", async () => {
  const { host, desk, calls } = await deskOver();
  await desk.write(() => "written");
  decides(host, "reject");
  await desk.decide("Approve?", () => "no");
  assert.deepEqual([calls("create").length, desk.open.status], [0, "rejected"]);
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
});

test("a text changed after the trial has to be tried again", async () => {
  const { host, desk } = await deskOver();
  await desk.write(() => "written");
  decides(host, "approve");
  await desk.decide("Approve?", () => "yes");
  await desk.tryFirst("markdown", () => "tried");
  await desk.saveContent({ ...desk.open.content, summary: "Later." });
  assert.deepEqual([desk.tried, desk.open.status], [null, "drafted"]);
});
