/** The process itself, without the page: led by hand, and nobody waits for its waits. */

import { expect, host, test } from "/__lime__/sdk/page_testing.js";

test("step by step, a small request is checked, booked and given a receipt", async () => {
  const run = await host.workflow.start("purchase", { what: "Paper", amount: 12 }, { stepByStep: true });
  expect(run.state.heldBefore).toEqual(["check"]);
  await run.step();
  expect(run.state.heldBefore).toEqual(["book"]);
  await run.step();
  expect(run.stepIn("book").output.row.amount).toBe(12);
  await run.step();
  expect(run.state.status).toBe("succeeded");
  expect(run.states).toEqual(["check", "book", "receipt"]);
});

test("a review changes the amount, and that is what is booked", async () => {
  const run = await host.workflow.start("purchase", { what: "A desk", amount: 450 });
  await run.answer({ yes: true, changed: { what: "A smaller desk", amount: 300 } });
  expect(run.stepIn("review").decision).toBe("modify");
  expect(run.state.output.purchase.amount).toBe(300);
});

test("nobody answers for three days: it is refused", async () => {
  const run = await host.workflow.start("purchase", { what: "A yacht", amount: 90_000 });
  await run.skipWait();
  expect(run.stepIn("review").decidedBy).toBe("deadline");
  expect(run.state.status).toBe("cancelled");
});

test("what cannot be booked is tried again after a minute", async () => {
  const run = await host.workflow.start("purchase", { what: "Paper", amount: 12 }, { failures: { book: {} } });
  expect(run.state.waitsFor).toBe("time");
  await run.skipWait();
  expect(run.stepIn("book").attempt).toBe(2);
  expect(run.state.status).toBe("succeeded");
});

test("what never can be booked waits for a person to try again", async () => {
  const run = await host.workflow.start("purchase", { what: "Paper", amount: 12 }, { failures: { book: { attempts: 3 } } });
  await run.skipWait();
  await run.skipWait();
  expect(run.state.status).toBe("failed");
  await run.retry();
  expect(run.state.status).toBe("succeeded");
});

test("a branch that is forced has even a small request reviewed", async () => {
  const run = await host.workflow.start("purchase", { what: "Paper", amount: 12 }, { branches: { check: "review" } });
  expect(run.state.waitsFor).toBe("review");
  await run.answer({ yes: false, message: "Not now." });
  expect(run.state.output).toEqual({ note: "Not now." });
  const ended = (await run.facts()).at(-1);
  expect(ended.type).toBe("job.cancelled");
});
