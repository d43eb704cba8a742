/** Step three: a person's decision, taken in the host's own window. */

import { h } from "/shared/html.js";
import { plain, primary, step, working } from "./parts.js";

export function reviewStep(desk, texts, decide) {
  const { content, status, version } = desk.open;
  const title = texts("review.title");
  if (desk.busy?.step === "review") return step("review", title, working(texts("review.waiting"), () => desk.stop(), texts("review.stopWaiting")));
  if (content === null || desk.busy?.step === "draft") return null;
  if (status === "waiting") {
    const words = h("p", { id: "waiting", className: "tell", role: "status" }, texts("review.waiting"));
    return step("review", title, words, h("p", { className: "about" }, texts("review.later")));
  }
  const button = ["approved", "published"].includes(status) ? plain : primary;
  return step(
    "review",
    title,
    h("p", { className: "about" }, texts("review.about")),
    status === "rejected" && h("p", { className: "bad" }, texts("review.rejected")),
    version > 0 && h("p", { id: "version", className: "good" }, texts("review.version", { version })),
    h("div", { className: "row" }, button("decide", texts(version > 0 || status === "rejected" ? "review.again" : "review.ask"), decide, { disabled: desk.busy !== null })),
  );
}
