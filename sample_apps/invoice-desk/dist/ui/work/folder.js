/** The folder that invoices arrive in: chosen or dropped by the person, held by a reference, never by a path. */

import { chosenFolder, filesIn } from "../shared/folders.js";

const KEY = "folder";
const MOST_FILES = 1_000;
const READ = [".pdf", ".eml", ".txt", ".md", ".html", ".htm", ".docx"];

/** Let the person choose a folder; null where nobody chose one. */
export async function chooseFolder(lime, title, signal) {
  const { ref, path, cancelled } = await chosenFolder(lime, { title, persist: true }, signal);
  return cancelled || !ref ? null : { ref, name: path };
}

/** Take the folder that was dropped on the page; what else was dropped is given back. */
export async function takeDroppedFolder(lime) {
  const { files } = await lime.files.takeDropped({ persist: true });
  const folder = files.find(({ isFolder }) => isFolder);
  for (const { ref } of files) if (ref !== folder?.ref) await lime.files.releaseRef({ ref }).catch(() => {});
  if (folder === undefined) throw Object.assign(new Error("not a folder"), { name: "LimeError", code: "no_folder", retryable: false });
  return { ref: folder.ref, name: folder.name };
}

export const releaseFolder = (lime, { ref }) => lime.files.releaseRef({ ref }).catch(() => {});

/** Remember which folder is open; null where none is. */
export const rememberFolder = (lime, folder) => (folder ? lime.storage.set({ key: KEY, value: folder }) : lime.storage.delete({ key: KEY }));

/** The folder that was open last; `lost` names it where its reference does not hold any more. */
export async function lastFolder(lime) {
  const kept = await lime.storage.get({ key: KEY });
  if (!kept) return { folder: null, lost: null };
  if ((await lime.files.listRefs()).some(({ ref }) => ref === kept.ref)) return { folder: kept, lost: null };
  await rememberFolder(lime, null);
  return { folder: null, lost: kept.name };
}

/** The files that may be invoices, the oldest first: what came first is booked first. */
export async function invoiceFiles(lime, { ref }) {
  const fits = ({ name }) => READ.some((ending) => name.toLowerCase().endsWith(ending));
  const files = await filesIn(lime, ref, { fits, most: MOST_FILES });
  return files.sort((one, other) => one.modifiedAt.localeCompare(other.modifiedAt) || one.path.localeCompare(other.path));
}

/** By what a file is known again: one that was changed is another. */
export const arrivalIdOf = ({ path, sizeBytes, modifiedAt }) => `${path}|${sizeBytes}|${modifiedAt}`;
