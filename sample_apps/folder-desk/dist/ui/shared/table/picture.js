/**
 * A chart as a picture to paste elsewhere: with its title and where its numbers come from, on white, whatever the window
 * looks like. The same marks as on the page, written as SVG and painted as PNG.
 */

import { marksOf } from "./chart.js";

const MARGIN = 28;
const TOP = 62;
const BOTTOM = 46;
const SHARP = 2;
const PAPER = "#ffffff";
const FONT = "Inter, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif";
const LOOKS = {
  bar: { fill: "#3d7a1f" },
  label: { fill: "#1b2114", size: 13 },
  value: { fill: "#55604a", size: 13 },
  title: { fill: "#1b2114", size: 18, weight: 600 },
  source: { fill: "#55604a", size: 11 },
};

/** Everything in the picture, at its place. Pure. */
export function pictureOf(bars, { title, source, write }) {
  const { width, height, marks } = marksOf(bars, write, TOP);
  const words = [
    { tag: "text", kind: "title", x: 0, y: 24, words: title },
    { tag: "text", kind: "source", x: 0, y: height + 30, words: source },
  ];
  return { width: width + 2 * MARGIN, height: height + BOTTOM, marks: [...words, ...marks].map((mark) => ({ ...mark, x: mark.x + MARGIN, y: mark.y + MARGIN / 2 })) };
}

/** The picture as SVG: shapes and words alone, which is what the host lets through. Pure. */
export function svgOf({ width, height, marks }, title) {
  const drawn = marks.map(({ tag, kind, words, ...where }) => {
    const { fill, size, weight } = LOOKS[kind];
    const look = { ...where, fill, ...(size && { "font-size": size, "font-family": FONT }), ...(weight && { "font-weight": weight }) };
    return `  ${element(tag, look, words)}`;
  });
  const head = { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height };
  return element("svg", head, undefined, ["", `  ${element("title", {}, title)}`, `  ${element("rect", { width, height, fill: PAPER })}`, ...drawn, ""].join("\n"));
}

function element(tag, attributes, words, inner) {
  const named = Object.entries(attributes).map(([name, value]) => ` ${name}="${escaped(String(value))}"`).join("");
  const content = inner ?? (words === undefined ? undefined : escaped(words));
  return content === undefined ? `<${tag}${named}/>` : `<${tag}${named}>${content}</${tag}>`;
}

const escaped = (text) => text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** The picture as PNG, in base64: painted with the page's own fonts. */
export function pngOf({ width, height, marks }) {
  const canvas = Object.assign(document.createElement("canvas"), { width: width * SHARP, height: height * SHARP });
  const paint = canvas.getContext("2d");
  paint.scale(SHARP, SHARP);
  paint.fillStyle = PAPER;
  paint.fillRect(0, 0, width, height);
  for (const mark of marks) paintMark(paint, mark);
  return canvas.toDataURL("image/png").replace("data:image/png;base64,", "");
}

function paintMark(paint, mark) {
  const { fill, size, weight = 400 } = LOOKS[mark.kind];
  paint.fillStyle = fill;
  if (mark.tag === "rect") {
    paint.beginPath();
    paint.roundRect(mark.x, mark.y, mark.width, mark.height, mark.rx);
    paint.fill();
    return;
  }
  paint.font = `${weight} ${size}px ${FONT}`;
  paint.textAlign = mark["text-anchor"] ?? "start";
  paint.fillText(mark.words, mark.x, mark.y);
}
