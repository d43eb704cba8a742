/** What the mock host can really do: keep values and rows, and pass events on. The rest a test answers itself. */

/**
 * @typedef {import("./testing.d.ts").MockAnswer} MockAnswer
 * @typedef {(capability: string, topic: string, event: object) => void} Publish
 * @typedef {(appErrorCode: string, details?: Record<string, unknown>) => Error} Refuse
 */

/**
 * @param {string} appId @param {Publish} publish @param {Refuse} refuse
 * @returns {Map<string, MockAnswer>}
 */
export function memoryAnswers(appId, publish, refuse) {
  return new Map(
    Object.entries({
      ...valueAnswers(appId, publish),
      ...rowAnswers(publish, refuse),
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
  const changed = (/** @type {string} */ key) =>
    publish("lime.storage", "changes", { eventType: "storage:changed", payload: { key } });
  return {
    "lime.storage.get": ({ key }) => entries.get(key)?.value ?? null,
    "lime.storage.set": ({ key, value }) => {
      entries.set(key, { appId, key, value, updatedAt: new Date().toISOString() });
      changed(key);
      return entries.get(key);
    },
    "lime.storage.list": () => [...entries.values()],
    "lime.storage.delete": ({ key }) => {
      changed(key);
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
  const keep = (/** @type {string} */ table, /** @type {any} */ row) => {
    const version = (rows(table).get(row.id)?.version ?? 0) + 1;
    rows(table).set(row.id, { table, id: row.id, row, version, updatedAt: new Date().toISOString() });
    publish("lime.storage", "changes", { eventType: "storage:changed", payload: { table, id: row.id } });
    return rows(table).get(row.id);
  };
  return {
    "lime.storage.tableGet": ({ table, id }) => rows(table).get(id) ?? null,
    "lime.storage.tableInsert": ({ table, row }) => {
      if (rows(table).has(row.id)) throw refuse("APP_E205", { table });
      return keep(table, row);
    },
    "lime.storage.tableUpdate": ({ table, id, changes }) => {
      const stored = rows(table).get(id);
      if (stored === undefined) throw refuse("APP_E204", { table });
      return keep(table, { ...stored.row, ...changes });
    },
    "lime.storage.tableUpsert": ({ table, row }) => keep(table, row),
    "lime.storage.tableDelete": ({ table, id }) => rows(table).delete(id),
    "lime.storage.tableQuery": ({ table, where = {}, limit = 100 }) => {
      const isMatch = (/** @type {any} */ { row }) => Object.entries(where).every(([name, value]) => row[name] === value);
      return { rows: [...rows(table).values()].filter(isMatch).slice(0, limit) };
    },
  };
}
