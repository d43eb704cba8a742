/** What a capability offers beyond plain calls: tables, task streams, topics. */

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
 * A task's events in their order, without a gap and without a repetition: what was missed is asked for.
 * @param {any} agent @param {Link} link @param {string} taskId
 * @param {{afterSequence?: number, signal?: AbortSignal}} [options]
 * @returns {AsyncGenerator<AgentTaskEvent>}
 */
async function* taskEvents(agent, link, taskId, { afterSequence = 0, signal } = {}) {
  const wish = { capability: "lime.agent", topic: "task", input: { taskId } };
  // Subscribed before the past is read, so that nothing falls between.
  const live = subscription(link, wish, signal);
  try {
    let seen = afterSequence;
    let batch = await agent.streamTask({ taskId, afterSequence: seen });
    while (true) {
      for (const event of batch) {
        if (event.sequence <= seen) continue;
        seen = event.sequence;
        yield event;
        if (event.type === "result") return;
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

/**
 * @template T, U
 * @param {Stream<T>} source @param {(value: T) => U} change
 * @returns {AsyncGenerator<U>}
 */
async function* mapped(source, change) {
  for await (const value of source) yield change(value);
}
