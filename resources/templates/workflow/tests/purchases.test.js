/** The requests against a host in memory: the same messages and codes as the real one. Run by `npm test`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { getLimeRuntime } from "../.lime/sdk/index.js";
import { createMockHost } from "../.lime/sdk/testing.js";
import { readRequests, request } from "../dist/ui/purchases.js";

async function connected() {
  const host = createMockHost({ appId: "{{name}}" });
  return { host, lime: await getLimeRuntime({ appId: "{{name}}", transport: host.transport }) };
}

test("a request is a run of the workflow", async () => {
  const { host, lime } = await connected();
  const workflowRunId = await request(lime, { what: " Paper ", amount: 12 });
  assert.deepEqual(host.calls[0].input, { key: "purchase", input: { what: "Paper", amount: 12 } });
  const [told] = await readRequests(lime);
  assert.deepEqual(told, { workflowRunId, standing: "running", what: "Paper", amount: 12, isOver: false, receipt: null });
});

test("a refusal reaches whoever asked", async () => {
  const { host, lime } = await connected();
  host.refuse("lime.workflow", "start", "APP_E002");
  await assert.rejects(request(lime, { what: "Paper", amount: 12 }), { code: "permission_denied" });
});
