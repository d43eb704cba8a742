/** A person decides in the host's own window; what they approved becomes a version that stays. */

import { fromMarkdown, toMarkdown } from "./markdown.js";

/** What a person is asked to decide on. */
export const payloadOf = (content) => ({ headline: content.headline, markdown: toMarkdown(content) });

/** Whether a question was about this text. */
export function isAbout({ headline, markdown }, content) {
  const now = payloadOf(content);
  return headline === now.headline && markdown === now.markdown;
}

/**
 * Ask for a decision, and wait for it. The host knows a question again: asked once more, it goes on waiting or answers at once.
 * @returns {Promise<{decision: string, note?: string, payload: {headline: string, markdown: string}} | null>} null where nobody waits any more
 */
export async function askForDecision(lime, { subject, headline, markdown }, { signal } = {}) {
  const { status, decision, note, payload } = await lime.review.requestDecision({ subject, payload: { headline, markdown } }, { signal });
  return status === "decided" ? { decision, note, payload } : null;
}

/** The text after the decision: the host lets a person change what they approve, and what counts is what they saw last. */
export const decidedContent = (content, { headline, markdown }) => ({ ...content, headline, ...fromMarkdown(markdown) });

/** Keep what was approved: the first time as a new artifact, later as its next version. */
export function keepVersion(lime, draft, { decision, note, content }) {
  const { headline } = content;
  const kept = { headline, markdown: toMarkdown(content), decision, ...(note ? { note } : {}) };
  return lime.artifacts.create(
    { kind: "draft", title: headline, content: kept, artifactId: draft.artifactId ?? undefined },
    { operation: "keep_version" },
  );
}
