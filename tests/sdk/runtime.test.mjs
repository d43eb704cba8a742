/** The SDK against its own mock host: what an app author meets, text for text the real host's codes. */

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  LimeError,
  createLimeCoreCapabilityAdapters,
  createLimeHostBridgeCapabilityInvoker,
  getLimeRuntime,
  syncTheme,
} from "../../resources/sdk/index.js";
import { createMockHost } from "../../resources/sdk/testing.js";

const APP = "notes";

async function connected(options = {}) {
  const host = createMockHost({ appId: APP, ...options });
  return { host, lime: await getLimeRuntime({ appId: APP, transport: host.transport }) };
}

async function refusal(promise) {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof LimeError, String(error));
    return error;
  }
  assert.fail("nothing was refused");
}

test("a value that was kept is read back", async () => {
  const { lime } = await connected();
  await lime.storage.set({ key: "greeting", value: { text: "Hello", ok: false, result: 1 } });
  assert.deepEqual(await lime.storage.get({ key: "greeting" }), { text: "Hello", ok: false, result: 1 });
  assert.equal(await lime.storage.get({ key: "other" }), null);
});

test("a table gives plain rows", async () => {
  const { lime } = await connected();
  const notes = lime.storage.table("notes");
  await notes.insert({ id: 1, title: "One" });
  await notes.upsert({ id: 2, title: "Two" });
  await notes.update(1, { title: "First" });
  assert.deepEqual(await notes.get(1), { id: 1, title: "First" });
  assert.deepEqual((await notes.query({ where: { title: "Two" } })).rows, [{ id: 2, title: "Two" }]);
  assert.equal(await notes.delete(2), true);
  assert.equal((await refusal(notes.insert({ id: 1 }))).code, "conflict");
});

test("a refusal carries the host's codes and what to do", async () => {
  const { host, lime } = await connected();
  host.refuse("lime.storage", "set", "APP_E002", { permission: "write" });
  const error = await refusal(lime.storage.set({ key: "a", value: 1 }));
  assert.equal(error.code, "permission_denied");
  assert.equal(error.causeCode, "PERMISSION_DENIED");
  assert.equal(error.appErrorCode, "APP_E002");
  assert.equal(error.retryable, false);
  assert.equal(error.details.permission, "write");
  assert.ok(error.userAction && error.recovery);
});

test("what is not declared, not known or not answered is refused, each with its own code", async () => {
  const { lime } = await connected({ declared: ["lime.storage"] });
  assert.equal((await refusal(lime.agent.listTasks())).appErrorCode, "APP_E005");
  assert.equal((await refusal(lime.invoke("lime.storage", "fly"))).appErrorCode, "APP_E006");
  assert.equal((await refusal(lime.invoke("lime.nothing", "get"))).appErrorCode, "APP_E001");
  assert.equal((await refusal(lime.storage.getUsage())).code, "capability_unavailable");
});

test("a call is given up by its signal, by its time, and by closing", async () => {
  const { host, lime } = await connected();
  host.answer("lime.agent", "listTasks", () => new Promise(() => {}));
  const stop = new AbortController();
  const waiting = refusal(lime.agent.listTasks({ signal: stop.signal }));
  stop.abort();
  assert.equal((await waiting).code, "cancelled");
  assert.equal((await refusal(lime.agent.listTasks({ signal: stop.signal }))).code, "cancelled");
  const late = await refusal(lime.agent.listTasks({ timeoutMs: 1 }));
  assert.deepEqual([late.code, late.retryable], ["timeout", true]);
  const open = refusal(lime.agent.listTasks());
  lime.close();
  assert.equal((await open).code, "cancelled");
});

test("a call that asks a person is repeated until they have decided", async () => {
  const { host, lime } = await connected();
  const answers = [{ status: "pending" }, { status: "pending" }, { status: "granted" }];
  host.answer("lime.policy", "requestPermission", () => answers.shift());
  assert.deepEqual(await lime.policy.requestPermission({ capability: "lime.files" }), { status: "granted" });
  assert.equal(host.calls.length, 3);
});

test("a call that needs a yes waits for it, and says once that it does", async () => {
  const { host, lime } = await connected();
  const pending = () => host.refuse("lime.storage", "set", "APP_E010", { pending: true });
  let told = 0;
  pending();
  const kept = lime.storage.set(
    { key: "a", value: 1 },
    { onPending: () => { told += 1; host.answer("lime.storage", "set", ({ value }) => ({ value })); } },
  );
  assert.deepEqual([(await kept).value, told], [1, 1]);
  pending();
  const stop = new AbortController();
  const given = refusal(lime.storage.set({ key: "a", value: 1 }, { signal: stop.signal, onPending: () => stop.abort() }));
  assert.equal((await given).code, "cancelled");
});

test("what only reads is asked again until the host can answer it, and nothing else is", async () => {
  const { host, lime } = await connected();
  const away = (method) => host.refuse("lime.storage", method, "APP_E901", { canRepeat: true });
  away("get");
  setTimeout(() => host.answer("lime.storage", "get", () => "back"), 20);
  assert.equal(await lime.storage.get({ key: "a" }), "back");
  assert.ok(host.calls.length > 1);
  away("get");
  assert.equal((await refusal(lime.storage.get({ key: "a" }, { timeoutMs: 5_000 }))).appErrorCode, "APP_E901");
  host.refuse("lime.storage", "set", "APP_E901");
  assert.equal((await refusal(lime.storage.set({ key: "a", value: 1 }))).appErrorCode, "APP_E901");
  const stop = new AbortController();
  const given = refusal(lime.storage.get({ key: "a" }, { signal: stop.signal }));
  stop.abort();
  assert.equal((await given).code, "cancelled");
  const open = refusal(lime.storage.get({ key: "a" }));
  lime.close();
  assert.ok(["cancelled", "capability_unavailable"].includes((await open).code));
});

test("rows are found by condition, in order, page by page", async () => {
  const { lime } = await connected();
  const notes = lime.storage.table("notes");
  for (const [id, title, size] of [["a", "Lime", 3], ["b", "Lemon", 1], ["c", "Olive", 2]]) {
    await notes.insert({ id, title, size });
  }
  const ids = async (query) => (await notes.query(query)).rows.map(({ id }) => id);
  assert.deepEqual(await ids({ where: { title: { contains: "li" } } }), ["a", "c"]);
  assert.deepEqual(await ids({ where: { size: { gte: 2 } }, orderBy: [{ field: "size" }] }), ["c", "a"]);
  const first = await notes.query({ orderBy: [{ field: "size", direction: "desc" }], limit: 2 });
  assert.deepEqual(await ids({ orderBy: [{ field: "size", direction: "desc" }], limit: 2, cursor: first.nextCursor }), ["b"]);
});

test("events of a topic are taken one by one until the loop is left", async () => {
  const { host, lime } = await connected();
  const heard = [];
  const topic = lime.events.on("orders");
  const first = topic.next();
  await lime.events.emit({ topic: "orders", payload: 1 });
  await lime.events.emit({ topic: "others", payload: 9 });
  await lime.events.emit({ topic: "orders", payload: 2 });
  heard.push((await first).value.payload);
  for await (const { payload } of topic) {
    heard.push(payload);
    break;
  }
  assert.deepEqual(heard, [1, 2]);
  host.publish("lime.events", "orders", { payload: 3 });
  assert.equal((await topic.next()).done, true);
});

test("files that were opened from outside wait for the page that asks, and are told once", async () => {
  const { host, lime } = await connected();
  const file = { ref: "file-ref:1", name: "a.csv", sizeBytes: 1, mediaType: "text/csv", modifiedAt: "", isPersistent: true, isFolder: false };
  host.openFiles(file);
  const opened = lime.files.opened({ persist: true });
  assert.deepEqual((await opened.next()).value, { files: [file] });
  host.openFiles({ ...file, ref: "file-ref:2" }, { ...file, ref: "file-ref:3" });
  assert.deepEqual((await opened.next()).value.files.map(({ ref }) => ref), ["file-ref:2", "file-ref:3"]);
});

test("a refused subscription ends its loop with the refusal", async () => {
  const { lime } = await connected({ declared: [] });
  assert.equal((await refusal(lime.events.on("orders").next())).appErrorCode, "APP_E005");
});

test("a task's events have no gap and no repetition, whatever was pushed", async () => {
  const { host, lime } = await connected();
  const all = [1, 2, 3, 4, 5, 6].map((sequence) => ({ sequence, type: sequence === 6 ? "result" : "task:progress" }));
  let stored = 2;
  host.answer("lime.agent", "streamTask", ({ afterSequence }) =>
    all.filter(({ sequence }) => sequence > afterSequence && sequence <= stored),
  );
  host.answer("lime.agent", "getTask", () => ({ result: { subtype: "success" } }));
  const push = (...sequences) => {
    stored = Math.max(...sequences);
    const events = all.filter(({ sequence }) => sequences.includes(sequence));
    host.publish("lime.agent", "task", { eventType: "task:update", events });
  };
  const seen = [];
  for await (const { sequence } of lime.agent.events("t1")) {
    seen.push(sequence);
    if (sequence === 2) push(2, 3);
    if (sequence === 3) push(5);
    if (sequence === 5) push(6);
  }
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6]);
  assert.deepEqual(await lime.agent.result("t1"), { subtype: "success" });
});

test("a task's events are read from a stream where the host serves one", async () => {
  const host = createMockHost({ appId: APP });
  const lines = [
    { sequence: 1, type: "task:progress" },
    { type: "unavailable", error: {} },
    { sequence: 1, type: "task:progress" },
    { sequence: 2, type: "result" },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  const parts = [text.slice(0, 7), text.slice(7, 40), text.slice(40)];
  const fetch = async () => new Response(ReadableStream.from(parts.map((part) => new TextEncoder().encode(part))));
  const lime = await getLimeRuntime({ appId: APP, transport: { ...host.transport, fetch } });
  const seen = [];
  for await (const { sequence } of lime.agent.events("t1")) seen.push(sequence);
  assert.deepEqual(seen, [1, 2]);
});

test("a value too long for a message is fetched", async () => {
  const host = createMockHost({ appId: APP });
  const listen = (hear) =>
    host.transport.listen((message) => {
      if (message.type === "host:response") message.payload = { ok: true, value: null, valueRef: { url: "/long" } };
      hear(message);
    });
  const fetch = async (path) => Response.json({ path });
  const lime = await getLimeRuntime({ appId: APP, transport: { ...host.transport, listen, fetch } });
  assert.deepEqual(await lime.storage.get({ key: "a" }), { path: "/long" });
});

test("the host in memory keeps runs of workflows, and stops those that have not ended", async () => {
  const { lime } = await connected();
  const run = await lime.workflow.start({ key: "publish", input: { topic: "tea" }, idempotencyKey: "once" });
  const again = await lime.workflow.start({ key: "publish", input: { topic: "tea" }, idempotencyKey: "once" });
  assert.equal(again.workflowRunId, run.workflowRunId);
  const other = lime.workflow.start({ key: "publish", input: 2, idempotencyKey: "once" });
  assert.equal((await refusal(other)).appErrorCode, "APP_E905");
  const named = { workflowRunId: run.workflowRunId };
  assert.equal((await lime.workflow.pause(named)).status, "paused");
  assert.equal((await lime.workflow.resume(named)).status, "running");
  assert.deepEqual((await lime.workflow.get(named)).input, { topic: "tea" });
  assert.equal((await lime.workflow.cancel(named)).status, "cancelled");
  assert.equal((await refusal(lime.workflow.pause(named))).appErrorCode, "APP_E301");
  assert.equal((await refusal(lime.workflow.get({ workflowRunId: "x" }))).appErrorCode, "APP_E304");
  assert.deepEqual((await lime.workflow.list({ status: "cancelled" })).length, 1);
});

test("a page hears of its runs as they move, or of one that it names", async () => {
  const { host, lime } = await connected({ workflows: { purchase: PURCHASE } });
  await host.workflow.plan({ ...TO_BOOK, stepByStep: true });
  const all = lime.workflow.changes()[Symbol.asyncIterator]();
  const first = all.next();
  const { workflowRunId } = await lime.workflow.start({ key: "purchase", input: { amount: 12 } });
  assert.deepEqual((await first).value, { workflowRunId, status: "running" });
  const one = lime.workflow.changes({ workflowRunId })[Symbol.asyncIterator]();
  const next = one.next();
  await lime.workflow.start({ key: "other" });
  await lime.workflow.cancel({ workflowRunId });
  assert.deepEqual((await next).value, { workflowRunId, status: "cancelled" });
});

test("theme and snapshot follow the host", async () => {
  const { host, lime } = await connected();
  const root = { dataset: {}, style: { setProperty: (name, value) => (root.style[name] = value) } };
  const seen = new Promise((resolve) => lime.onVisibility(resolve));
  syncTheme(lime, root);
  assert.equal(root.dataset.limeThemeEffective, "light");
  const theme = { themeMode: "system", effectiveThemeMode: "dark", colorSchemeId: "lime", tokens: { "--lime-bg": "#111", color: "red" } };
  host.update({ theme });
  host.setVisible(false);
  assert.equal((await seen).visible, false);
  assert.equal(root.style["--lime-bg"], "#111");
  assert.equal(root.style.color, undefined);
  assert.equal(lime.snapshot.theme.effectiveThemeMode, "dark");
});

test("the names of earlier SDKs reach the same host", async () => {
  const host = createMockHost({ appId: APP });
  const invoker = createLimeHostBridgeCapabilityInvoker({ appId: APP, transport: host.transport });
  const adapters = createLimeCoreCapabilityAdapters({ invoker });
  assert.equal((await invoker.invoke({ capability: "lime.storage", method: "set", input: { key: "a", value: 1 } })).ok, true);
  assert.equal(await adapters.storage.get({ key: "a" }), 1);
  host.refuse("lime.storage", "get", "APP_E009");
  const refused = await invoker.invoke("lime.storage", "get", { key: "a" });
  assert.deepEqual([refused.ok, refused.error.code], [false, "policy_denied"]);
  assert.equal(invoker.getCallLog().length, 2);
});

test("outside a host everything is refused at once", async () => {
  const invoker = createLimeHostBridgeCapabilityInvoker({ appId: APP });
  const answer = await invoker.invoke("lime.storage", "get", { key: "a" });
  assert.deepEqual([answer.ok, answer.error.causeCode], [false, "CAPABILITY_BLOCKED"]);
  assert.equal((await refusal(getLimeRuntime({ appId: APP }))).code, "capability_unavailable");
  assert.equal((await refusal(getLimeRuntime())).code, "schema_invalid");
});

const PURCHASE = {
  states: [
    { key: "check", kind: "branch", cases: [{ when: "$.input.amount <= 200", next: "book" }], next: "review" },
    { key: "review", kind: "human-review", deadline: "3d", onDeadline: "reject", next: { approve: "book", modify: "book", reject: "no" } },
    { key: "book", kind: "storage-write", onError: "retry", retry: { max: 1, wait: "1m" }, next: "rest" },
    { key: "rest", kind: "wait", for: "30d", next: "end" },
    { key: "no", kind: "end", status: "cancelled" },
  ],
  recovery: { onError: "show_error_and_allow_retry" },
};
const TO_BOOK = { branches: { check: "book" }, outputs: { book: { row: { amount: 12 } } } };

test("a run is led step by step in memory, and the app is told how it stands", async () => {
  const { host, lime } = await connected({ workflows: { purchase: PURCHASE } });
  await host.workflow.plan({ ...TO_BOOK, stepByStep: true });
  const { workflowRunId } = await lime.workflow.start({ key: "purchase", input: { amount: 12 } });
  const run = await host.workflow.newest("purchase");
  assert.equal(run.id, workflowRunId);
  assert.deepEqual(run.state.heldBefore, ["check"]);
  await run.step();
  assert.deepEqual([run.states, run.state.heldBefore], [["check"], ["book"]]);
  await run.step();
  assert.deepEqual(run.stepIn("book").output, { row: { amount: 12 } });
  await run.goOn();
  assert.equal((await lime.workflow.get({ workflowRunId })).waitsFor, "time");
  await run.skipWait();
  assert.equal((await lime.workflow.get({ workflowRunId })).status, "succeeded");
  assert.deepEqual([(await run.facts())[0].type, (await run.facts()).at(-1).type], ["job.created", "job.completed"]);
});

test("a person's answer and a deadline lead on as the workflow says", async () => {
  const { host } = await connected({ workflows: { purchase: PURCHASE } });
  const plan = { branches: { check: "review" } };
  const changed = await host.workflow.start("purchase", null, plan);
  await changed.answer({ yes: true, changed: { amount: 3 } });
  assert.deepEqual([changed.stepIn("review").decision, changed.stepIn("review").output], ["modify", { amount: 3 }]);
  const late = await host.workflow.start("purchase", null, plan);
  await late.skipWait(2 * 86_400);
  assert.equal(late.state.waitsFor, "review");
  await late.skipWait(86_400);
  assert.deepEqual([late.state.status, late.stepIn("review").decidedBy], ["cancelled", "deadline"]);
});

test("a state that fails is recovered as its workflow says", async () => {
  const { host } = await connected({ workflows: { purchase: PURCHASE } });
  const run = await host.workflow.start("purchase", null, { ...TO_BOOK, failures: { book: { code: "APP_E206" } } });
  assert.deepEqual([run.state.waitsFor, run.stepIn("book").error.code], ["time", "APP_E206"]);
  await run.skipWait();
  assert.deepEqual([run.stepIn("book").attempt, run.state.state], [2, "rest"]);
});

test("what the host in memory cannot know it does not make up", async () => {
  const { host } = await connected({ workflows: { purchase: PURCHASE, many: { states: [{ key: "all", kind: "parallel" }] } } });
  const run = await host.workflow.start("purchase", { amount: 12 });
  assert.deepEqual([run.state.status, run.stepIn("check").error.code], ["waiting", "invalid_input"]);
  await assert.rejects(run.forceBranch("check", "rest"), /no way to `rest`/);
  await assert.rejects(host.workflow.start("many"), /lime-desktop test/);
});
