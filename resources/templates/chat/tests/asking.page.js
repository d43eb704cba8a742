import { host, page, test } from "/__lime__/sdk/page_testing.js";

// What the agent says is in `engine.json`: tests need no model, and get the same answer every time.
test("a question is answered", async () => {
  await page.label("Question").fill("What is a lime?");
  await page.role("button", "Ask").click();
  await page.text("A small green citrus fruit.").waitFor();
});

test("the page speaks the person's language", async () => {
  await host.locale("zh-CN");
  await page.role("button", "提问").waitFor();
});
