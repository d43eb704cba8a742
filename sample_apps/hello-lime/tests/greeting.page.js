import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

test("a greeting that was saved is shown", async () => {
  await page.label("Your greeting").fill("Good morning");
  await page.role("button", "Save").click();
  await page.role("heading", "Good morning").waitFor();
});

test("the page speaks the person's language", async () => {
  await host.locale("zh-CN");
  await page.role("button", "保存").waitFor();
  await host.locale("en");
  await page.role("button", "Save").waitFor();
  expect(page.route()).toBe("/greeting");
});
