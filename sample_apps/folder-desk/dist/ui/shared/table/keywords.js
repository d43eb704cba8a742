/**
 * A plan read from the words of a question, without a model. Pure, and honest about what it understood: what it cannot
 * read from the words, it does not guess.
 */

import { emptyPlan } from "./compute.js";
import { sayingsOf } from "./sayings.js";

/** Words for a computation; the first group that is found counts, so the more special stands first. */
const OPERATIONS = [
  ["median", /\bmedian\b|中位/u],
  ["mean", /\b(?:average|avg|mean)\b|平均|均值/u],
  ["distinct", /\b(?:different|distinct|unique)\b|不同|多少种|几种/u],
  ["count", /\btotal (?:number|count)\b|有\s*(?:多少|几)\s*(?:个|条|笔|单|次|人|行)/u],
  ["sum", /\b(?:sum|total|altogether|overall|sold|sells?|sales|revenue|turnover|earn(?:ed|s)?|spen[dt]|how much)\b|总|合计|共计|一共|销售|卖/u],
  ["count", /\b(?:how many|number of|count)\b|(?:多少|几)\s*(?:个|条|笔|单|次|人|行)|数量|个数/u],
  ["max", /\b(?:largest|biggest|highest|max(?:imum)?|latest|most expensive|top)\b|最大|最高|最贵|最晚/u],
  ["min", /\b(?:smallest|lowest|min(?:imum)?|earliest|cheapest)\b|最小|最低|最便宜|最早/u],
];
const LARGEST = /\b(?:most|largest|biggest|highest|best|top|max(?:imum)?)\b|最多|最大|最高|最好/u;
const SMALLEST = /\b(?:least|fewest|smallest|lowest|worst|min(?:imum)?)\b|最少|最小|最低|最差/u;
/** What stands before a column that the rows are grouped by. In Chinese a foreign name often stands after a space, and often does not. */
const BEFORE_GROUP =
  /\b(?:by|per|each|every|which|what|who|for each|across|best|worst|top)\s+(?:the\s+)?$|(?:按照?|根据|(?:各|每一?|哪一?)[个些种类家位名款项]?|最[多少大小高低好差]的)\s*$/u;
/** What stands after one: “the region with the most”, “region 中最多的是哪个”. */
const AFTER_GROUP = /^\s+(?:with|that has|having)\s+(?:the\s+)?(?:most|least|fewest|largest|biggest|smallest|highest|lowest|best|worst)\b|^\s*(?:[中里].*|是\s*)?哪(?:一?个|些)/u;
/** Asks for one of several: a number over all of them is no answer to it. */
const WHICH = /\b(?:which|who|whose|where)\b|哪|谁/u;
/** “不同 region 的 revenue” asks for each of them, where a number is named; alone it asks how many there are. */
const SPLIT = /不同的?\s*$/u;
/** Words for the months or years of a column of days. */
const PERIODS = [
  ["month", /\b(?:by|per|each|every|which|what|across)\s+(?:the\s+|calendar\s+)?months?\b|\bmonthly\b|(?:按照?|各|每一?|逐|哪一?)个?\s*(?:月份?|months?\b)|几月|月度/u],
  ["year", /\b(?:by|per|each|every|which|what|across)\s+(?:the\s+|calendar\s+)?years?\b|\b(?:yearly|annual(?:ly)?)\b|(?:按照?|各|每一?|逐|哪一?)个?\s*(?:年份?|years?\b)|年度/u],
];
const MEASURES = /amount|total|price|revenue|sales|value|cost|sum|金额|价|总额|销售额|费用/iu;
const HOW_MANY = /\bhow many\b|多少|几个/u;
const MOST_VALUES = 300;

/** Words of a question that say how it is asked, not what about. */
const EVERYDAY = new Set(
  ("a all an and any are as at be been by came can come could did do does each every find for from get gets give given got had has have i in is it its " +
    "list made make me most least fewest my of on or our overall per please show tell that the their them there these they this to us was we were what when where " +
    "which who whose will with would you your much many number how order row rows table data").split(" "),
);

const HAN = /\p{Script=Han}/u;
const EVERYDAY_HAN = new RegExp(
  "订单|数据|表格|告诉|我们|你们|显示|统计|列出|计算|一下|什么|多少|所有|全部|知道|怎么样|如何|比较|之间|根据|按照|不同|情况|哪里|哪儿|" +
    "[请我你是的了得地在有和与或吗呢啊几哪个些种类家位名款项各每一按中里为给出看从到多少这那它他她也都会要想条笔单次人行元块钱谁买最月年]",
  "gu",
);

/** @returns {{plan: object, ignored: string[]} | null} the plan, and the words that it does not account for; or null */
export function planFromWords(table, question) {
  const asked = askedIn(question);
  const named = columnsIn(table, asked);
  const filter = filterIn(table, asked, named);
  const isCompared = LARGEST.test(asked) || SMALLEST.test(asked);
  const { group, period } = groupingIn(table, asked, named);
  const isSplit = SPLIT.test(asked.slice(0, group?.at ?? 0));
  if (!group && isCompared && asksForOne(asked, named)) return null;
  const operation = OPERATIONS.find(([name, words]) => words.test(asked) && !(isSplit && name === "distinct"))?.[0] ?? (isSplit ? "sum" : null);
  const read = chosen({ table, asked, named, operation: operation ?? impliedIn(named, period), group, isCompared });
  if (read === null) return null;
  const plan = {
    ...emptyPlan(),
    ...read,
    groupBy: read.groupBy ?? group?.column.name ?? "",
    period,
    filter: filter ?? emptyPlan().filter,
    // Months follow each other, unless the question is which of them is first.
    order: SMALLEST.test(asked) ? "smallest" : period && !isCompared ? "natural" : "largest",
  };
  return { plan, ignored: ignoredIn(asked, named, filter, period) };
}

const askedIn = (question) => ` ${question.toLowerCase().replace(/[?？!！.。,，;；]/gu, " ")} `;

/** What the rows are grouped by: a column that is named so, or the months or years of the days that there are. */
function groupingIn(table, asked, named) {
  const hasNumber = named.some(({ column }) => column.type === "number");
  const isGroup = (before, after) => BEFORE_GROUP.test(before) || AFTER_GROUP.test(after) || (hasNumber && SPLIT.test(before));
  const others = named.filter(({ column }) => column.type !== "number");
  const group = others.find(({ at, end }) => isGroup(asked.slice(0, at), asked.slice(end))) ?? comparedIn(asked, others, hasNumber);
  const period = PERIODS.find(([, words]) => words.test(asked))?.[0];
  const isDay = (column) => column.type === "day";
  const days = named.map(({ column }) => column).find(isDay) ?? table.columns.find(isDay);
  // A table may have a column of months, and then that is meant.
  if (!period || !days || (group && !isDay(group.column))) return { group, period: "" };
  return { group: { column: days }, period };
}

/** “Region sold most”, “地区最高”: the only column that is named and holds no numbers is what is compared. */
function comparedIn(asked, others, hasNumber) {
  const isCompared = LARGEST.test(asked) || SMALLEST.test(asked);
  return isCompared && others.length === 1 && (WHICH.test(asked) || !hasNumber) ? others[0] : undefined;
}

/** Whether a question is which of several has the most. “Which amount is the highest?” asks for a number. */
function asksForOne(asked, named) {
  const isNumber = named.some(({ column, at }) => column.type === "number" && BEFORE_GROUP.test(asked.slice(0, at)));
  return (WHICH.test(asked) && !isNumber) || /\bmost\b|\bleast\b|\bfewest\b|最[多少]/u.test(asked);
}

/** Whether a plan gives one number where a question is for one of several: then it answers another question. */
export function missesWhich(table, question, { groupBy }) {
  const asked = askedIn(question);
  return !groupBy && (LARGEST.test(asked) || SMALLEST.test(asked)) && asksForOne(asked, columnsIn(table, asked));
}

/** “Amount by month” names no computation and means its sum; without a period nothing is taken to be meant. */
const impliedIn = (named, period) => (period && named.some(({ column }) => column.type === "number") ? "sum" : null);

/** What the plan leaves out is said aloud: a number that answers half of a question looks like the whole. */
function ignoredIn(asked, named, filter, period) {
  let rest = asked;
  for (const [, words] of OPERATIONS) rest = rest.replaceAll(new RegExp(words, "gu"), " ");
  const accounted = PERIODS.filter(([name]) => name === period).map(([, words]) => words);
  for (const words of [LARGEST, SMALLEST, ...accounted]) rest = rest.replaceAll(new RegExp(words, "gu"), " ");
  const names = [...named.map(({ column, at, end }) => [column.name, asked.slice(at, end)]), [filter?.value ?? ""]].flat();
  const known = names.flatMap((name) => formsOf(name).flatMap((form) => form.split(/\s+/u)));
  for (const name of known.filter((each) => HAN.test(each))) rest = rest.replaceAll(name, " ");
  const words = [...(rest.match(/[a-z][a-z'’-]{2,}/gu) ?? []), ...(rest.replaceAll(EVERYDAY_HAN, " ").match(/\p{Script=Han}{2,}/gu) ?? [])];
  return [...new Set(words.filter((word) => !EVERYDAY.has(word) && !known.includes(word)))];
}

function chosen({ table, asked, named, operation, group, isCompared }) {
  const number = named.find(({ column }) => column.type === "number")?.column ?? null;
  const other = named.find(({ column }) => column.type !== "number" && column !== group?.column)?.column ?? null;
  if (operation === "distinct") return other ? { operation, column: other.name } : null;
  // “How many customers?” asks for different ones, “How many orders?” for rows.
  if (operation === "count" && HOW_MANY.test(asked) && other && !group) return { operation: "distinct", column: other.name };
  if (operation === "count") return { operation };
  const measure = number ?? measureIn(table);
  // Each of a group is compared by its sum, unless another computation is named.
  if (group && isCompared && ["max", "min", null].includes(operation)) return measure ? { operation: "sum", column: measure.name } : { operation: "count" };
  if (operation === null) return null;
  return measure ? { operation, column: measure.name } : null;
}

/** The column that is meant where none is named: the only one with numbers, or the one that is called like an amount. */
function measureIn(table) {
  const numbers = table.columns.filter(({ type }) => type === "number");
  return numbers.length === 1 ? numbers[0] : (numbers.find(({ name }) => MEASURES.test(name)) ?? null);
}

/** The columns that a question names, in the order in which it does. */
function columnsIn(table, asked) {
  const names = new Set(table.columns.flatMap(({ name }) => formsOf(name)));
  const found = table.columns.flatMap((column) => {
    const sayings = formsOf(column.name).flatMap(sayingsOf).filter((each) => !names.has(each));
    const place = [column.name, ...sayings].map((each) => placeOf(asked, each)).find((each) => each !== null);
    return place ? [{ column, ...place }] : [];
  });
  return found.sort((one, other) => one.at - other.at);
}

/** Where a name stands: as it is, with its signs as spaces, or as one more or less than many. */
function placeOf(asked, name) {
  for (const form of formsOf(name).filter((each) => each.length > 1)) {
    const found = new RegExp(`(?<![a-z0-9])${form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![a-z0-9])`, "u").exec(asked);
    if (found) return { at: found.index, end: found.index + found[0].length };
  }
  return null;
}

function formsOf(name) {
  const written = name.toLowerCase().trim();
  const plain = written.replace(/[_-]+/gu, " ").trim();
  return /[a-z]$/u.test(plain) ? [written, plain, `${plain}s`, `${plain}es`, plain.replace(/y$/u, "ies"), plain.replace(/s$/u, "")] : [written, plain];
}

/** A value of the table that a question names, such as a region: only its rows are meant then. */
function filterIn(table, asked, named) {
  const names = new Set(named.map(({ column }) => column.name.toLowerCase()));
  for (const { name, type, texts } of table.columns) {
    if (type === "number") continue;
    const values = new Set(texts.filter(Boolean));
    if (values.size > MOST_VALUES) continue;
    const found = [...values].filter((value) => !names.has(value.toLowerCase()) && placeOf(asked, value) !== null);
    const [longest] = found.sort((one, other) => other.length - one.length);
    if (longest !== undefined) return { column: name, test: "is", value: longest };
  }
  return null;
}
