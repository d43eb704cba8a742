/** A draft as text and back: people review and publish text, the agent fills a form. */

/** The text of a draft, without its headline. */
export function toMarkdown({ summary, sections }) {
  const parts = sections.map(({ heading, text }) => [heading && `## ${heading}`, text].filter(Boolean).join("\n\n"));
  return [summary, ...parts].filter(Boolean).join("\n\n");
}

/** The form again, from a text that somebody may have changed. */
export function fromMarkdown(markdown) {
  const [summary, ...parts] = `\n${markdown}`.split(/\n##\s+/);
  const sections = parts.map((part) => {
    const [heading, ...lines] = part.split("\n");
    return { heading: heading.trim(), text: lines.join("\n").trim() };
  });
  return { summary: summary.trim(), sections };
}

/** How long a text is: words where they are set apart by spaces, characters where they are not. */
export function lengthOf(text) {
  const ideographs = text.match(/[\u3400-\u9fff]/g)?.length ?? 0;
  const words = text.replace(/[\u3400-\u9fff]/g, " ").match(/[\p{L}\p{N}'’-]+/gu)?.length ?? 0;
  return ideographs + words;
}
