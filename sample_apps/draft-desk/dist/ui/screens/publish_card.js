/** Step four: a file that leaves the app. The page offers the dry run first; that it is done, the host sees to. */

import { h } from "/html.js";
import { card, choice, field, plain, primary, working } from "./parts.js";

let format = "markdown";

export function publishCard(desk, texts, { tryFirst, publish }) {
  const { status, version } = desk.open;
  const title = texts("publish.title");
  if (desk.busy?.step === "publish") {
    return card(4, title, true, working(texts(desk.tried ? "publish.publishing" : "publish.trying")));
  }
  const isApproved = ["approved", "published"].includes(status);
  if (!isApproved) return card(4, title, false, h("p", { className: "next" }, texts("publish.next")));
  const formats = Object.fromEntries(["markdown", "html", "json"].map((key) => [key, texts(`publish.formats.${key}`)]));
  const choose = (chosen) => (format = chosen);
  const tryButton = desk.tried || status === "published" ? plain : primary;
  return card(
    4,
    title,
    true,
    h("p", {}, texts("publish.about")),
    status === "published" && h("p", { id: "published", className: "good" }, texts("publish.done", { version })),
    desk.tried && h("p", { id: "found", className: "notice" }, texts("publish.found", foundIn(desk.tried, texts))),
    h(
      "div",
      { className: "row end" },
      field(texts("publish.format"), choice("format", format, formats, choose)),
      tryButton("try", texts("publish.try"), () => tryFirst(format), { disabled: desk.busy !== null }),
      primary("publish", texts("publish.publish"), publish, { disabled: desk.busy !== null || desk.tried === null }),
    ),
  );
}

const foundIn = ({ fileName, sizeBytes }, texts) => ({
  fileName,
  size: new Intl.NumberFormat(texts.locale, { style: "unit", unit: "byte", unitDisplay: "long" }).format(sizeBytes),
});
