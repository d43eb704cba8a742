/** What was computed: the number or the bars, from how many rows, and how the question was read. */

import { h } from "/shared/html.js";
import { card, plain } from "/shared/parts.js";
import { findings, pictured } from "/shared/table/answer_view.js";
import { ignoredIn, markdownOf, planIn } from "/shared/table/words.js";

export function answerCard(lens, texts, openReport) {
  const { answer } = lens;
  const title = texts("answer.title");
  if (answer === null) return null;
  if (answer.fault) return card("answer", title, h("p", { id: "fault", className: "tell", role: "status" }, texts(`faults.${answer.fault}`)));
  const isBusy = lens.busy !== null;
  const name = answer.question || planIn(texts, answer.plan);
  const written = () => [name, markdownOf(texts, answer, lens.source), pictured(answer, texts, name, lens.source)];
  const kept = answer.artifactId
    ? plain("open-report", texts("answer.open"), () => openReport(answer.artifactId))
    : plain("keep", texts("answer.keep"), () => lens.keep(...written()), { disabled: isBusy });
  const save = (format) => () => lens.savePicture(...written(), format);
  return card(
    "answer",
    answer.question || title,
    readingNote(answer, texts),
    ...findings(answer, texts),
    h(
      "div",
      { className: "row" },
      kept,
      h("span", { className: "spring" }),
      plain("save-png", texts("answer.png"), save("png"), { className: "quiet", disabled: isBusy }),
      plain("save-svg", texts("answer.svg"), save("svg"), { className: "quiet", disabled: isBusy }),
    ),
  );
}

/** What is said of an answer whose question was read by its words alone. */
const BY_WORDS = { words: "answer.byWords", instead: "answer.byWordsInstead" };

/** Who read the question: where it was only its words, that is said, and what they left out. */
function readingNote({ readBy, ignored = [] }, texts) {
  if (!(readBy in BY_WORDS)) return null;
  const left = ignored.length > 0 && h("strong", {}, ignoredIn(texts, ignored));
  return h("div", { id: "read-by", className: "tell", role: "status" }, left, h("p", {}, texts(BY_WORDS[readBy])));
}
