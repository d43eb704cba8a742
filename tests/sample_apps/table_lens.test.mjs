/** Table Lens without a page: reading, typing, filtering, computing and asking, against the SDK's mock host. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

import { getLimeRuntime } from "../../resources/sdk/index.js";
import { createMockHost } from "../../resources/sdk/testing.js";
import { schemaFor, taskFor } from "../../sample_apps/table-lens/dist/ui/shared/table/asking.js";
import { marksOf } from "../../sample_apps/table-lens/dist/ui/shared/table/chart.js";
import { Lens } from "../../sample_apps/table-lens/dist/ui/lens.js";
import { pictureOf, svgOf } from "../../sample_apps/table-lens/dist/ui/shared/table/picture.js";
import { compute, emptyPlan, faultIn, regrouped } from "../../sample_apps/table-lens/dist/ui/shared/table/compute.js";
import { CsvReader, separatorOf } from "../../sample_apps/table-lens/dist/ui/shared/table/csv.js";
import { groupingNamed } from "../../sample_apps/table-lens/dist/ui/shared/table/groupings.js";
import { planFromWords } from "../../sample_apps/table-lens/dist/ui/shared/table/keywords.js";
import { profileOf } from "../../sample_apps/table-lens/dist/ui/profile.js";
import { rowsPassing, sorted } from "../../sample_apps/table-lens/dist/ui/shared/table/rows.js";
import { tableOf } from "../../sample_apps/table-lens/dist/ui/shared/table/table.js";
import { textsOf } from "../../sample_apps/table-lens/dist/ui/shared/texts.js";
import { planIn } from "../../sample_apps/table-lens/dist/ui/shared/table/words.js";
import { dayIn, medianOf, numberIn, sumOf } from "../../sample_apps/table-lens/dist/ui/shared/table/values.js";

const texts = textsOf(JSON.parse(await readFile(new URL("../../sample_apps/table-lens/dist/ui/locales/en.json", import.meta.url), "utf-8")), "en");

const CSV = `region,amount,day,status
North,"1,200.50",2026-05-03,paid
South,300,2026/5/1,open
North,10%,2026-04-28,paid
East,,2026-01-02,
`;

const rowsOf = (text, pieces = 1) => {
  const reader = new CsvReader(separatorOf(text));
  const size = Math.ceil(text.length / pieces);
  const parts = Array.from({ length: pieces }, (_, index) => text.slice(index * size, (index + 1) * size));
  return [...parts.flatMap((part) => reader.push(part)), ...reader.end()];
};
const TABLE = tableOf({ name: "t.csv", rows: rowsOf(CSV), isTruncated: false });
const plan = (changes) => ({ ...emptyPlan(), ...changes });

/** Goes on once something is so; a test that waits for what never comes ends by its own limit. */
async function until(isSo) {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** A lens over a host that holds one file. */
async function lensOver(text, name = "t.csv") {
  const host = createMockHost({ appId: "table-lens" });
  const file = { ref: "file-ref:1", name };
  const bytes = Buffer.from(text);
  host.answer("lime.files", "pick", () => ({ status: "chosen", files: [file] }));
  host.answer("lime.files", "listRefs", () => [file]);
  host.answer("lime.files", "readRef", ({ offset }) => {
    const part = bytes.subarray(offset, offset + 16);
    const end = offset + part.length;
    const nextOffset = end < bytes.length ? { nextOffset: end } : {};
    return { content: part.toString("base64"), offset, bytesRead: part.length, sizeBytes: bytes.length, ...nextOffset };
  });
  const shares = [];
  const lime = await getLimeRuntime({ appId: "table-lens", transport: host.transport });
  const lens = new Lens(lime, () => lens.busy?.share !== undefined && shares.push(lens.busy.share));
  return { host, lens, shares };
}

/** Answers as an agent does: with a task, and an output that has its form. */
function choose(host, output, subtype = "success") {
  host.answer("lime.agent", "startTask", () => ({ taskId: "task-1" }));
  host.answer("lime.agent", "cancelTask", () => ({}));
  host.answer("lime.agent", "streamTask", () => [{ sequence: 1, type: "result", subtype }]);
  host.answer("lime.agent", "getTask", () => ({ result: { subtype, output } }));
}

test("rows are the same in whichever pieces the text comes", () => {
  const text = 'a;b\r\n"x ""y""\nz";2\n\n3;';
  const whole = [["a", "b"], ['x "y"\nz', "2"], ["3", ""]];
  for (const pieces of [1, 2, 5, text.length]) assert.deepEqual(rowsOf(text, pieces), whole);
  assert.equal(separatorOf('"a,b"\tc\n'), "\t");
});

test("numbers and days are read as people write them, and nothing else is", () => {
  assert.deepEqual(["1,200.5", "-3", "¥20", "12.5%", "1e3"].map(numberIn), [1200.5, -3, 20, 0.125, 1000]);
  assert.deepEqual(["12a", "1,20", "", "n/a", "--1"].map(numberIn), [null, null, null, null, null]);
  assert.deepEqual(["2026-5-3", "2026/05/03 10:20", "2026-13-01", "May"].map(dayIn), ["2026-05-03", "2026-05-03", null, null]);
});

test("long sums keep their cents, and a median needs no order", () => {
  assert.equal(sumOf(Array(1_000_000).fill(0.1)), 100_000);
  assert.equal(sumOf([1e16, 1, -1e16]), 1);
  assert.deepEqual([medianOf([3, 1, 2]), medianOf([10, 9, 1, 2])], [2, 5.5]);
});

test("columns get a type and a profile, and what does not fit is counted", () => {
  assert.deepEqual(TABLE.columns.map(({ type }) => type), ["text", "number", "day", "text"]);
  const amount = profileOf(TABLE.columns[1]);
  assert.deepEqual([amount.missing, amount.min, amount.max, amount.median], [1, 0.1, 1200.5, 300]);
  const many = [["n"], ...Array.from({ length: 19 }, (_, n) => [String(n)]), ["n/a"]];
  const [column] = tableOf({ name: "", rows: many, isTruncated: false }).columns;
  assert.deepEqual([column.type, column.unreadable], ["number", 1]);
});

test("columns without a name and twins get names of their own", () => {
  const { columns } = tableOf({ name: "", rows: [["a", "", "a"], ["1"]], isTruncated: false });
  assert.deepEqual(columns.map(({ name }) => name), ["a", "#2", "a (2)"]);
});

test("filters and sorting give rows and leave the table as it is", () => {
  const passing = (column, test, value) => rowsPassing(TABLE, [{ column, test, value }]);
  assert.deepEqual(passing("region", "is", "north"), [0, 2]);
  assert.deepEqual(passing("amount", "is", "1200.5"), [0]);
  assert.deepEqual(passing("amount", "above", "100"), [0, 1]);
  assert.deepEqual(passing("day", "below", "2026-05-01"), [2, 3]);
  assert.deepEqual(passing("status", "is_not", "paid"), [1, 3]);
  assert.deepEqual(passing("amount", "above", "words"), []);
  assert.deepEqual(passing("nothing", "is", "x"), [0, 1, 2, 3]);
  assert.deepEqual(sorted(TABLE, [0, 1, 2, 3], { column: "amount", descending: true }), [0, 1, 2, 3]);
  assert.deepEqual(sorted(TABLE, [0, 1, 2, 3], { column: "amount" }), [2, 1, 0, 3]);
});

test("an answer is computed from the rows, and says what was left out", () => {
  const sum = compute(TABLE, plan({ operation: "sum", column: "amount", groupBy: "region" }));
  assert.deepEqual(sum.groups, [
    { label: "North", value: 1200.6, rows: 2 },
    { label: "South", value: 300, rows: 1 },
  ]);
  assert.deepEqual([sum.used, sum.leftOut], [3, 0]);
  const mean = compute(TABLE, plan({ operation: "mean", column: "amount" }));
  assert.deepEqual([mean.groups[0].value, mean.used, mean.leftOut], [1500.6 / 3, 3, 1]);
  const paid = plan({ operation: "count", filter: { column: "status", test: "is", value: "paid" } });
  assert.equal(compute(TABLE, paid).groups[0].value, 2);
  assert.equal(compute(TABLE, paid, [{ column: "region", test: "is", value: "East" }]).groups.length, 0);
});

test("what cannot be computed is said, not computed", () => {
  assert.equal(faultIn(TABLE, plan({ operation: "sum", column: "region" })), "not_a_number");
  assert.equal(faultIn(TABLE, plan({ operation: "sum" })), "no_column");
  assert.equal(faultIn(TABLE, plan({ operation: "none" })), "no_plan");
});

test("the agent can name this table's columns and put a number nowhere", () => {
  const { properties } = schemaFor(TABLE);
  assert.deepEqual(properties.column.enum, ["region", "amount", "day", "status", "none"]);
  assert.ok(Object.values(properties).every((each) => each.enum || each.type === "string"));
  const { input } = taskFor(TABLE, "Most?");
  assert.deepEqual(input.columns[0], { name: "region", type: "text", examples: ["North", "South", "East"] });
});

test("a file is read in parts with progress, remembered, and told to the panel", async () => {
  const { host, lens, shares } = await lensOver(CSV);
  await lens.pick();
  assert.equal(lens.table.rowCount, 4);
  assert.ok(shares.length > 3 && shares.at(-1) === 1);
  assert.deepEqual(host.calls.filter(({ method }) => method === "emit").map(({ input }) => input.topic), ["table-lens.opened"]);
  lens.table = null;
  await lens.openLast();
  assert.equal(lens.table.name, "t.csv");
});

test("reading stops when somebody stops it, and what was open stays open", async () => {
  const { host, lens } = await lensOver(CSV);
  await lens.pick();
  const before = lens.table;
  host.answer("lime.files", "readRef", () => (lens.stop(), { content: "", offset: 0, bytesRead: 0, sizeBytes: 9, nextOffset: 1 }));
  await lens.pick();
  assert.equal(lens.table, before);
  assert.ok(["AbortError", "LimeError"].includes(lens.problem.error.name));
});

test("looking at a long table stops between its columns", async () => {
  const lens = new Lens({}, () => lens.busy?.column === "amount" && lens.stop());
  await lens.openSample("t.csv", Buffer.from(CSV));
  assert.deepEqual([lens.table, lens.busy, lens.problem.error.name], [null, null, "AbortError"]);
});

test("texts that are not UTF-8 are read as Chinese machines write them", async () => {
  const { host, lens } = await lensOver("");
  const content = Buffer.from([0xb5, 0xd8, 0xc7, 0xf8, 0x0a, 0xb1, 0xb1, 0x0a]).toString("base64");
  host.answer("lime.files", "readRef", () => ({ content, offset: 0, bytesRead: 8, sizeBytes: 8 }));
  await lens.pick();
  assert.deepEqual([lens.table.columns[0].name, lens.table.columns[0].texts], ["地区", ["北"]]);
});

test("a workbook is taken apart by the host, sheet by sheet", async () => {
  const { host, lens } = await lensOver("", "book.xlsx");
  const tables = [[["a"], ["1"], [""]], [["b"], ["2"]]];
  host.answer("lime.documents", "parse", () => ({ tables, parts: [{ title: "One" }, { title: "Two" }], truncated: true }));
  await lens.pick();
  assert.deepEqual([lens.sheets, lens.table.rowCount, lens.table.isTruncated], [["One", "Two"], 1, true]);
  await lens.openSheet(1);
  assert.equal(lens.table.columns[0].name, "b");
});

test("a question becomes a plan by the agent and an answer by the app", async () => {
  const { host, lens } = await lensOver(CSV);
  await lens.pick();
  const chosen = { operation: "sum", column: "amount", groupBy: "region", filterColumn: "none", filterTest: "is", filterValue: "", order: "largest" };
  choose(host, chosen);
  await lens.ask("Which region sold most?");
  assert.deepEqual([lens.answer.groups[0].label, lens.answer.groups[0].value], ["North", 1200.6]);
  choose(host, undefined, "error_max_structured_output_retries");
  await lens.ask("And now?");
  assert.equal(lens.problem.error.code, "error_max_structured_output_retries");
});

test("where a model chooses nothing that can be computed, the words are read, and the answer says so", async () => {
  const { host, lens } = await lensOver(CSV);
  await lens.pick();
  const nothing = { operation: "none", column: "none", groupBy: "none", filterColumn: "none", filterTest: "is", filterValue: "", order: "largest" };
  const wrong = { ...nothing, operation: "sum", column: "region" };
  for (const [output, subtype] of [[undefined, "error_max_structured_output_retries"], [nothing, "success"], [wrong, "success"]]) {
    choose(host, output, subtype);
    lens.answer = null;
    await lens.ask("Which region has the most amount?");
    assert.deepEqual([lens.problem, lens.answer.readBy, lens.answer.groups?.[0].label], [null, "instead", "North"], JSON.stringify(output));
  }
  // A model that says that nothing answers a question is believed, unless its words say all of it.
  choose(host, nothing);
  await lens.ask("What is the total amount of unheard wishes?");
  assert.deepEqual(lens.answer, { fault: "no_plan" });
});

test("a computation by hand leaves nothing of what went wrong before it", async () => {
  const { host, lens } = await lensOver(CSV);
  await lens.pick();
  choose(host, undefined, "error_max_structured_output_retries");
  const asked = [];
  const asking = lens.ask("And now?");
  asked.push(lens.busy.question);
  await asking;
  assert.deepEqual([asked, lens.problem.step], [["And now?"], "ask"]);
  lens.computePlan(plan({ operation: "count" }));
  assert.equal(lens.problem, null);
});

test("a kept answer carries its plan, its source and its evidence", async () => {
  const { host, lens } = await lensOver(CSV);
  await lens.pick();
  host.answer("lime.artifacts", "create", () => ({ id: "art-1" }));
  host.answer("lime.evidence", "record", () => ({ id: "evidence-1" }));
  host.answer("lime.evidence", "linkArtifact", () => ({}));
  lens.computePlan(plan({ operation: "count", groupBy: "status" }));
  await lens.keep("By status", "text");
  const { content } = host.calls.find(({ method }) => method === "create").input;
  assert.deepEqual(content.source, { name: "t.csv", rows: 4, sheet: null });
  assert.deepEqual(content.rows, content.groups);
  assert.deepEqual(host.calls.at(-1).input, { evidenceId: "evidence-1", artifactId: "art-1" });
  assert.equal(lens.answer.artifactId, "art-1");
});

const ORDERS = tableOf({
  name: "orders.csv",
  rows: rowsOf("order,date,customer,region,quantity,amount,status\n1,2026-03-05,Bo,North,1,24.5,open\n2,2026-03-19,Gus,South,9,73.8,paid\n3,2026-04-03,Bo,North,2,10,paid\n"),
  isTruncated: false,
});

test("a question is read by its words where no model reads it", () => {
  const read = (question) => {
    const found = planFromWords(ORDERS, question);
    if (found === null) return null;
    const { operation, column, groupBy, order, filter } = found.plan;
    return [operation, column, groupBy, order, filter.value, ...found.ignored];
  };
  assert.deepEqual(read("Which region sold most?"), ["sum", "amount", "region", "largest", ""]);
  assert.deepEqual(read("Which customer bought the least quantity?"), ["sum", "quantity", "customer", "smallest", "", "bought"]);
  assert.deepEqual(read("What is the average amount per region?"), ["mean", "amount", "region", "largest", ""]);
  assert.deepEqual(read("How many customers are there?"), ["distinct", "customer", "", "largest", ""]);
  assert.deepEqual(read("How many orders are paid?"), ["count", "", "", "largest", "paid"]);
  assert.deepEqual(read("Total amount in North"), ["sum", "amount", "", "largest", "North"]);
  assert.deepEqual(read("平均订单金额是多少？"), ["mean", "amount", "", "largest", ""]);
  // What it cannot take into account it says, and what it cannot read at all it leaves.
  assert.deepEqual(read("How many orders are unpaid?").slice(5), ["unpaid"]);
  assert.equal(read("What will the weather be tomorrow?"), null);
  assert.equal(read("Hello"), null);
});

test("which of several has the most or the least is read in both languages, or not at all", () => {
  const table = tableOf({ name: "", rows: rowsOf("地区,金额\n北,1\n南,2\n"), isTruncated: false });
  const read = (of, question) => {
    const found = planFromWords(of, question);
    return found && [found.plan.operation, found.plan.column, found.plan.groupBy, found.plan.order, ...found.ignored];
  };
  for (const [order, questions] of [
    ["largest", ["哪个 地区 卖得 最多", "which region sold most", "Region sold most", "which of the regions sold the most", "销售额最高的地区", "地区最大", "which area has the highest sales"]],
    ["smallest", ["哪个 地区 卖得 最少", "which region sold least", "销售额最低的地区", "the region that sold the fewest"]],
  ]) {
    for (const question of questions) {
      assert.deepEqual(read(ORDERS, question), ["sum", "amount", "region", order], question);
      assert.deepEqual(read(table, question), ["sum", "金额", "地区", order], question);
    }
  }
  // A total of all is no answer to which of them.
  for (const question of ["哪家店卖得最多", "谁买得最多", "where did we sell most", "which shop sold the most"]) assert.equal(read(ORDERS, question), null, question);
  assert.deepEqual(read(ORDERS, "What is the highest amount?"), ["max", "amount", "", "largest"]);
  // What is left out is said in Chinese too.
  assert.deepEqual(read(ORDERS, "东区卖了多少"), ["sum", "amount", "", "largest", "东区"]);
});

test("a question for months or years groups the days of a table, in their order", () => {
  const read = (question) => {
    const { operation, column, groupBy, period, order } = planFromWords(ORDERS, question).plan;
    return [operation, column, groupBy, period, order];
  };
  for (const question of ["What is the total amount by month?", "Amount per month", "monthly total of the amount", "每月的 amount 总额", "按月统计 amount"]) {
    assert.deepEqual([read(question), planFromWords(ORDERS, question).ignored], [["sum", "amount", "date", "month", "natural"], []], question);
  }
  assert.deepEqual(read("Which month sold most?"), ["sum", "amount", "date", "month", "largest"]);
  assert.deepEqual(read("How many orders per year?"), ["count", "", "date", "year", "natural"]);
  const byMonth = compute(ORDERS, planFromWords(ORDERS, "total amount by month").plan);
  assert.deepEqual(byMonth.groups, [{ label: "2026-03", value: 98.3, rows: 2 }, { label: "2026-04", value: 10, rows: 1 }]);
  // Where a column is named, months are left out, and that is said; where no column holds days, too.
  assert.deepEqual([planFromWords(ORDERS, "total amount by region per month").plan.period, planFromWords(ORDERS, "total amount by region per month").ignored], ["", ["month"]]);
  const undated = tableOf({ name: "", rows: rowsOf("person,amount\nAnna,1\n"), isTruncated: false });
  assert.deepEqual(planFromWords(undated, "total amount by month").ignored, ["month"]);
});

test("of more months than a chart holds the latest are shown", () => {
  const days = Array.from({ length: 30 }, (_, at) => `${2024 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}-01,1`);
  const table = tableOf({ name: "", rows: rowsOf(`date,amount\n${days.join("\n")}\n`), isTruncated: false });
  const { groups, moreGroups } = compute(table, planFromWords(table, "amount by month").plan);
  assert.deepEqual([groups.length, groups[0].label, groups.at(-1).label, moreGroups], [20, "2024-11", "2026-06", 10]);
});

test("the form and the model choose months by the same names", () => {
  assert.deepEqual(schemaFor(ORDERS).properties.groupBy.enum.slice(1, 4), ["date", "date by month", "date by year"]);
  assert.deepEqual(groupingNamed(ORDERS, "date by month"), { groupBy: "date", period: "month" });
  assert.deepEqual(groupingNamed(ORDERS, "gone"), { groupBy: "", period: "" });
  const plain = { ...emptyPlan(), order: "smallest" };
  const months = regrouped(plain, groupingNamed(ORDERS, "date by month"));
  assert.deepEqual([months.order, regrouped(months, { groupBy: "region", period: "" }).order], ["natural", "largest"]);
  assert.equal(planIn(texts, { ...emptyPlan(), operation: "sum", column: "amount", groupBy: "date", period: "month" }), "Sum of amount for each month (date)");
});

test("where nobody able would answer, the words are read, and the answer says so", async () => {
  const { host, lens } = await lensOver(CSV);
  await lens.pick();
  host.refuse("lime.agent", "startTask", "APP_E130");
  await lens.ask("Which region has the largest amount?");
  assert.deepEqual([lens.answer.readBy, lens.answer.groups[0].label, lens.problem], ["words", "North", null]);
  await lens.ask("What will the weather be?");
  assert.deepEqual(lens.answer, { fault: "no_words" });
});

test("Chinese columns are read by their words as well", () => {
  const table = tableOf({ name: "", rows: rowsOf("地区,金额,状态\n北,1,已付\n南,2,未付\n"), isTruncated: false });
  const { plan: chosen } = planFromWords(table, "哪个地区销售最多？");
  assert.deepEqual([chosen.operation, chosen.column, chosen.groupBy], ["sum", "金额", "地区"]);
  assert.equal(planFromWords(table, "未付的金额合计").plan.filter.value, "未付");
});

test("a Chinese question may set a foreign column apart by spaces, or not", () => {
  const table = tableOf({ name: "", rows: rowsOf("region,product,unit_price,revenue\nNorth,Plums,1,10\nSouth,Pears,2,30\n"), isTruncated: false });
  const read = (question) => {
    const { operation, column, groupBy, order } = planFromWords(table, question).plan;
    return [operation, column, groupBy, order];
  };
  const each = ["sum", "revenue", "region", "largest"];
  const asked = ["哪个 region 的 revenue 最多", "各 region 的 revenue 总和", "按 region 统计 revenue 总和", "每个 region 的 revenue", "各个region的revenue", "不同 region 的 revenue"];
  for (const question of [...asked, "revenue 最多的 region", "region 中 revenue 最多的是哪个", "revenue by region", "The region with the most revenue"]) {
    assert.deepEqual(read(question), each, question);
  }
  assert.deepEqual(read("每种 product 的平均 unit_price"), ["mean", "unit_price", "product", "largest"]);
  assert.deepEqual(read("总共有多少个 product"), ["distinct", "product", "", "largest"]);
  assert.deepEqual(read("有几个不同的 region"), ["distinct", "region", "", "largest"]);
  assert.deepEqual(read("North 的 revenue 总和"), ["sum", "revenue", "", "largest"]);
  const periods = ["按 月统计 amount", "每个 month 的 amount", "各 月的 amount 总额"].map((question) => planFromWords(ORDERS, question).plan.period);
  assert.deepEqual([...periods, planFromWords(ORDERS, "每 year 的 amount").plan.period], ["month", "month", "month", "year"]);
});

test("a dropped table is opened by its reference, or by its bytes, and anything else is refused", async () => {
  const { host, lens } = await lensOver(CSV);
  host.answer("lime.files", "takeDropped", () => ({ files: [{ ref: "file-ref:1", name: "t.csv" }] }));
  await lens.openDropped({ name: "t.csv" });
  assert.deepEqual([lens.table.rowCount, lens.file.ref], [4, "file-ref:1"]);
  host.answer("lime.files", "takeDropped", () => ({ files: [] }));
  await lens.openDropped(new File(["a\n1\n"], "small.csv"));
  assert.deepEqual([lens.table.name, lens.table.rowCount], ["small.csv", 1]);
  await lens.openDropped(new File(["x"], "letter.pdf"));
  assert.deepEqual([lens.problem.error.code, lens.table.name], ["schema_invalid", "small.csv"]);
});

test("what a person opens with the app from outside is opened, now and later, and what is no table is refused", { timeout: 20_000 }, async () => {
  const { host, lens } = await lensOver(CSV);
  host.openFiles({ ref: "file-ref:1", name: "orders.csv", mediaType: "text/csv" });
  lens.followOpened();
  await until(() => lens.table && !lens.busy);
  assert.deepEqual([lens.table.rowCount, lens.file.ref], [4, "file-ref:1"]);
  host.openFiles({ ref: "file-ref:2", name: "more.exampletable", mediaType: "application/octet-stream" });
  await until(() => lens.file.ref === "file-ref:2" && !lens.busy);
  host.openFiles({ ref: "file-ref:3", name: "letter.pdf", mediaType: "application/pdf" });
  await until(() => lens.problem);
  assert.deepEqual([lens.problem.error.code, lens.table.name], ["schema_invalid", "more.exampletable"]);
});

test("a host that is still starting is waited for, and no error is shown", async () => {
  const { host, lens } = await lensOver(CSV);
  host.refuse("lime.storage", "get", "APP_E901");
  const opening = lens.openLast();
  setTimeout(() => host.answer("lime.storage", "get", () => null), 400);
  await opening;
  assert.deepEqual([lens.problem, lens.isLoaded], [null, true]);
});

test("a picture holds what the page shows, and where it comes from", () => {
  const bars = [{ label: "North <1>", value: 30.3 }, { label: "South", value: -5 }];
  const write = (value) => String(value);
  const svg = svgOf(pictureOf(bars, { title: "Sum & more", source: "From 3 rows.", write }), "Sum & more");
  assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+" width="\d+" height="\d+">/);
  for (const words of ["Sum &amp; more", "North &lt;1&gt;", "30.3", "-5", "From 3 rows."]) assert.ok(svg.includes(`>${words}</`), words);
  assert.equal(svg.match(/<rect /g).length, 3);
  assert.equal(marksOf(bars, write).marks.length, 6);
});

test("a picture is saved once the answer is kept, and closing the chooser is no fault", async () => {
  const { host, lens } = await lensOver(CSV);
  await lens.pick();
  host.answer("lime.artifacts", "create", () => ({ id: "art-1" }));
  host.answer("lime.evidence", "record", () => ({ id: "e1" }));
  host.answer("lime.evidence", "linkArtifact", () => ({}));
  host.answer("lime.artifacts", "export", ({ format }) => ({ ref: "file-ref:9", fileName: `Sum.${format}` }));
  host.answer("lime.ui", "download", () => ({ downloaded: true }));
  lens.computePlan(plan({ operation: "count", groupBy: "status" }));
  await lens.savePicture("Sum", "text", { svg: "<svg/>", png: "AA==" }, "png");
  assert.equal(lens.isSaved, true);
  await lens.savePicture("Sum", "text", {}, "svg");
  const created = host.calls.filter(({ method }) => method === "create");
  assert.deepEqual([created.length, created[0].input.content.svg], [1, "<svg/>"]);
  host.refuse("lime.ui", "download", "APP_E904");
  await lens.savePicture("Sum", "text", {}, "svg");
  assert.deepEqual([lens.problem, lens.isSaved], [null, false]);
});
