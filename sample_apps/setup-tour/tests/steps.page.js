import { expect, page, test } from "/__lime__/sdk/page_testing.js";

test("every step of the setup is shown", async () => {
  await page.role("heading", "Setup Tour").waitFor();
  await page.role("listitem").nth(0).waitFor();
  expect((await page.role("listitem").count()) > 1).toBe(true);
});
