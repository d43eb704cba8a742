/** Bars in plain SVG. The colours are the host's, the numbers are in the picture and in its description. */

const SVG = "http://www.w3.org/2000/svg";
const ROW = 26;
const LABEL = 150;
const WIDTH = 560;
const VALUE = 90;

/** Bars beside each other's labels, for an answer with groups. */
export function barChart(bars, { title, write }) {
  const largest = Math.max(0, ...bars.map(({ value }) => value));
  const smallest = Math.min(0, ...bars.map(({ value }) => value));
  const room = WIDTH - LABEL - VALUE;
  const scale = room / (largest - smallest || 1);
  const zero = LABEL - smallest * scale;
  const rows = bars.map(({ label, value }, index) => {
    const y = index * ROW;
    const width = Math.max(1, Math.abs(value) * scale);
    return [
      svg("text", { x: LABEL - 8, y: y + 17, "text-anchor": "end", class: "label" }, shortened(label)),
      svg("rect", { x: value < 0 ? zero - width : zero, y: y + 4, width, height: ROW - 8, rx: 3 }),
      svg("text", { x: zero + Math.max(0, value * scale) + 6, y: y + 17, class: "value" }, write(value)),
    ];
  });
  const box = { viewBox: `0 0 ${WIDTH} ${bars.length * ROW}`, class: "chart", role: "img", "aria-label": title };
  return svg("svg", box, ...rows.flat());
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

function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
