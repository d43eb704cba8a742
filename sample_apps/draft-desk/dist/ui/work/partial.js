/** What can be read of JSON that is still being written. Pure. */

/** The value as far as it is there, or null: an open text counts as far as it goes, an open name does not. */
export function partialJson(text) {
  const { closed, isInText, wasEscape } = scan(text);
  const ended = isInText ? `${text.slice(0, wasEscape ? -1 : undefined).replace(/\\u[0-9a-fA-F]{0,3}$/u, "")}"` : text;
  // What a value still lacks is cut off piece by piece: an open name, a colon, a comma.
  for (let rest = ended.trimEnd(), tries = 0; rest !== "" && tries < 4; tries += 1) {
    try {
      return JSON.parse(rest + closed);
    } catch {
      rest = rest.replace(/(?:"(?:[^"\\]|\\.)*"?|[:,]|[\w.+-]+)\s*$/u, "").trimEnd();
    }
  }
  return null;
}

/** Which brackets are open, and whether the end stands inside a text. */
function scan(text) {
  const open = [];
  let isInText = false;
  let wasEscape = false;
  for (const character of text) {
    if (isInText) {
      if (wasEscape) wasEscape = false;
      else if (character === "\\") wasEscape = true;
      else if (character === '"') isInText = false;
    } else if (character === '"') isInText = true;
    else if (character === "{") open.push("}");
    else if (character === "[") open.push("]");
    else if (character === "}" || character === "]") open.pop();
  }
  return { closed: open.reverse().join(""), isInText, wasEscape };
}

/** A draft as far as it is written, in the form that is shown: everything that is missing is empty. */
export function partialDraft(text) {
  const read = partialJson(text.slice(Math.max(0, text.indexOf("{"))));
  const fields = read !== null && typeof read === "object" && !Array.isArray(read) ? read : {};
  const word = (value) => (typeof value === "string" ? value : "");
  const sections = Array.isArray(fields.sections) ? fields.sections : [];
  return {
    headline: word(fields.headline),
    summary: word(fields.summary),
    sections: sections.map((section) => ({ heading: word(section?.heading), text: word(section?.text) })),
  };
}
