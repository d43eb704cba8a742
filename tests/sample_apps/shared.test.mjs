/** The pieces that the samples share: Markdown, marked words, differences and texts. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { amountOf, differencesOf } from "../../sample_apps/shared/differences.js";
import { partsOf, wordsIn } from "../../sample_apps/shared/highlight.js";
import { pagesIn, parseInline, parseMarkdown, plainOf } from "../../sample_apps/shared/markdown.js";
import { patiently } from "../../sample_apps/shared/patience.js";
import { followLanguage } from "../../resources/templates/every/dist/ui/texts.js";
import { followLanguage as followTyped } from "../../resources/templates/typescript/dist/ui/texts.js";
import { followTexts, momentIn, sizeIn, textsOf } from "../../sample_apps/shared/texts.js";

const text = (words) => [{ type: "text", text: words }];
const kinds = (markdown) => parseMarkdown(markdown).map(({ type }) => type);

test("blocks are read as people write them", () => {
  const written = "# Title\n\nOne\ntwo\n\n- a\n- b\n  - c\n\n1. x\n2) y\n\n> said\n> so\n\n```js\nlet a;\n```\n\n---\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n";
  assert.deepEqual(kinds(written), ["heading", "paragraph", "list", "list", "quote", "code", "rule", "table"]);
  const [heading, , list, ordered, , code, , table] = parseMarkdown(written);
  assert.deepEqual([heading.level, heading.children], [1, text("Title")]);
  assert.deepEqual(list.items.map(({ blocks }) => blocks.map(({ type }) => type)), [["paragraph"], ["paragraph", "list"]]);
  assert.deepEqual([ordered.isOrdered, ordered.start, ordered.items.length], [true, 1, 2]);
  assert.deepEqual([code.language, code.text], ["js", "let a;"]);
  assert.deepEqual([table.aligned, table.rows], [["start", "end"], [[text("1"), text("2")]]]);
});

test("a task knows its line, so that ticking it changes that line", () => {
  const [list] = parseMarkdown("Things\n\n- [ ] one\n- [x] two").slice(1);
  assert.deepEqual(list.items.map(({ isDone, line }) => [isDone, line]), [[false, 2], [true, 3]]);
});

test("a line is read with its emphasis, code and links", () => {
  const parts = parseInline("a **b *c*** `d*` [e](https://e.example/f) [[Page|name]] ~~g~~ h_i_j \\*k*");
  assert.deepEqual(parts.map(({ type }) => type), ["text", "strong", "text", "code", "text", "link", "text", "page", "text", "struck", "text"]);
  assert.deepEqual(parts[7], { type: "page", page: "Page", text: "name" });
  assert.equal(parts.at(-1).text, " h_i_j *k*");
  assert.deepEqual(parseInline("see https://e.example/a, then").map(({ type, url }) => url ?? type), ["text", "https://e.example/a", "text"]);
});

test("HTML stays text, and nothing takes long to read", () => {
  assert.deepEqual(parseInline("<script>alert(1)</script>"), text("<script>alert(1)</script>"));
  // Twice as much may take some more than twice as long, never four times: the work is counted by size, not timed.
  for (const hostile of ["*".repeat(20_000), "[".repeat(20_000), "> ".repeat(5_000), "- ".repeat(5_000), "`".repeat(20_000), "|".repeat(5_000), "__a".repeat(5_000)]) {
    assert.ok(Array.isArray(parseMarkdown(hostile)));
  }
});

test("links between pages are found, and a text is plain without its marks", () => {
  assert.deepEqual(pagesIn("[[A]] and [[B|b]] and [[A]] and [[ C ]]"), ["A", "B", "C"]);
  assert.equal(plainOf("# A **b**\n- [ ] c [d](https://e.example) [[F|g]]"), "A b\nc d g");
});

test("the words of a question are marked, and its everyday words are not", () => {
  assert.deepEqual(wordsIn("When is the lime tree watered?"), ["lime", "tree", "watered"]);
  assert.deepEqual(wordsIn("周会在哪里"), ["周会", "会在", "在哪", "哪里"]);
  assert.deepEqual(partsOf("Water the Lime tree", ["lime", "tree"]).map(({ text: part, isMarked }) => (isMarked ? `<${part}>` : part)), ["Water the ", "<Lime>", " ", "<tree>"]);
  assert.deepEqual(partsOf("a.b", ["."]).map(({ isMarked }) => isMarked), [false, true, false]);
  assert.deepEqual(partsOf("It leaves, unlike leavened limestone", ["leave", "lime"]).filter(({ isMarked }) => isMarked).map(({ text: part }) => part), ["leaves", "leavened", "lime"]);
  assert.deepEqual(partsOf("abc", []), [{ text: "abc", isMarked: false }]);
});

test("differences are lines, and words inside a line that was changed", () => {
  const found = differencesOf("a\nWe move soon.\nz", "a\nWe move today.\nnew\nz");
  assert.deepEqual(found.map(({ kind, parts }) => [kind, parts.map(({ text: part, isChanged }) => (isChanged ? `*${part}*` : part)).join("")]), [
    ["same", "a"],
    ["gone", "We move *soon.*"],
    ["new", "We move *today.*"],
    ["new", "new"],
    ["same", "z"],
  ]);
  assert.deepEqual(amountOf(found), { gone: 1, come: 2 });
  assert.deepEqual(differencesOf("same", "same").map(({ kind }) => kind), ["same"]);
  const chinese = differencesOf("周会在北京开", "周会在上海开");
  assert.deepEqual(chinese.map(({ parts }) => parts.filter(({ isChanged }) => isChanged).map(({ text: part }) => part).join("")), ["北京", "上海"]);
});

test("a text has its forms for one and for many, and a moment the person's own", () => {
  const texts = textsOf({ notes: { one: "{count} note", other: "{count} notes" } }, "en");
  assert.deepEqual([texts("notes", { count: 1 }), texts("notes", { count: 2 }), texts("none", {}, "other")], ["1 note", "2 notes", "other"]);
  const now = new Date(2026, 4, 3, 12);
  assert.equal(momentIn(texts, new Date(2026, 2, 1), now), "Mar 1");
});

test("a host that is only starting is tried again, any other refusal is not", async () => {
  const refuse = (code) => Object.assign(new Error(code), { name: "LimeError", code });
  let tries = 0;
  const late = () => (++tries < 3 ? Promise.reject(refuse("capability_unavailable")) : Promise.resolve("there"));
  assert.equal(await patiently(late, { pauses: [0, 0, 0] }), "there");
  await assert.rejects(patiently(() => Promise.reject(refuse("timeout")), { pauses: [0] }), { code: "timeout" });
  let asked = 0;
  await assert.rejects(patiently(() => (asked++, Promise.reject(refuse("permission_denied"))), { pauses: [0, 0] }));
  assert.equal(asked, 1);
});

test("a size is written as Lime writes it, and a small file is not nothing", () => {
  const sizes = [0, 1, 12, 999, 1_000, 1_540, 999_600, 12_345_678, 250_000_000];
  const inLocale = (locale) => sizes.map((bytes) => sizeIn({ locale }, bytes));
  assert.deepEqual(inLocale("en"), ["0 bytes", "1 byte", "12 bytes", "999 bytes", "1 KB", "1.5 KB", "1 MB", "12.3 MB", "250 MB"]);
  assert.deepEqual(inLocale("zh-CN").slice(0, 3), ["0 字节", "1 字节", "12 字节"]);
});

/** A host that changes its language when told to, and texts that come when they are let go. */
function slowTexts(context) {
  const waiting = [];
  context.mock.method(globalThis, "fetch", (address) => new Promise((resolve, reject) => waiting.push({ resolve: () => resolve({ json: async () => ({ address }) }), reject })));
  const listeners = [];
  const lime = { snapshot: { host: { locale: "en" } }, onSnapshot: (listener) => listeners.push(listener) };
  const say = (locale) => Promise.all(listeners.map((listener) => listener({ host: { locale } })));
  return { lime, say, waiting };
}

for (const [name, follow] of Object.entries({ samples: followTexts, template: followLanguage, typescript: followTyped })) {
  test(`the last of several languages is spoken, whichever texts come last (${name})`, async (context) => {
    globalThis.document = { documentElement: {}, querySelectorAll: () => [] };
    context.after(() => delete globalThis.document);
    const { lime, say, waiting } = slowTexts(context);
    const spoken = [];
    const following = [follow(lime, (texts) => spoken.push(texts.locale ?? texts.language))];
    waiting[0].resolve();
    await following[0];
    for (const locale of ["zh-CN", "en", "zh-CN", "en"]) following.push(say(locale));
    assert.equal(waiting.length, 5);
    for (const { resolve } of waiting.reverse()) resolve();
    await Promise.all(following);
    assert.deepEqual([...new Set(spoken)], ["en"]);
  });
}

test("texts that do not come are asked for again when the host speaks again", async (context) => {
  const { lime, say, waiting } = slowTexts(context);
  const spoken = [];
  const first = followTexts(lime, (texts) => spoken.push(texts.locale));
  waiting[0].resolve();
  await first;
  const lost = say("zh-CN");
  waiting[1].reject(new TypeError("gone"));
  await lost;
  const again = say("zh-CN");
  waiting[2].resolve();
  await again;
  assert.deepEqual(spoken, ["en", "zh-CN"]);
});
