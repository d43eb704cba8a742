/** The list. Knows the host only through `lime`, so that a test can give it another. */

const KEY = "items";

/** @typedef {{ id: string, text: string }} Item */

/**
 * Every item, newest first.
 * @param {import("@lime/app-sdk").LimeRuntime} lime
 * @returns {Promise<Item[]>}
 */
export async function readItems(lime) {
  return /** @type {Item[] | null} */ (await lime.storage.get({ key: KEY })) ?? [];
}

/**
 * Add an item, and give the list as it is then.
 * @param {import("@lime/app-sdk").LimeRuntime} lime
 * @param {string} text
 */
export async function addItem(lime, text) {
  const words = text.trim();
  const items = await readItems(lime);
  if (words === "") return items;
  return keep(lime, [{ id: crypto.randomUUID(), text: words }, ...items]);
}

/**
 * Take an item out, and give the list as it is then.
 * @param {import("@lime/app-sdk").LimeRuntime} lime
 * @param {string} id
 */
export async function removeItem(lime, id) {
  const items = await readItems(lime);
  return keep(lime, items.filter((item) => item.id !== id));
}

/**
 * @param {import("@lime/app-sdk").LimeRuntime} lime
 * @param {Item[]} items
 */
async function keep(lime, items) {
  await lime.storage.set({ key: KEY, value: items });
  return items;
}
