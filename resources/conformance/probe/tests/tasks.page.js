import { expect, test } from "/__lime__/sdk/page_testing.js";
import { demand, probe } from "./probe.js";

const SUBTYPES = ["success", "error_max_structured_output_retries", "error_during_execution", "cancelled"];
const SCHEMA = { type: "object", properties: { answer: { type: "number" } }, required: ["answer"] };

/** Run a task to its end: its events, and its result. */
async function run(prompt, more = {}) {
  const lime = await probe().runtime();
  const { taskId } = await lime.agent.startTask({ title: prompt, taskKind: "probe", prompt, ...more });
  const events = [];
  for await (const event of lime.agent.events(taskId)) events.push(event);
  return { lime, taskId, events, ...(await lime.agent.getTask({ taskId })) };
}

test("APP-32 APP-34: a task's events join without a gap, and the last is a result with its subtype", async () => {
  const { events, taskId } = await run("Say hello");
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, at) => events[0].sequence + at));
  demand(events.some(({ type }) => type === "assistant:delta"), "Nothing was streamed.");
  demand(events.every((event) => event.taskId === taskId && event.traceId && event.eventId), "An event joins nothing.");
  const last = events.at(-1);
  expect([last.type, last.subtype]).toEqual(["result", "success"]);
});

test("APP-11: tasks and what is kept carry the app's provenance", async () => {
  const { lime, events } = await run("Say hello");
  demand(events.every(({ appId }) => appId === "probe"), "An event names another app.");
  const { provenance } = await lime.storage.set({ key: "a", value: 1 });
  demand(JSON.stringify(provenance).includes("probe"), "What is kept names nobody.");
});

test("APP-36 RT-53: structured output is validated, and prose never passes for it", async () => {
  const expectedOutput = { outputFormat: { type: "json_schema", schema: SCHEMA } };
  const sound = await run("Answer in JSON", { expectedOutput });
  expect(sound.result.output).toEqual({ answer: 42 });
  const prose = await run("Answer in prose", { expectedOutput });
  demand(prose.result.subtype !== "success" && SUBTYPES.includes(prose.result.subtype), "Prose passed.");
  demand(!prose.result.output, "Prose became output.");
});

test("APP-35: a task that ended can be read again, is listed, and runs once more as another", async () => {
  const { lime, taskId, events } = await run("Say hello");
  expect((await lime.agent.streamTask({ taskId })).length).toBe(events.length);
  demand(JSON.stringify(await lime.agent.listTasks()).includes(taskId), "It is not listed.");
  const again = await lime.agent.retryTask({ taskId });
  demand(again.taskId !== taskId, "A retry wrote over the first.");
});

test("APP-42: a task that failed says whether it can be retried, and can", async () => {
  const { lime, taskId, result } = await run("Fail");
  expect(result.subtype).toBe("error_during_execution");
  expect(typeof result.error.retryable).toBe("boolean");
  demand((await lime.agent.retryTask({ taskId })).taskId !== taskId, "A retry wrote over what failed.");
});

test("APP-27: a task that is under way can be cancelled, and says so", async () => {
  const lime = await probe().runtime();
  const { taskId } = await lime.agent.startTask({ title: "Wait", taskKind: "probe", prompt: "Wait" });
  await lime.agent.cancelTask({ taskId });
  const events = [];
  for await (const event of lime.agent.events(taskId)) events.push(event);
  expect(events.at(-1).subtype).toBe("cancelled");
});

test("RT-39: asking for the same task again starts no second one", async () => {
  const lime = await probe().runtime();
  const wish = { title: "Once", taskKind: "probe", prompt: "Say hello", idempotencyKey: "once" };
  const [first, second] = [await lime.agent.startTask(wish), await lime.agent.startTask(wish)];
  expect(second.taskId).toBe(first.taskId);
});
