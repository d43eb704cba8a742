/** A table out of a file that a person chose, or out of one in a folder of theirs. The app holds a reference and reads in parts. */

import { CsvReader, separatorOf } from "./csv.js";

export const MAX_ROWS = 200_000;
const PART_BYTES = 1_048_576;

/**
 * Read a file. `onProgress` hears a share between 0 and 1, or nothing where it cannot be known; aborting the signal ends
 * the reading with an AbortError.
 * @returns {Promise<{name: string, rows: string[][], sheets: string[], isTruncated: boolean}>} the first row is the header
 */
export async function readFile(lime, file, { onProgress = () => {}, signal, sheet = 0 } = {}) {
  const isWorkbook = file.name.toLowerCase().endsWith(".xlsx");
  const read = isWorkbook ? readWorkbook(lime, file, sheet, signal) : readCsv(partsOf(lime, file, signal), onProgress);
  return { name: file.name, ...(await read) };
}

/** Read text that is already here, such as the sample. */
export async function readText(name, bytes) {
  const whole = async function* () {
    yield { bytes, share: 1 };
  };
  return { name, ...(await readCsv(whole(), () => {})) };
}

async function* partsOf(lime, { ref, path }, signal) {
  let offset = 0;
  while (offset !== undefined) {
    signal?.throwIfAborted();
    const part = await lime.files.readRef({ ref, encoding: "base64", offset, length: PART_BYTES, ...(path && { path }) }, { signal });
    const bytes = Uint8Array.from(atob(part.content), (character) => character.charCodeAt(0));
    offset = part.nextOffset;
    yield { bytes, share: (part.offset + part.bytesRead) / Math.max(1, part.sizeBytes) };
  }
}

async function readCsv(parts, onProgress) {
  const rows = [];
  let decoder, reader;
  for await (const { bytes, share } of parts) {
    decoder ??= decoderFor(bytes);
    const text = decoder.decode(bytes, { stream: true });
    reader ??= new CsvReader(separatorOf(text));
    for (const row of reader.push(text)) rows.push(row);
    onProgress(share);
    if (rows.length > MAX_ROWS) break;
  }
  if (reader) rows.push(...reader.end());
  return { rows: rows.slice(0, MAX_ROWS + 1), sheets: [], isTruncated: rows.length > MAX_ROWS + 1 };
}

/** What texts on English and Chinese machines are written in. */
function decoderFor(bytes) {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le");
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return new TextDecoder("utf-8");
  } catch {
    return new TextDecoder("gb18030");
  }
}

/** The host takes workbooks apart, in a process of its own; what it leaves out of a long one, it says. */
async function readWorkbook(lime, { ref, path }, sheet, signal) {
  const patience = { signal, timeoutMs: 90_000 };
  // Only lime.files knows what lies in a folder.
  const { tables, truncated, ...read } = await (path ? lime.files.parse({ ref, path }, patience) : lime.documents.parse({ ref }, patience));
  const parts = read.parts ?? read.sections;
  const rows = (tables[sheet] ?? []).filter((row) => row.some((cell) => cell !== ""));
  return { rows, sheets: parts.map(({ title }) => title), isTruncated: truncated };
}
