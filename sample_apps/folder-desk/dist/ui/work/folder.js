/**
 * The folder that a person opened: the host indexes it and follows its files. The app holds a reference and looks things up;
 * what was dropped or chosen is bound without a second question, for the choice was the grant.
 */

import { chosenFolder, filesIn } from "../shared/folders.js";
import { patiently } from "../shared/patience.js";
import { kindOf } from "./kinds.js";

export const TEMPLATE = "folder";
const KEY = "folder";
const LOOK_MS = 300;
const MOST_FILES = 1_000;

/** @typedef {{ref: string, name: string}} Folder */

/** Let the person choose a folder. @returns {Promise<Folder | null>} null where nobody chose one */
export async function chooseFolder(lime, title, signal) {
  const { ref, path, cancelled } = await chosenFolder(lime, { title, persist: true }, signal);
  return cancelled || !ref ? null : { ref, name: path };
}

/** Take the folder that the person dropped on the page; what else they dropped is given back. */
export async function takeDroppedFolder(lime) {
  const { files } = await lime.files.takeDropped({ persist: true });
  const folder = files.find(({ isFolder }) => isFolder);
  for (const { ref } of files) if (ref !== folder?.ref) await lime.files.releaseRef({ ref }).catch(() => {});
  if (folder === undefined) throw Object.assign(new Error("not a folder"), { name: "LimeError", code: "no_folder", retryable: false });
  return { ref: folder.ref, name: folder.name };
}

/** Have the host read a folder from now on; the answer does not wait for that. */
export const bindFolder = (lime, { ref }) => lime.knowledge.bind({ key: TEMPLATE, ref });

export const unbindFolder = (lime) => lime.knowledge.unbind({ key: TEMPLATE });

export const releaseFolder = (lime, { ref }) => lime.files.releaseRef({ ref }).catch(() => {});

/** Remember which folder is open; null where none is. */
export const rememberFolder = (lime, folder) => (folder ? lime.storage.set({ key: KEY, value: folder }) : lime.storage.delete({ key: KEY }));

/**
 * The folder that was open last. `lost` says why it is not open any more: its place is `gone`, or the person revoked it
 * in the settings (`revoked`), which this app does not undo.
 * @returns {Promise<{folder: Folder | null, lost: {name: string, why: string} | null}>}
 */
export async function lastFolder(lime) {
  const kept = await lime.storage.get({ key: KEY });
  if (!kept) return { folder: null, lost: null };
  const isHeld = (await lime.files.listRefs()).some(({ ref }) => ref === kept.ref);
  if (isHeld && (await lime.knowledge.bindStatus({ key: TEMPLATE })).status !== "unbound") return { folder: kept, lost: null };
  await rememberFolder(lime, null);
  return { folder: null, lost: { name: kept.name, why: isHeld ? "revoked" : "gone" } };
}

/** Follow the reading until it is over. `onProgress` hears `{ left, unread, isDone }`. */
export async function followReading(lime, onProgress, signal) {
  for (;;) {
    const { status, pending, unread = 0 } = await patiently(() => lime.knowledge.bindStatus({ key: TEMPLATE }), { signal });
    if (signal.aborted) return;
    const isDone = status !== "indexing";
    onProgress({ left: pending, unread, isDone });
    if (isDone) return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** What lies in the folder: files that are read, by path, and how many others there are. */
export async function listFiles(lime, { ref }) {
  const all = await filesIn(lime, ref, { most: MOST_FILES });
  const files = all.map(({ path, name, sizeBytes, modifiedAt }) => ({ path, name, sizeBytes, modifiedAt, kind: kindOf(name) }));
  return { files: files.filter(({ kind }) => kind !== null), others: files.filter(({ kind }) => kind === null).length };
}
