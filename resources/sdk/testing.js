/**
 * A host for an app's own unit tests: the same messages and the same codes, everything in memory.
 *
 *     const host = createMockHost({ appId: "notes" });
 *     const lime = await getLimeRuntime({ appId: "notes", transport: host.transport });
 *     host.refuse("lime.storage", "set", "APP_E002");
 */

import { CALLS } from "./calls.js";
import { CODES } from "./codes.js";
import { workflowsOf } from "./page_testing_runs.js";
import { memoryAnswers } from "./testing_memory.js";
import { runsInMemory } from "./testing_runs.js";

/**
 * @typedef {import("./testing.d.ts").MockHostOptions} MockHostOptions
 * @typedef {import("./testing.d.ts").MockHost} MockHost
 * @typedef {import("./testing.d.ts").MockAnswer} MockAnswer
 * @typedef {import("./lime-app-sdk.d.ts").HostSnapshot} HostSnapshot
 */

const ALWAYS_DECLARED = ["lime.ui", "lime.capabilities"];

/** @param {MockHostOptions} [options] @returns {MockHost} */
export function createMockHost({ appId = "test-app", entryKey = "main", declared, snapshot = {}, workflows = {} } = {}) {
  return new MemoryHost(appId, entryKey, declared, snapshot, workflows).face();
}

class Refusal extends Error {
  /** @param {string} appErrorCode @param {Record<string, unknown>} [details] */
  constructor(appErrorCode, details = {}) {
    super(CODES[appErrorCode]?.meaning ?? appErrorCode);
    this.appErrorCode = appErrorCode;
    this.details = details;
  }
}

class MemoryHost {
  #appId;
  #declared;
  /** @type {HostSnapshot} */
  #snapshot;
  /** @type {Map<string, MockAnswer>} */
  #answers;
  /** @type {Set<(message: any) => void>} */
  #pages = new Set();
  /** @type {Map<string, {capability: string, topic: string, run?: string}>} */
  #subscriptions = new Map();
  /** @type {import("./lime-app-sdk.d.ts").FileRef[][]} */
  #opened = [];
  /** @type {import("./testing.d.ts").MockCall[]} */
  #calls = [];
  /** @type {import("./page_testing.d.ts").TestWorkflows} */
  #workflow;

  /** @param {string} appId @param {string} entryKey @param {string[] | undefined} declared @param {Partial<HostSnapshot>} changes @param {Record<string, any>} workflows */
  constructor(appId, entryKey, declared, changes, workflows) {
    this.#appId = appId;
    this.#declared = declared && new Set([...declared, ...ALWAYS_DECLARED]);
    this.#snapshot = { ...plainSnapshot(appId, entryKey), ...changes };
    const publish = (/** @type {string} */ capability, /** @type {string} */ topic, /** @type {object} */ event) =>
      this.#publish(capability, topic, event);
    const refuse = (/** @type {string} */ code, /** @type {Record<string, unknown>} */ details = {}) => new Refusal(code, details);
    const tell = (/** @type {object} */ change) => publish("lime.workflow", "runs", { eventType: "change", payload: change });
    const runs = runsInMemory(appId, refuse, workflows, tell);
    this.#answers = memoryAnswers(appId, publish, refuse, runs.answers);
    this.#workflow = workflowsOf((_run, { do: command, ...given }) => runs.lead(command, given));
  }

  /** @returns {MockHost} */
  face() {
    return {
      transport: {
        send: (message) => void this.#receive(structuredClone(message)),
        listen: (hear) => {
          this.#pages.add(hear);
          return () => void this.#pages.delete(hear);
        },
      },
      calls: this.#calls,
      workflow: this.#workflow,
      answer: (capability, method, answer) => void this.#answers.set(`${capability}.${method}`, answer),
      refuse: (capability, method, appErrorCode, details) =>
        void this.#answers.set(`${capability}.${method}`, () => {
          throw new Refusal(appErrorCode, details);
        }),
      publish: (capability, topic, event) => this.#publish(capability, topic, event),
      openFiles: (...files) => {
        this.#opened.push(files);
        this.#tellOpened();
      },
      update: (changes) => this.#update(changes),
      setVisible: (visible) =>
        this.#say("host:visibility", { visible, visibilityState: visible ? "visible" : "hidden" }),
    };
  }

  /** @param {Partial<HostSnapshot>} changes */
  #update(changes) {
    this.#snapshot = { ...this.#snapshot, ...changes };
    this.#say("host:snapshot", this.#snapshot);
    if (changes.theme) this.#say("theme:update", changes.theme);
  }

  /** @param {any} message */
  async #receive({ type, requestId, payload = {} }) {
    try {
      const value = await this.#carryOut(type, payload, requestId);
      if (requestId === undefined || value === undefined) return;
      this.#say("host:response", { ok: true, value, result: value, traceId: `trace-${requestId}` }, requestId);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (requestId !== undefined) this.#say("host:error", errorPayload(error), requestId);
    }
  }

  /** @param {string} type @param {any} payload @param {string} requestId */
  async #carryOut(type, payload, requestId) {
    switch (type) {
      case "app:ready":
      case "host:getSnapshot":
        return this.#say("host:snapshot", this.#snapshot, requestId);
      case "capability:cancel":
        return undefined;
      case "capability:subscribe":
        return this.#subscribe(payload);
      case "capability:unsubscribe":
        return { ...payload, unsubscribed: this.#subscriptions.delete(payload.subscriptionId) };
      case "capability:invoke":
        return this.#invoke(payload);
      default:
        return this.#invoke({ capability: "lime.ui", method: type.slice("host:".length), input: payload });
    }
  }

  /** @param {any} payload */
  async #invoke({ capability, method, input }) {
    this.#calls.push({ capability, method, input });
    if (!(capability in CALLS)) throw new Refusal("APP_E001", { capability });
    this.#requireDeclared(capability);
    if (!(method in CALLS[capability])) throw new Refusal("APP_E006", { capability, method });
    const answer = this.#answers.get(`${capability}.${method}`);
    if (answer === undefined) throw new Refusal("APP_E001", { capability, method });
    return structuredClone((await answer(input)) ?? null);
  }

  /** @param {any} wish */
  #subscribe({ subscriptionId = crypto.randomUUID(), capability, topic, ...rest }) {
    this.#requireDeclared(capability);
    this.#subscriptions.set(subscriptionId, { capability, topic, run: rest.input?.workflowRunId });
    this.#tellOpened();
    return { ...rest, subscriptionId, capability, topic };
  }

  /** What was opened waits for a page that asks, and is told to one. */
  #tellOpened() {
    const wishes = [...this.#subscriptions.values()];
    if (!wishes.some(({ capability, topic }) => capability === "lime.files" && topic === "opened")) return;
    for (const files of this.#opened.splice(0)) this.#publish("lime.files", "opened", { payload: { files } });
  }

  /** @param {string} capability */
  #requireDeclared(capability) {
    if (this.#declared && !this.#declared.has(capability)) throw new Refusal("APP_E005", { capability });
  }

  /** @param {string} capability @param {string} topic @param {object} event */
  #publish(capability, topic, event) {
    for (const [subscriptionId, wish] of this.#subscriptions) {
      if (wish.capability !== capability || wish.topic !== topic) continue;
      if (wish.run !== undefined && wish.run !== /** @type {any} */ (event).payload?.workflowRunId) continue;
      const emittedAt = new Date().toISOString();
      this.#say("capability:event", { eventType: topic, ...event, subscriptionId, capability, topic, emittedAt });
    }
  }

  /** @param {string} type @param {unknown} payload @param {string} [requestId] */
  #say(type, payload, requestId) {
    const message = { protocol: "lime.agentApp.bridge", version: 1, type, appId: this.#appId, requestId, payload };
    for (const hear of this.#pages) queueMicrotask(() => hear(structuredClone(message)));
  }
}

/** @param {Refusal} refusal */
function errorPayload({ appErrorCode, message, details }) {
  const { stableCode, causeCode, retryable, userAction, recovery } = CODES[appErrorCode] ?? CODES.APP_E999;
  const facts = {
    code: causeCode,
    stableCode,
    message,
    retryable,
    details: { ...details, appErrorCode, userAction, recovery },
  };
  return { ok: false, ...facts, error: facts };
}

/** @param {string} appId @param {string} entryKey @returns {HostSnapshot} */
const plainSnapshot = (appId, entryKey) => ({
  app: {
    appId,
    entryKey,
    displayName: appId,
    version: "0.0.0",
    installMode: "in_lime",
    runtimeOrigin: `lime-app://${appId}`,
  },
  host: {
    name: "Lime",
    version: "0.0.0",
    bridgeProtocol: "lime.agentApp.bridge",
    bridgeVersion: 1,
    locale: "en",
    timezone: "UTC",
    visibilityState: "visible",
    sentAt: new Date(0).toISOString(),
  },
  theme: { themeMode: "light", effectiveThemeMode: "light", colorSchemeId: "lime", tokens: {} },
  capabilities: { available: Object.keys(CALLS), blocked: [], reasons: {} },
  readiness: { status: "ready", findings: [] },
  models: { status: "ready", quality: "standard", label: "Test model", isLocal: true },
});
