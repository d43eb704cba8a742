/** The list. Knows the host only through `lime`, so that a test can give it another. */

import type { LimeRuntime } from "@lime/app-sdk";

const KEY = "items";

export type Item = { id: string; text: string };

/** Every item, newest first. */
export async function readItems(lime: LimeRuntime): Promise<Item[]> {
  return ((await lime.storage.get({ key: KEY })) as Item[] | null) ?? [];
}

/** Add an item, and give the list as it is then. */
export async function addItem(lime: LimeRuntime, text: string): Promise<Item[]> {
  const words = text.trim();
  const items = await readItems(lime);
  if (words === "") return items;
  return keep(lime, [{ id: crypto.randomUUID(), text: words }, ...items]);
}

/** Take an item out, and give the list as it is then. */
export async function removeItem(lime: LimeRuntime, id: string): Promise<Item[]> {
  const items = await readItems(lime);
  return keep(lime, items.filter((item) => item.id !== id));
}

async function keep(lime: LimeRuntime, items: Item[]): Promise<Item[]> {
  await lime.storage.set({ key: KEY, value: items });
  return items;
}
