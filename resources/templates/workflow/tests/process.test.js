/** The process against a host in memory, with and without a workflow engine. Run by `npm test`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { getLimeRuntime } from "../.lime/sdk/index.js";
import { createMockHost } from "../.lime/sdk/testing.js";
import { finishStep, readProgress, readRun, startProcess } from "../dist/ui/process.js";

async function connected() {
  const host = createMockHost({ appId: "{{name}}" });
  return { host, lime: await getLimeRuntime({ appId: "{{name}}", transport: host.transport }) };
}

test("a host with an engine runs it", async () => {
  const { host, lime } = await connected();
  const { by, workflowRunId } = await startProcess(lime);
  assert.equal(by, "host");
  const steps = [{ state: "draft", status: "succeeded" }, { state: "review", status: "waiting" }];
  host.answer("lime.workflow", "get", (asked) => {
    assert.equal(asked.workflowRunId, workflowRunId);
    return { status: "waiting", steps };
  });
  assert.deepEqual(await readRun(lime), { status: "waiting", isOver: false, done: ["draft"] });
});

test("on a host without one the person is led through the steps", async () => {
  const { host, lime } = await connected();
  host.refuse("lime.workflow", "start", "APP_E305");
  assert.equal((await startProcess(lime)).by, "person");
  assert.deepEqual(await finishStep(lime, "draft"), ["draft"]);
  assert.deepEqual(await finishStep(lime, "publish"), ["draft"]);
  assert.deepEqual(await finishStep(lime, "review"), ["draft", "review"]);
  assert.deepEqual(await readProgress(lime), ["draft", "review"]);
});

test("any other refusal is told", async () => {
  const { host, lime } = await connected();
  host.refuse("lime.workflow", "start", "APP_E002");
  await assert.rejects(startProcess(lime), { code: "permission_denied" });
});
