/**
 * Where a cited passage stands in its document. A passage was cut from the same text that `lime.files.parse` gives, but its
 * lines were joined: so both are compared without their spaces. Pure.
 */

/**
 * @param {{text: string, title?: string, page?: number}[]} sections
 * @param {{snippet: string, page?: number, section?: string}} cited
 * @returns {{index: number, start: number, end: number} | null} the part of the document, and from where to where in its text
 */
export function placeIn(sections, { snippet, page, section }) {
  const wanted = withoutSpaces(snippet).text;
  const order = [...sections.keys()].sort((one, other) => rank(sections[one], page, section) - rank(sections[other], page, section));
  for (const index of wanted === "" ? [] : order) {
    const { text, places } = withoutSpaces(sections[index].text);
    const at = text.indexOf(wanted);
    if (at !== -1) return { index, start: places[at], end: places[at + wanted.length - 1] + 1 };
  }
  // A file that changed since it was read: its page or heading is still the best place to open.
  const named = sections.findIndex((each) => rank(each, page, section) === 0);
  return named === -1 ? null : { index: named, start: 0, end: 0 };
}

function rank(section, page, title) {
  if (page !== undefined) return section.page === page ? 0 : 1;
  return title !== undefined && section.title === title ? 0 : 1;
}

function withoutSpaces(text) {
  const places = [];
  let rest = "";
  for (let at = 0; at < text.length; at += 1) {
    if (/\s/u.test(text[at])) continue;
    places.push(at);
    rest += text[at];
  }
  return { text: rest, places };
}

/** The rows of a table that a passage holds, by their number. A row that was cut off at an end counts where half of it is there. */
export function rowsIn(rows, snippet) {
  const wanted = withoutSpaces(snippet).text;
  const held = (cells) => {
    const text = withoutSpaces(cells.join("")).text;
    return text !== "" && (wanted.includes(text) || isCutOff(text, wanted));
  };
  return rows.flatMap((cells, index) => (held(cells) ? [index] : []));
}

/** Whether a passage begins within a row, or ends within it, and holds at least half of it. */
function isCutOff(text, wanted) {
  const lengths = Array.from({ length: Math.floor(text.length / 2) }, (_, less) => text.length - 1 - less);
  return lengths.some((length) => wanted.startsWith(text.slice(-length)) || wanted.endsWith(text.slice(0, length)));
}
