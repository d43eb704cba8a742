/** Notes and answers as deliverables: kept by the host in versions, exported as Markdown, saved where a person says. */

/** A note as Markdown; its title becomes the heading when it is exported. */
export function markdownOfNote({ body, tags, summary }, texts) {
  const parts = [
    summary && `> ${texts("export.summary")} ${summary.replace(/\n+/gu, " ")}`,
    body.trim(),
    tags.length > 0 && tags.map((tag) => `#${tag}`).join(" "),
  ];
  return parts.filter(Boolean).join("\n\n");
}

/** An answer as Markdown, with the notes it stands on. */
export function markdownOfAnswer({ text, sources }, texts) {
  const cited = sources.map(({ title, snippet }, index) => `${index + 1}. **${title}**: ${snippet.replace(/\s+/gu, " ")}`);
  return [text, `## ${texts("ask.sources")}`, cited.join("\n")].join("\n\n");
}

/** Keep a note's present state; the same note again is a new version of the same document. */
export async function keepNote(lime, note, title, texts) {
  const content = { markdown: markdownOfNote(note, texts), noteId: note.id };
  const { artifactId } = note;
  const wanted = { kind: "note", title, content, ...(artifactId && { artifactId }) };
  return lime.artifacts.create(wanted, { operation: "export_note" });
}

/** Keep an answer with the notes that it stands on. */
export async function keepAnswer(lime, asked, texts, { onPending, signal } = {}) {
  const { question, sources } = asked;
  const content = { markdown: markdownOfAnswer(asked, texts), question, sources };
  const wanted = { kind: "answer", title: question.slice(0, 200), content };
  const kept = await lime.artifacts.create(wanted, { operation: "keep_answer", onPending, signal });
  const refs = [asked.taskId, ...sources.map(({ noteId }) => `note:${noteId}`)].filter(Boolean);
  const { id } = await lime.evidence.record({ kind: "answer_sources", message: texts("export.evidence"), refs });
  await lime.evidence.linkArtifact({ evidenceId: id, artifactId: kept.id });
  return kept;
}

export const listAnswers = (lime) => lime.artifacts.list({ kind: "answer", limit: 20 });

/** Write a document as Markdown to a place that the person chooses; says whether they chose one. */
export async function saveAsMarkdown(lime, artifactId) {
  const { ref, fileName } = await lime.artifacts.export({ artifactId, format: "markdown" });
  return isSaved(lime.ui.download({ ref, fileName }, { operation: "save_file" }));
}

/**
 * Write files into a new folder, at a place that the person chooses. The host keeps them as one document, of which every
 * export is a version, and unpacks it there.
 * @returns {Promise<{artifactId: string, isSaved: boolean}>}
 */
export async function saveFolder(lime, files, title, artifactId) {
  const wanted = { kind: "notebook", title, content: { files }, ...(artifactId && { artifactId }) };
  const { id } = await lime.artifacts.create(wanted, { operation: "export_note" });
  const { ref } = await lime.artifacts.export({ artifactId: id, format: "zip" });
  return { artifactId: id, isSaved: await isSaved(lime.ui.download({ ref, fileName: title, unpack: true }, { operation: "save_file" })) };
}

async function isSaved(saving) {
  try {
    await saving;
    return true;
  } catch (error) {
    // Closing the chooser is a choice too.
    if (error.code === "cancelled") return false;
    throw error;
  }
}
