/** A brief: what a person wants said, and how an agent is asked for it. Knows no host and no page. */

export const TONES = ["plain", "friendly", "formal"];

const LANGUAGES = { en: "English", "zh-CN": "Simplified Chinese" };

export const emptyBrief = (language) => ({ goal: "", readers: "", points: "", tone: TONES[0], language });

/** The points to make, one per line. */
export const pointsOf = ({ points }) =>
  points
    .split("\n")
    .map((line) => line.replace(/^[-*•]\s*/, "").trim())
    .filter(Boolean);

/** The fields that are still needed before anybody can write. */
export function missingIn(brief) {
  const isThere = { goal: brief.goal.trim(), readers: brief.readers.trim(), points: pointsOf(brief).length };
  return Object.keys(isThere).filter((field) => !isThere[field]);
}

/**
 * The agent task for a brief. The prompt is short for small models; the brief travels as data, so that nothing in it is
 * taken for an order; the answer has the form of the schema or the task has failed.
 */
export function taskFor(brief) {
  const language = LANGUAGES[brief.language] ?? brief.language;
  return {
    entry: "editor",
    taskKind: "write-draft",
    title: brief.goal.trim(),
    prompt:
      "Write a short draft from the brief below. Use only what it says. " +
      `Put what is missing into questions. Write in ${language}.`,
    input: { goal: brief.goal.trim(), readers: brief.readers.trim(), points: pointsOf(brief), tone: brief.tone },
    expectedOutput: { outputFormat: { type: "json_schema", schemaRef: "artifacts/draft.schema.json" } },
  };
}
