/** Step four: a file that leaves the app. The page offers the dry run first; that it is done, the host sees to. */

import { h } from "/shared/html.js";
import { sizeIn } from "/shared/texts.js";
import { choice, field, plain, primary, step, working } from "./parts.js";

let format = "markdown";

export function publishStep(desk, texts, { tryFirst, publish }) {
  const { status, version } = desk.open;
  const title = texts("publish.title");
  if (desk.busy?.step === "publish") return step("publish", title, working(texts(desk.tried ? "publish.publishing" : "publish.trying")));
  if (!["approved", "published"].includes(status)) return null;
  const formats = Object.fromEntries(["markdown", "html", "json"].map((key) => [key, texts(`publish.formats.${key}`)]));
  const choose = (chosen) => (format = chosen);
  const tryButton = desk.tried || status === "published" ? plain : primary;
  return step(
    "publish",
    title,
    h("p", { className: "about" }, texts("publish.about")),
    status === "published" && h("p", { id: "published", className: "good" }, texts("publish.done", { version })),
    desk.tried && h("p", { id: "found", className: "tell" }, texts("publish.found", { fileName: desk.tried.fileName, size: sizeIn(texts, desk.tried.sizeBytes) })),
    h(
      "div",
      { className: "row low" },
      field(texts("publish.format"), choice("format", format, formats, choose)),
      tryButton("try", texts("publish.try"), () => tryFirst(format), { disabled: desk.busy !== null }),
      desk.tried && primary("publish", texts("publish.publish"), publish, { disabled: desk.busy !== null }),
    ),
  );
}
