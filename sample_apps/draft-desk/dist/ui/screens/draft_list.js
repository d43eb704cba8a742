/** The drafts at the side: which there are, and which is open. */

import { h } from "/shared/html.js";
import { momentIn } from "/shared/texts.js";

export function draftList(desk, texts) {
  return desk.drafts.map((draft) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          id: `draft-${draft.id}`,
          type: "button",
          className: "draft",
          "aria-current": desk.open?.id === draft.id ? "true" : null,
          disabled: desk.busy !== null,
          onclick: () => desk.choose(draft),
        },
        h("span", { className: "name" }, nameOf(draft, texts)),
        h("small", {}, `${texts(`status.${draft.status}`, draft)} · ${momentIn(texts, draft.updatedAt)}`),
      ),
    ),
  );
}

export const nameOf = ({ content, brief }, texts) => content?.headline || brief.goal || texts("page.untitled");
