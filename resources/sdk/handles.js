/** What a capability offers beyond plain calls: tables, opened files, task streams, runs of workflows, topics. */

import { LimeError } from "./errors.js";
import { Stream, subscription } from "./streams.js";

/**
 * @typedef {import("./host_link.js").Link} Link
 * @typedef {import("./lime-app-sdk.d.ts").AgentTaskEvent} AgentTaskEvent
 * @typedef {{signal?: AbortSignal}} Until
 */

/** @param {any} storage @param {Link} link */
export const storageHandles = (storage, link) => ({
  table: (/** @type {string} */ name) => tableOf(storage, name),
  changes: (/** @type {Until} */ { signal } = {}) =>
    subscription(link, { capability: "lime.storage", topic: "changes" }, signal),
});

/** @param {any} _files @param {Link} link */
export const fileHandles = (_files, link) => ({
  opened({ persist = false, signal } = /** @type {Until & {persist?: boolean}} */ ({})) {
    const heard = subscription(link, { capability: "lime.files", topic: "opened", input: { persist } }, signal);
    return mapped(heard, ({ payload }) => payload);
  },
});

/** @param {any} _workflow @param {Link} link */
export const workflowHandles = (_workflow, link) => ({
  changes({ workflowRunId, signal } = /** @type {Until & {workflowRunId?: string}} */ ({})) {
    const input = workflowRunId === undefined ? {} : { workflowRunId };
    const heard = subscription(link, { capability: "lime.workflow", topic: "runs", input }, signal);
    return mapped(heard, ({ payload }) => payload);
  },
});

/** @param {any} agent @param {Link} link */
export const agentHandles = (agent, link) => ({
  events: (/** @type {string} */ taskId, /** @type {any} */ options) =>
    taskEvents(agent, link, taskId, options),
  async result(/** @type {string} */ taskId, /** @type {Until} */ options = {}) {
    for await (const event of taskEvents(agent, link, taskId, options)) {
      if (event.type === "result") return (await agent.getTask({ taskId })).result;
    }
    throw new LimeError({ stableCode: "cancelled", message: "Nobody waits for the task any more." });
  },
});

/** @param {any} _events @param {Link} link */
export const eventHandles = (_events, link) => ({
  on(/** @type {string} */ topic, /** @type {Until} */ { signal } = {}) {
    const heard = subscription(link, { capability: "lime.events", topic }, signal);
    return mapped(heard, ({ payload, emittedAt }) => ({ topic, payload: payload ?? null, emittedAt }));
  },
});

/** @param {any} storage @param {string} table */
function tableOf(storage, table) {
  const plain = (/** @type {any} */ stored) => stored?.row ?? null;
  return {
    get: async (/** @type {any} */ id) => plain(await storage.tableGet({ table, id })),
    insert: async (/** @type {object} */ row) => plain(await storage.tableInsert({ table, row })),
    update: async (/** @type {any} */ id, /** @type {object} */ changes) =>
      plain(await storage.tableUpdate({ table, id, changes })),
    upsert: async (/** @type {object} */ row) => plain(await storage.tableUpsert({ table, row })),
    delete: (/** @type {any} */ id) => storage.tableDelete({ table, id }),
    async query(/** @type {object} */ query = {}) {
      const page = await storage.tableQuery({ table, ...query });
      return { ...page, rows: page.rows.map(plain) };
    },
  };
}

/**
 * A task's events in their order, without a gap and without a repetition.
 * @param {any} agent @param {Link} link @param {string} taskId
 * @param {{afterSequence?: number, signal?: AbortSignal}} [options]
 * @returns {AsyncGenerator<AgentTaskEvent>}
 */
async function* taskEvents(agent, link, taskId, { afterSequence = 0, signal } = {}) {
  const follow = link.fetch === undefined ? pushedEvents : streamedEvents;
  let seen = afterSequence;
  for await (const event of follow(agent, link, taskId, afterSequence, signal)) {
    if (event.sequence <= seen) continue;
    seen = event.sequence;
    yield event;
    if (event.type === "result") return;
  }
}

/**
 * Read from a body of the app's own origin, at the reader's pace: many thousand events a second.
 * @param {any} _agent @param {Link} link @param {string} taskId @param {number} afterSequence @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<AgentTaskEvent>}
 */
async function* streamedEvents(_agent, link, taskId, afterSequence, signal) {
  const wish = { capability: "lime.agent", topic: "task", input: { taskId }, delivery: "stream", afterSequence };
  const { value } = await link.request("capability:subscribe", wish, { signal });
  try {
    for await (const line of linesOf(link, value.streamUrl, signal)) {
      const event = JSON.parse(line);
      if (event.type === "error") throw new LimeError(event.error);
      // The host has lost its server for a while; the stream goes on when it is back.
      if (event.type !== "unavailable") yield event;
    }
  } finally {
    link.request("capability:unsubscribe", { subscriptionId: value.subscriptionId }).catch(() => {});
  }
}

/**
 * Hear from messages; what they left out is asked for.
 * @param {any} agent @param {Link} link @param {string} taskId @param {number} afterSequence @param {AbortSignal} [signal]
 * @returns {AsyncGenerator<AgentTaskEvent>}
 */
async function* pushedEvents(agent, link, taskId, afterSequence, signal) {
  // Subscribed before the past is read, so that nothing falls between.
  const live = subscription(link, { capability: "lime.agent", topic: "task", input: { taskId } }, signal);
  try {
    let seen = afterSequence;
    let batch = await agent.streamTask({ taskId, afterSequence: seen });
    while (true) {
      for (const event of batch) {
        seen = Math.max(seen, event.sequence);
        yield event;
      }
      const { value, done } = await live.next();
      if (done) return;
      const pushed = /** @type {any[]} */ (value.events ?? []);
      const isGapless = pushed.length > 0 && pushed[0].sequence <= seen + 1;
      batch = isGapless ? pushed : await agent.streamTask({ taskId, afterSequence: seen });
    }
  } finally {
    live.end();
  }
}

/** @param {Link} link @param {string} path @param {AbortSignal} [signal] */
async function* linesOf(link, path, signal) {
  const response = await /** @type {NonNullable<Link["fetch"]>} */ (link.fetch)(path, { signal });
  const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    while (true) {
      const { value, done } = await reader.read();
      const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
      rest = /** @type {string} */ (lines.pop());
      yield* lines.filter(Boolean);
      if (done) return;
    }
  } catch (error) {
    // Giving up is the reader's wish, not a failure.
    if (!signal?.aborted) throw error;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/**
 * @template T, U
 * @param {Stream<T>} source @param {(value: T) => U} change
 * @returns {AsyncGenerator<U>}
 */
async function* mapped(source, change) {
  for await (const value of source) yield change(value);
}
