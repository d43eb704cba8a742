/** A question against a host in memory, where the test says what the agent answers. Run by `npm test`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { getLimeRuntime } from "../.lime/sdk/index.js";
import { createMockHost } from "../.lime/sdk/testing.js";
import { NoAnswer, ask } from "../dist/ui/asking.js";

async function connected(result) {
  const host = createMockHost({ appId: "{{name}}" });
  const events = ["Because ", "it is."].map((delta, index) => ({
    type: "assistant:delta",
    sequence: index + 1,
    payload: { delta },
  }));
  host.answer("lime.agent", "startTask", () => ({ taskId: "t1" }));
  host.answer("lime.agent", "streamTask", () => [...events, { type: "result", sequence: 3, payload: {} }]);
  host.answer("lime.agent", "getTask", () => ({ result }));
  return { host, lime: await getLimeRuntime({ appId: "{{name}}", transport: host.transport }) };
}

test("the answer is shown as it comes, and given whole", async () => {
  const { host, lime } = await connected({ subtype: "success", text: "" });
  const shown = [];
  assert.equal(await ask(lime, "Why?", { onText: (soFar) => shown.push(soFar) }), "Because it is.");
  assert.deepEqual(shown, ["Because ", "Because it is."]);
  assert.equal(host.calls[0].input.prompt, "Why?");
});

test("a task that fails says so", async () => {
  const { lime } = await connected({ subtype: "error_during_execution", error: { message: "No model." } });
  await assert.rejects(ask(lime, "Why?"), new NoAnswer({ error: { message: "No model." } }));
});

test("without the permission nothing is asked", async () => {
  const { host, lime } = await connected({});
  host.refuse("lime.agent", "startTask", "APP_E002");
  await assert.rejects(ask(lime, "Why?"), { code: "permission_denied" });
});
