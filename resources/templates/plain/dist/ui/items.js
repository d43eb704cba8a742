/** The list. Knows the host only through `lime`, so that a test can give it another. */

const KEY = "items";

/** Every item, newest first. */
export async function readItems(lime) {
  return (await lime.storage.get({ key: KEY })) ?? [];
}

/** Add an item, and give the list as it is then. */
export async function addItem(lime, text) {
  const words = text.trim();
  const items = await readItems(lime);
  if (words === "") return items;
  return keep(lime, [{ id: crypto.randomUUID(), text: words }, ...items]);
}

/** Take an item out, and give the list as it is then. */
export async function removeItem(lime, id) {
  const items = await readItems(lime);
  return keep(lime, items.filter((item) => item.id !== id));
}

async function keep(lime, items) {
  await lime.storage.set({ key: KEY, value: items });
  return items;
}
