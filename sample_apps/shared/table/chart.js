/** Bars in plain SVG. The colours are the host's, the numbers are in the picture and in its description. */

const SVG = "http://www.w3.org/2000/svg";
const ROW = 30;
const LABEL = 150;
const WIDTH = 640;
const VALUE = 96;

/** Bars beside each other's labels, for an answer with groups. */
export function barChart(bars, { title, write }) {
  const { height, marks } = marksOf(bars, write);
  const box = { viewBox: `0 0 ${WIDTH} ${height}`, class: "chart", role: "img", "aria-label": title };
  return svg("svg", box, ...marks.map(({ tag, kind, words, ...where }) => svg(tag, { ...where, class: kind }, ...(words === undefined ? [] : [words]))));
}

/** What a chart is made of: bars and words at their places. Pure; the page and a picture draw the same. */
export function marksOf(bars, write, top = 0) {
  const largest = Math.max(0, ...bars.map(({ value }) => value));
  const smallest = Math.min(0, ...bars.map(({ value }) => value));
  const room = WIDTH - LABEL - VALUE;
  const scale = room / (largest - smallest || 1);
  const zero = LABEL - smallest * scale;
  const marks = bars.flatMap(({ label, value }, index) => {
    const y = top + index * ROW;
    const width = Math.max(2, Math.abs(value) * scale);
    return [
      { tag: "text", kind: "label", x: LABEL - 10, y: y + 20, "text-anchor": "end", words: shortened(label) },
      { tag: "rect", kind: "bar", x: round(value < 0 ? zero - width : zero), y: y + 5, width: round(width), height: ROW - 10, rx: 4 },
      { tag: "text", kind: "value", x: round(zero + Math.max(0, value * scale) + 8), y: y + 20, words: write(value) },
    ];
  });
  return { width: WIDTH, height: top + bars.length * ROW, marks };
}

/** Bars without words, to see the shape of a column. */
export function sparkline(bars, title) {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  const columns = bars.map(({ value }, index) => {
    const height = (value / largest) * 30;
    return svg("rect", { x: index * 10, y: 32 - height, width: 8, height: Math.max(height, 1), rx: 1 });
  });
  const box = { viewBox: `0 0 ${bars.length * 10} 32`, class: "spark", role: "img", "aria-label": title };
  return svg("svg", { ...box, preserveAspectRatio: "none" }, ...columns);
}

const shortened = (label) => (label.length > 20 ? `${label.slice(0, 19)}…` : label);
const round = (value) => Math.round(value * 10) / 10;

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
