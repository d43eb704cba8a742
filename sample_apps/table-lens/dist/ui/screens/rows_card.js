/** The rows themselves: filtered, sorted, a page at a time. */

import { h } from "/shared/html.js";
import { TESTS } from "/shared/table/rows.js";
import { numberIn } from "/shared/table/words.js";
import { card, choice, field, plain } from "/shared/parts.js";

const PAGE = 50;
let first = 0;

export function rowsCard(lens, texts, again) {
  const { table, rows } = lens;
  first = Math.min(first, Math.max(0, rows.length - 1));
  const shown = rows.slice(first, first + PAGE);
  const title = texts("rows.title", { shown: numberIn(texts, rows.length), all: numberIn(texts, table.rowCount) });
  return card(
    "rows",
    title,
    ...lens.filters.map((filter, index) => filterRow(lens, texts, filter, index)),
    h("div", { className: "row" }, plain("add-filter", texts("filter.add"), () => addFilter(lens), { className: "quiet" })),
    rows.length === 0 ? h("p", { className: "about" }, texts("rows.none")) : grid(lens, texts, shown),
    rows.length > PAGE && pages(rows.length, texts, again),
  );
}

function addFilter(lens) {
  lens.setFilters([...lens.filters, { column: lens.table.columns[0].name, test: "is", value: "" }]);
}

function filterRow(lens, texts, filter, index) {
  const change = (changes) => lens.setFilters(lens.filters.with(index, { ...lens.filters[index], ...changes }));
  const columns = Object.fromEntries(lens.table.columns.map(({ name }) => [name, name]));
  const tests = Object.fromEntries(TESTS.map((test) => [test, texts(`filter.tests.${test}`)]));
  const value = h("input", { id: `filter-value-${index}`, value: filter.value, onchange: () => change({ value: value.value }) });
  return h(
    "div",
    { className: "row filter" },
    field(texts("filter.column"), choice(`filter-column-${index}`, filter.column, columns, (column) => change({ column }))),
    field(texts("filter.test"), choice(`filter-test-${index}`, filter.test, tests, (test) => change({ test }))),
    field(texts("filter.value"), value),
    plain(`filter-remove-${index}`, texts("filter.remove"), () => lens.setFilters(lens.filters.toSpliced(index, 1)), { className: "quiet" }),
  );
}

function grid(lens, texts, shown) {
  const { columns } = lens.table;
  const heads = columns.map((column) => headOf(lens, column));
  const body = shown.map((row) =>
    h("tr", {}, ...columns.map(({ type, texts: cells }) => h("td", { className: type }, cells[row]))),
  );
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...body));
  // It scrolls by itself, so the keyboard must be able to get in.
  return h("div", { id: "grid", className: "grid", role: "region", tabIndex: 0, "aria-label": texts("rows.region") }, table);
}

function headOf(lens, { name, type }) {
  const isSorted = lens.sort.column === name;
  const order = isSorted ? (lens.sort.descending ? "descending" : "ascending") : null;
  const mark = isSorted ? (lens.sort.descending ? " ↓" : " ↑") : "";
  const button = h("button", { id: `sort-${name}`, type: "button", onclick: () => lens.sortBy(name) }, `${name}${mark}`);
  return h("th", { className: type, scope: "col", "aria-sort": order }, button);
}

function pages(count, texts, again) {
  const turn = (by) => {
    first += by;
    again();
  };
  const range = { from: numberIn(texts, first + 1), to: numberIn(texts, Math.min(count, first + PAGE)), count: numberIn(texts, count) };
  return h(
    "div",
    { className: "row" },
    plain("page-back", texts("rows.back"), () => turn(-PAGE), { disabled: first === 0 }),
    h("span", { role: "status" }, texts("rows.range", range)),
    plain("page-on", texts("rows.on"), () => turn(PAGE), { disabled: first + PAGE >= count }),
  );
}
