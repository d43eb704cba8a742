/** Notes as a folder of Markdown files: read from one that the person chooses, and written into one. */

import { chosenFolder, filesIn } from "../shared/folders.js";
import { nameOf, tagsOf } from "./words.js";

const MARKDOWN = /\.(?:md|markdown|txt)$/iu;
const MOST_FILES = 2_000;
const MOST_BYTES = 1_000_000;

/**
 * Let the person choose a folder and read every Markdown file in it. The app holds a reference for as long as that takes,
 * and never a path.
 * @returns {Promise<{notes: object[], unread: string[], isCut: boolean} | null>} null where nobody chose one
 */
export async function readFolder(lime, { title, onProgress = () => {}, signal } = {}) {
  const { ref, cancelled } = await chosenFolder(lime, { title }, signal);
  if (cancelled || !ref) return null;
  try {
    const files = await filesIn(lime, ref, { fits: ({ name }) => MARKDOWN.test(name), most: MOST_FILES });
    const read = { notes: [], unread: [], isCut: files.length >= MOST_FILES };
    for (const [index, file] of files.entries()) {
      signal?.throwIfAborted();
      onProgress(index + 1, files.length);
      const note = await readNote(lime, ref, file);
      if (note === null) read.unread.push(file.path);
      else read.notes.push(note);
    }
    return read;
  } finally {
    await lime.files.releaseRef({ ref }).catch(() => {});
  }
}

async function readNote(lime, ref, { path, name, sizeBytes, modifiedAt }) {
  if (sizeBytes > MOST_BYTES) return null;
  try {
    const { content } = await lime.files.readRef({ ref, path, length: MOST_BYTES });
    return { ...noteOf(content, name), updatedAt: modifiedAt };
  } catch (error) {
    // One file that is no text must not keep the others from coming.
    if (error.name !== "LimeError") throw error;
    return null;
  }
}

/** A file as a note: its front matter gives title and tags, else its first heading or its name is the title. Pure. */
export function noteOf(content, fileName) {
  const text = content.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n");
  const [whole, head = ""] = /^---\n([\s\S]{0,4000}?)\n---\n?/u.exec(text) ?? [""];
  const rest = text.slice(whole.length).trim();
  const heading = /^#\s+(.+)\n*/u.exec(rest);
  const named = valueIn(head, "title") || heading?.[1].trim() || fileName.replace(MARKDOWN, "");
  const body = heading && named === heading[1].trim() ? rest.slice(heading[0].length) : rest;
  const last = /\n*^(#[\p{L}\p{N}_-]+(?:\s+#[\p{L}\p{N}_-]+)*)\s*$(?![\s\S])/mu.exec(body);
  const tags = tagsOf(`${valueIn(head, "tags").replace(/[[\]"']/gu, "")} ${last?.[1] ?? ""}`);
  return { title: named.slice(0, 300), body: (last ? body.slice(0, last.index) : body).trim(), tags, isPinned: false, summary: "" };
}

/** One line of front matter, or a list below it. */
function valueIn(head, key) {
  const found = new RegExp(`^${key}:[ \\t]*(.*)((?:\\n[ \\t]*-[ \\t]+.*)*)`, "mu").exec(head);
  return found ? [found[1], ...found[2].split(/\n[ \t]*-[ \t]+/u)].join(" ").replace(/^["'\s]+|["'\s]+$/gu, "") : "";
}

/** A note as a file: a heading, its text, and its tags in the last line, as `noteOf` reads them. Pure. */
export function fileOf(note, untitled) {
  const tags = note.tags.map((tag) => `#${tag}`).join(" ");
  return { name: nameOf(note) || untitled, text: `${[`# ${nameOf(note) || untitled}`, note.body.trim(), tags].filter(Boolean).join("\n\n")}\n` };
}

/** A file for every note; two of the same name get a number, and no name holds what a system forbids. Pure. */
export function filesOf(notes, untitled) {
  const seen = new Map();
  return notes.map((note) => {
    const { name, text } = fileOf(note, untitled);
    const plain = name.replace(/[\\/:*?"<>|\p{Cc}\s]+/gu, " ").replace(/^[.\s]+|[.\s]+$/gu, "").slice(0, 80).trim() || untitled;
    const count = (seen.get(plain.toLowerCase()) ?? 0) + 1;
    seen.set(plain.toLowerCase(), count);
    return { path: `${count === 1 ? plain : `${plain} ${count}`}.md`, text };
  });
}
