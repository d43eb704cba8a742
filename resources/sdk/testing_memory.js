/** What the mock host can really do: keep values, rows and runs of workflows, and pass events on. The rest a test answers itself. */

import { queryRows } from "./testing_query.js";

/**
 * @typedef {import("./testing.d.ts").MockAnswer} MockAnswer
 * @typedef {(capability: string, topic: string, event: object) => void} Publish
 * @typedef {(appErrorCode: string, details?: Record<string, unknown>) => Error} Refuse
 */

/** What a step of a transaction is called by itself. @type {Record<string, string>} */
const STEPS = { insert: "tableInsert", update: "tableUpdate", upsert: "tableUpsert", deleteRow: "tableDelete" };

/**
 * @param {string} appId @param {Publish} publish @param {Refuse} refuse @param {Record<string, MockAnswer>} runs
 * @returns {Map<string, MockAnswer>}
 */
export function memoryAnswers(appId, publish, refuse, runs) {
  const stored = { ...valueAnswers(appId, publish), ...rowAnswers(publish, refuse) };
  return new Map(
    Object.entries({
      ...stored,
      ...runs,
      "lime.storage.transaction": ({ operations }) => ({
        results: operations.map((/** @type {any} */ { op, ...input }) => stored[`lime.storage.${STEPS[op] ?? op}`](input)),
      }),
      "lime.events.emit": ({ topic, payload }) => {
        publish("lime.events", topic, { payload });
        return { accepted: true };
      },
      "lime.ui.toast": () => ({ accepted: true }),
      "lime.ui.navigate": ({ route, url }) => ({ navigatedTo: route ?? url }),
      "lime.ui.openExternal": () => ({ opened: true }),
    }),
  );
}

/** @param {string} appId @param {Publish} publish @returns {Record<string, MockAnswer>} */
function valueAnswers(appId, publish) {
  const entries = new Map();
  const changed = (/** @type {string} */ op, /** @type {string} */ key) =>
    publish("lime.storage", "changes", { eventType: "change", payload: { changes: [{ op, key }] } });
  return {
    "lime.storage.get": ({ key }) => entries.get(key)?.value ?? null,
    "lime.storage.set": ({ key, value }) => {
      entries.set(key, { appId, key, value, updatedAt: new Date().toISOString() });
      changed("set", key);
      return entries.get(key);
    },
    "lime.storage.list": () => [...entries.values()],
    "lime.storage.delete": ({ key }) => {
      changed("delete", key);
      return entries.delete(key);
    },
  };
}

/** @param {Publish} publish @param {Refuse} refuse @returns {Record<string, MockAnswer>} */
function rowAnswers(publish, refuse) {
  /** @type {Map<string, Map<unknown, any>>} */
  const tables = new Map();
  const rows = (/** @type {string} */ table) =>
    tables.get(table) ?? /** @type {Map<unknown, any>} */ (tables.set(table, new Map()).get(table));
  const tell = (/** @type {string} */ op, /** @type {string} */ table, /** @type {unknown} */ id) =>
    publish("lime.storage", "changes", { eventType: "change", payload: { changes: [{ op, table, id }] } });
  const keep = (/** @type {string} */ op, /** @type {string} */ table, /** @type {any} */ row) => {
    const id = row.id ?? `row-${rows(table).size + 1}`;
    const version = (rows(table).get(id)?.version ?? 0) + 1;
    rows(table).set(id, { table, id, row: { ...row, id }, version, updatedAt: new Date().toISOString() });
    tell(op, table, id);
    return rows(table).get(id);
  };
  return {
    "lime.storage.tableGet": ({ table, id }) => rows(table).get(id) ?? null,
    "lime.storage.tableInsert": ({ table, row }) => {
      if (rows(table).has(row.id)) throw refuse("APP_E205", { table });
      return keep("insert", table, row);
    },
    "lime.storage.tableUpdate": ({ table, id, changes }) => {
      const stored = rows(table).get(id);
      if (stored === undefined) throw refuse("APP_E204", { table });
      return keep("update", table, { ...stored.row, ...changes });
    },
    "lime.storage.tableUpsert": ({ table, row }) => keep("upsert", table, row),
    "lime.storage.tableDelete": ({ table, id }) => {
      tell("deleteRow", table, id);
      return rows(table).delete(id);
    },
    "lime.storage.tableQuery": ({ table, ...query }) => queryRows([...rows(table).values()], query),
  };
}
