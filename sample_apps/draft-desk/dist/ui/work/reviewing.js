/** A person decides in the host's own window; what they approved becomes a version that stays. */

import { fromMarkdown, toMarkdown } from "./markdown.js";

/**
 * Ask for a decision on a draft, and wait for it.
 * @returns {Promise<{decision: string, note?: string, content: object} | null>} null where nobody waits any more
 */
export async function askForDecision(lime, draft, subject, { signal } = {}) {
  const { headline } = draft.content;
  const payload = { headline, markdown: toMarkdown(draft.content) };
  const { status, decision, note, payload: decided } = await lime.review.requestDecision(
    { subject, payload },
    { signal },
  );
  if (status !== "decided") return null;
  // The host lets a person change what they approve: what counts is what they saw last.
  const content = { ...draft.content, headline: decided.headline, ...fromMarkdown(decided.markdown) };
  return { decision, note, content };
}

/** Keep what was approved: the first time as a new artifact, later as its next version. */
export function keepVersion(lime, draft, { decision, note, content }) {
  const { headline } = content;
  const kept = { headline, markdown: toMarkdown(content), decision, ...(note ? { note } : {}) };
  return lime.artifacts.create(
    { kind: "draft", title: headline, content: kept, artifactId: draft.artifactId ?? undefined },
    { operation: "keep_version" },
  );
}
