/** What a column looks like at a glance. */

import { largestOf, medianOf, smallestOf, sumOf } from "./shared/table/values.js";

const BINS = 12;
const TOP = 4;

export function profileOf(column) {
  const { name, type, missing, unreadable } = column;
  const values = column.values.filter((value) => value !== null);
  const counted = countsOf(values);
  const facts = { name, type, missing, unreadable, distinct: counted.size };
  if (values.length === 0) return { ...facts, bars: [] };
  if (type === "number") return { ...facts, ...numbersIn(values, counted.size) };
  if (type === "day") return { ...facts, min: smallestOf(values), max: largestOf(values), bars: [] };
  return { ...facts, bars: topOf(counted) };
}

export function countsOf(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const numbersIn = (values, distinct) => {
  const [min, max] = [smallestOf(values), largestOf(values)];
  // More bars than values would draw gaps that mean nothing.
  const bars = histogramOf(values, min, max, Math.min(BINS, distinct));
  return { min, max, mean: sumOf(values) / values.length, median: medianOf(values), bars };
};

function histogramOf(values, min, max, count) {
  const width = (max - min) / count || 1;
  const bars = Array.from({ length: count }, (_, bin) => ({ label: min + bin * width, value: 0 }));
  for (const value of values) bars[Math.min(bars.length - 1, Math.floor((value - min) / width))].value += 1;
  return bars;
}

const topOf = (counts) =>
  [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, TOP)
    .map(([label, value]) => ({ label, value }));
