/** A folder that a person chooses, and the files in it. The app holds a reference, never a path. */

const DEEPEST = 8;

/** The answer never waits for a person: while the chooser is open, the same question is asked again. */
export async function chosenFolder(lime, wanted, signal) {
  for (;;) {
    const chosen = await lime.ui.selectDirectory(wanted, { signal });
    if (chosen.cancelled || chosen.ref) return chosen;
  }
}

/**
 * The files of a folder and of the folders in it, as far as they fit.
 * @param {{fits?: (entry: object) => boolean, most?: number}} [wanted]
 */
export async function filesIn(lime, ref, { fits = () => true, most = 2_000 } = {}) {
  const files = [];
  await listInto(files, lime, ref, undefined, 0, { fits, most });
  return files;
}

async function listInto(files, lime, ref, path, depth, wanted) {
  const { entries } = await lime.files.listFolder({ ref, ...(path && { path }) });
  for (const entry of entries) {
    // What begins with a dot is a program's own: `.obsidian`, `.git`.
    if (files.length >= wanted.most || entry.name.startsWith(".")) continue;
    if (entry.isFolder && depth < DEEPEST) await listInto(files, lime, ref, entry.path, depth + 1, wanted);
    else if (!entry.isFolder && wanted.fits(entry)) files.push(entry);
  }
}
