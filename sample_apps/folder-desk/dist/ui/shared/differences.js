/** What changed between two texts: lines that went and came, and the words inside a line that was changed. Pure. */

/** Beyond this many pieces a common part is not looked for: the whole is shown as changed, which is true as well. */
const MOST_PIECES = 3_000;

/**
 * Two texts line by line.
 * @returns {{kind: "same" | "gone" | "new", parts: {text: string, isChanged: boolean}[]}[]}
 */
export function differencesOf(before, after) {
  const lines = changesBetween(before.split("\n"), after.split("\n"));
  return pairsOf(lines).flatMap(([gone, come]) => {
    if (gone === null || come === null) return plainLine(gone ?? come);
    const words = changesBetween(wordsOf(gone.piece), wordsOf(come.piece));
    const side = (kind) => words.filter((each) => each.kind === "same" || each.kind === kind).map(({ kind: of, piece }) => ({ text: piece, isChanged: of === kind }));
    return [{ kind: "gone", parts: side("gone") }, { kind: "new", parts: side("new") }];
  });
}

/** How many lines came and went. */
export function amountOf(differences) {
  const count = (kind) => differences.filter((each) => each.kind === kind).length;
  return { gone: count("gone"), come: count("new") };
}

const plainLine = ({ kind, piece }) => [{ kind, parts: [{ text: piece, isChanged: false }] }];

/** Words with the space after them, and Chinese character by character. */
const wordsOf = (line) => line.match(/\p{Script=Han}|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? [];

/** A line that went and one that came in its place belong together; any other stands alone. */
function pairsOf(changes) {
  const pairs = [];
  for (let at = 0; at < changes.length; ) {
    const gone = takeWhile(changes, at, "gone");
    const come = takeWhile(changes, at + gone.length, "new");
    if (gone.length + come.length === 0) {
      pairs.push([changes[at], null]);
      at += 1;
      continue;
    }
    for (let each = 0; each < Math.max(gone.length, come.length); each += 1) pairs.push([gone[each] ?? null, come[each] ?? null]);
    at += gone.length + come.length;
  }
  return pairs;
}

function takeWhile(changes, from, kind) {
  let end = from;
  while (changes[end]?.kind === kind) end += 1;
  return changes.slice(from, end);
}

/** The shortest way from one list to another, by the longest list that is part of both. */
function changesBetween(before, after) {
  if (before.length * after.length > MOST_PIECES * MOST_PIECES) return [...tagged(before, "gone"), ...tagged(after, "new")];
  const width = after.length + 1;
  const longest = new Uint16Array((before.length + 1) * width);
  for (let one = before.length - 1; one >= 0; one -= 1) {
    for (let other = after.length - 1; other >= 0; other -= 1) {
      const at = one * width + other;
      longest[at] = before[one] === after[other] ? longest[at + width + 1] + 1 : Math.max(longest[at + width], longest[at + 1]);
    }
  }
  const changes = [];
  let one = 0;
  let other = 0;
  while (one < before.length && other < after.length) {
    if (before[one] === after[other]) {
      changes.push({ kind: "same", piece: before[one] });
      one += 1;
      other += 1;
    } else if (longest[(one + 1) * width + other] >= longest[one * width + other + 1]) changes.push({ kind: "gone", piece: before[one++] });
    else changes.push({ kind: "new", piece: after[other++] });
  }
  return [...changes, ...tagged(before.slice(one), "gone"), ...tagged(after.slice(other), "new")];
}

const tagged = (pieces, kind) => pieces.map((piece) => ({ kind, piece }));
