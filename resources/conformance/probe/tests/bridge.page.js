import { expect, host, test } from "/__lime__/sdk/page_testing.js";
import { app, demand, probe, refusalIn, valueIn } from "./probe.js";

const SNAPSHOT_FIELDS = ["app", "capabilities", "cloud", "host", "readiness", "theme", "workspace", "models"];
/** Names that only a secret, or something of the host's own, would have; and the beginnings of its paths. */
const TELLING = /"(access|refresh|session)?_?(token|password|api_?key|ledger)"\s*:\s*"|\/(home|root|tmp|var|Users)\/|\.db"|sqlite/i;

test("APP-21 APP-27: every answer carries its request's id and a trace; a refusal adds code and words", async () => {
  const { envelope, send, call } = probe();
  const asked = envelope("host:getSnapshot", {});
  expect((await send(asked)).requestId).toBe(asked.requestId);
  const kept = await call("lime.storage.set", { key: "a", value: 1 });
  demand(kept.payload.traceId, "The answer has no trace id.");
  const refused = await call("lime.storage.nothing", {});
  const { stableCode, message, details, traceId } = refused.payload;
  for (const each of [stableCode, message, details.appErrorCode, traceId]) demand(each, "Something is left out.");
  expect(typeof refused.payload.retryable).toBe("boolean");
});

test("APP-24: a message of another protocol, version, app or type never executes", async () => {
  const { envelope, say, call, heard } = probe();
  const set = { capability: "lime.storage", method: "set", input: { key: "strange", value: 1 } };
  const changes = [{ protocol: "other" }, { version: 2 }, { appId: "another-app" }, { type: "host:response" }];
  const strange = changes.map((changed) => envelope("capability:invoke", set, changed));
  strange.forEach(say);
  expect(valueIn(await call("lime.storage.get", { key: "strange" }))).toBe(null);
  const ids = new Set(strange.map(({ requestId }) => requestId));
  const taken = heard.filter(({ type, requestId }) => ids.has(requestId) && type !== "host:error");
  expect(taken.length).toBe(0);
});

test("APP-20 APP-52 APP-64: what is not declared is refused, whatever the page or its guide says", async () => {
  const { call } = probe();
  const plain = refusalIn(await call("lime.files.pick", {}));
  const claims = { granted: true, permissions: ["*"], policy: "allow", role: "host" };
  expect(refusalIn(await call("lime.files.pick", claims, claims))).toEqual(plain);
  expect(plain.code).toBe("APP_E005");
});

test("APP-25: a capability that this host lacks is refused by its code, and never answered", async () => {
  expect(refusalIn(await probe().call("lime.media.generateImage", {})).code).toBe("APP_E001");
});

test("APP-26: the snapshot hands over what may be called, and why the rest may not", async () => {
  const { capabilities } = (await probe().ask("host:getSnapshot", {})).payload;
  demand(capabilities.available.includes("lime.storage"), "Storage is not handed over.");
  demand(capabilities.blocked.includes("lime.media"), "What is absent is not named.");
  demand(capabilities.reasons["lime.media"], "No reason is given.");
});

test("APP-28 APP-66 RT-36: no token, key, ledger, database or path reaches the page", async () => {
  const { ask, call, heard } = probe();
  const { payload } = await ask("host:getSnapshot", {});
  demand(Object.keys(payload).every((key) => SNAPSHOT_FIELDS.includes(key)), "The snapshot has an unknown part.");
  await call("lime.storage.getUsage", {});
  await call("lime.agent.listTasks", {});
  const found = JSON.stringify(heard).match(TELLING);
  demand(!found, `The page was told of ${found?.[0]}.`);
});

test("APP-29: a cloud session's snapshot has no token", async () => {
  const said = JSON.stringify(valueIn(await probe().call("lime.cloudSession.getSnapshot", {})));
  demand(!/eyJ|bearer|accessToken"\s*:\s*"/i.test(said), `It says ${said}`);
});

test("APP-23: the theme comes with the snapshot, and anew when the person changes it", async () => {
  const { ask, hear } = probe();
  const before = (await ask("host:getSnapshot", {})).payload.theme;
  await host.theme(before.effectiveThemeMode === "dark" ? "light" : "dark");
  const { payload } = await hear(({ type }) => type === "theme:update", "how the theme changed");
  demand(payload.effectiveThemeMode !== before.effectiveThemeMode, "The update says what was so before.");
  demand(payload.tokens["--lime-accent"], "It brings no colours.");
});

test("APP-54: the sidecar's own messages lead nowhere, and its methods are no capability", async () => {
  const { say, call, ask, heard } = probe();
  const before = heard.length;
  say({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} });
  say({ id: 1, method: "agentSession/start", params: { appId: "probe" } });
  await ask("host:getSnapshot", {});
  expect(heard.slice(before).filter(({ protocol }) => protocol !== "lime.agentApp.bridge").length).toBe(0);
  expect(refusalIn(await call("lime.agent.agentSession/start", {})).code).toBe("APP_E006");
  expect(typeof app().qt).toBe("undefined");
});

test("APP-17: a permission that the person takes back is refused from the next call on", async () => {
  const { call } = probe();
  valueIn(await call("lime.storage.set", { key: "a", value: 1 }));
  await host.permit("keep", false);
  const asked = call("lime.storage.get", { key: "a" });
  await host.answer({ yes: false });
  expect(refusalIn(await asked).stable).toBe("permission_denied");
  await host.permit("keep", true);
  expect(valueIn(await call("lime.storage.get", { key: "a" }))).toBe(1);
});

test("APP-44 APP-46: what a call says of other apps leads to nobody else's data", async () => {
  const { call } = probe();
  const { appId } = valueIn(await call("lime.storage.set", { key: "mine", value: 1 }));
  expect(appId).toBe("probe");
  // Notes keeps nothing under this key: whatever comes is the probe's own.
  expect(valueIn(await call("lime.storage.get", { key: "mine", namespace: "notes", appId: "notes" }))).toBe(1);
});

test("APP-59: an effect outside waits for the person, and a no is a no", async () => {
  const { call } = probe();
  const publish = () => call("lime.storage.set", { key: "out", value: 1 }, { operation: "publish" });
  const asked = publish();
  // Were it not asked about, nobody could answer, and this would not end.
  await host.answer({ yes: false });
  demand(refusalIn(await asked).stable, "Nothing says why.");
  expect(valueIn(await call("lime.storage.get", { key: "out" }))).toBe(null);
});

test("APP-58: a page starts no tool that was not declared, and no command", async () => {
  const { call } = probe();
  refusalIn(await call("lime.tools.invoke", { key: "shell", input: { command: "true" } }));
  refusalIn(await call("lime.terminal.run", { command: "true" }));
});
