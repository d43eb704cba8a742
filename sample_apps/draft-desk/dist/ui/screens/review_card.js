/** Step three: a person's decision, taken in the host's own window. */

import { h } from "/html.js";
import { card, plain, primary, working } from "./parts.js";

export function reviewCard(desk, texts, decide) {
  const { content, status, version } = desk.open;
  const title = texts("review.title");
  if (desk.busy?.step === "review") {
    return card(3, title, true, working(texts("review.waiting"), () => desk.stop(), texts("review.stopWaiting")));
  }
  if (content === null) return card(3, title, false, h("p", { className: "next" }, texts("review.next")));
  const button = ["approved", "published"].includes(status) ? plain : primary;
  return card(
    3,
    title,
    true,
    h("p", {}, texts("review.about")),
    status === "rejected" && h("p", { className: "notice" }, texts("review.rejected")),
    version > 0 && h("p", { id: "version", className: "good" }, texts("review.version", { version })),
    h("div", { className: "row end" }, button("decide", texts("review.ask"), decide, { disabled: desk.busy !== null })),
  );
}
