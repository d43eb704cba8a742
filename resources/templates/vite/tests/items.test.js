/** The list against a host in memory: the same messages and codes as the real one. Run by `npm test`. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { getLimeRuntime } from "../.lime/sdk/index.js";
import { createMockHost } from "../.lime/sdk/testing.js";
import { addItem, readItems, removeItem } from "../src/items.js";

async function connected() {
  const host = createMockHost({ appId: "{{name}}" });
  return { host, lime: await getLimeRuntime({ appId: "{{name}}", transport: host.transport }) };
}

test("what is added is kept, newest first", async () => {
  const { lime } = await connected();
  await addItem(lime, "first");
  await addItem(lime, "  second ");
  assert.deepEqual((await readItems(lime)).map(({ text }) => text), ["second", "first"]);
});

test("nothing is added for no words", async () => {
  const { lime } = await connected();
  assert.deepEqual(await addItem(lime, "   "), []);
});

test("what is removed is gone", async () => {
  const { lime } = await connected();
  const [item] = await addItem(lime, "first");
  assert.deepEqual(await removeItem(lime, item.id), []);
});

test("a refusal reaches whoever asked", async () => {
  const { host, lime } = await connected();
  host.refuse("lime.storage", "set", "APP_E002");
  await assert.rejects(addItem(lime, "first"), { code: "permission_denied" });
});
