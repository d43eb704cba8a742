/** Whether a model is there that can do what is asked. Without one an app does what needs none, and says how to get one. */

/** What the host refuses a task with where nobody able would answer. */
const NOBODY = ["APP_E130", "APP_E131"];
/** What it ends a task with where an answer had nothing to do with what it was to rest on. */
const UNGROUNDED = "APP_E109";

/** The line that is on the page now; a screen that is drawn anew has another. */
let hint = null;

/** A line that says what an app does without a model and where one is added; seen only while none would answer. */
export function noModelHint(lime, text) {
  if (hint === null) lime.onSnapshot(() => (hint.hidden = hasAbleModel(lime)));
  hint = Object.assign(document.createElement("p"), { id: "no-model", className: "hint", textContent: text, hidden: hasAbleModel(lime) });
  hint.setAttribute("role", "status");
  return hint;
}

/** Whether it is worth asking: where the host does not know yet, it is, and a refusal says the rest. */
export const hasAbleModel = (lime) => lime.snapshot.models?.status !== "none";

/** Whether the person chose a model that is there to be looked at, not to be believed. */
export const isDemoModel = (lime) => lime.snapshot.models?.status === "demo";

/** Whether an error says that nobody able would answer. */
export const isNoModel = (error) => NOBODY.includes(error?.appErrorCode) || error?.code === "no_model";

/** Whether an error says that the answer was not worth showing. */
export const isUngrounded = (error) => error?.appErrorCode === UNGROUNDED;

/** The same, thrown by an app that looks before it asks. */
export const noModel = () => Object.assign(new Error("no able model"), { name: "TaskEnded", code: "no_model", retryable: true });
