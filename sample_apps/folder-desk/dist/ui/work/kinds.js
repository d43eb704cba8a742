/** What a file is to this app, by its ending: the host reads these kinds and no others. Pure. */

const KINDS = {
  pdf: ["pdf"],
  table: ["csv", "tsv", "xlsx"],
  note: ["md", "markdown", "txt", "text", "rst", "log"],
  document: ["docx", "html", "htm", "json", "yaml", "yml"],
};

/** `pdf`, `table`, `note`, `document`, or null for what nobody here reads. */
export function kindOf(name) {
  const ending = /\.([^.]+)$/u.exec(name)?.[1].toLowerCase();
  return Object.keys(KINDS).find((kind) => KINDS[kind].includes(ending)) ?? null;
}
