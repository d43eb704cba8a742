/** What a cell says: a number, a day, or just words. */

const NUMBER = /^[-+]?[¥$€£]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?(e[-+]?\d+)?\s*%?$/i;
const DAY = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/;

/** The number in a text, or null. */
export function numberIn(text) {
  const plain = text.trim();
  if (!NUMBER.test(plain)) return null;
  const value = Number(plain.replace(/[,¥$€£%\s]/g, ""));
  return plain.endsWith("%") ? value / 100 : value;
}

/** The day in a text as `2026-05-03`, or null. */
export function dayIn(text) {
  const found = DAY.exec(text.trim());
  if (!found) return null;
  const [, year, month, day] = found;
  const isReal = month >= 1 && month <= 12 && day >= 1 && day <= 31;
  return isReal ? `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}` : null;
}

/** The sum without the small errors that add up in long columns. */
export function sumOf(numbers) {
  let sum = 0;
  let rest = 0;
  for (const number of numbers) {
    const next = sum + number;
    rest += Math.abs(sum) >= Math.abs(number) ? sum - next + number : number - next + sum;
    sum = next;
  }
  return sum + rest;
}

export function medianOf(numbers) {
  const sorted = Float64Array.from(numbers).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export const smallestOf = (values) => values.reduce((least, each) => (each < least ? each : least));
export const largestOf = (values) => values.reduce((most, each) => (each > most ? each : most));
