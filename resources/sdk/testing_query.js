/** The storage query language over rows in memory: what the real host answers from SQLite. */

/**
 * @typedef {{row: Record<string, any>}} Stored
 * @typedef {{where?: Record<string, any>, orderBy?: {field: string, direction?: string}[], limit?: number, cursor?: string}} Query
 */

/** @type {Record<string, (value: any, wanted: any) => boolean>} */
const CONDITIONS = {
  eq: (value, wanted) => (value ?? null) === wanted,
  ne: (value, wanted) => (value ?? null) !== wanted,
  lt: (value, wanted) => typeof value === typeof wanted && value < wanted,
  lte: (value, wanted) => typeof value === typeof wanted && value <= wanted,
  gt: (value, wanted) => typeof value === typeof wanted && value > wanted,
  gte: (value, wanted) => typeof value === typeof wanted && value >= wanted,
  in: (value, wanted) => wanted.includes(value ?? null),
  startsWith: (value, wanted) => typeof value === "string" && value.startsWith(wanted),
  contains: (value, wanted) => typeof value === "string" && value.toLowerCase().includes(wanted.toLowerCase()),
};

/** @param {Stored[]} rows @param {Query} query */
export function queryRows(rows, { where = {}, orderBy = [], limit = 100, cursor = "0" }) {
  const found = rows.filter(({ row }) => Object.entries(where).every(([name, wanted]) => fits(row[name], wanted)));
  const sorted = orderBy.reduceRight(
    (some, { field, direction }) =>
      [...some].sort((one, other) => compared(one.row[field], other.row[field]) * (direction === "desc" ? -1 : 1)),
    found,
  );
  const end = Number(cursor) + limit;
  const page = { rows: sorted.slice(Number(cursor), end) };
  return end < sorted.length ? { ...page, nextCursor: String(end) } : page;
}

/** @param {any} value @param {any} wanted */
function fits(value, wanted) {
  const conditions = wanted !== null && typeof wanted === "object" ? wanted : { eq: wanted };
  return Object.entries(conditions).every(([name, bound]) => CONDITIONS[name](value, bound));
}

/** Rows without the field come first, as in SQLite. @param {any} one @param {any} other */
function compared(one, other) {
  if (one === other) return 0;
  if (one === undefined || one === null) return -1;
  return other === undefined || other === null || one > other ? 1 : -1;
}
