/** The way to the engine against a host in memory. Run by `npm test`; the engine's own tests are beside it. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { getLimeRuntime } from "../.lime/sdk/index.js";
import { createMockHost } from "../.lime/sdk/testing.js";
import { countWords } from "../dist/ui/words.js";

const run = (status, more = {}) => ({ invocationId: "t1", key: "engine/count", status, progress: 0, ...more });

async function connected(...later) {
  const host = createMockHost({ appId: "{{name}}" });
  host.answer("lime.tools", "invoke", () => run("running", { progress: 0.5 }));
  host.answer("lime.tools", "getProgress", () => later.shift());
  host.answer("lime.terminal", "cancel", () => ({ runId: "t1", status: "cancelled" }));
  return { host, lime: await getLimeRuntime({ appId: "{{name}}", transport: host.transport }) };
}

test("what it found comes once it is done, and how far it is before", async () => {
  const found = { total: 1, words: [["lime", 1]] };
  const { lime } = await connected(run("succeeded", { output: found }));
  const told = [];
  const counted = await countWords(lime, "lime", { onProgress: (share) => told.push(share), pauseMs: 1 });
  assert.deepEqual([counted, told], [found, [0.5]]);
});

test("it is stopped when nobody wants it any more", async () => {
  const { host, lime } = await connected();
  const stopping = new AbortController();
  const { signal } = stopping;
  assert.equal(await countWords(lime, "lime", { signal, onProgress: () => stopping.abort(), pauseMs: 1 }), null);
  assert.equal(host.calls.at(-1).method, "cancel");
});

test("who stops while the person is still asked about the program has nothing begun", async () => {
  const { host, lime } = await connected();
  assert.equal(await countWords(lime, "lime", { signal: AbortSignal.abort(), pauseMs: 1 }), null);
  assert.equal(host.calls.filter(({ method }) => method === "invoke").length, 0);
});

test("a failure says why", async () => {
  const { lime } = await connected(run("failed", { message: "The backend ended with code 3." }));
  await assert.rejects(countWords(lime, "lime", { pauseMs: 1 }), /ended with code 3/);
});
