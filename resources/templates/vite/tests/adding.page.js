import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

test("what is added is in the list, and in the empty list's place", async () => {
  await page.text(/Nothing here yet/).waitFor();
  await page.label("New item").fill("Buy limes");
  await page.role("button", "Add").click();
  await page.text("Buy limes").waitFor();
  await page.text(/Nothing here yet/).waitForGone();
  expect(await page.label("New item").value()).toBe("");
});

test("what is removed is gone", async () => {
  await page.label("New item").fill("Buy limes");
  await page.label("New item").press("Enter");
  await page.role("button", "Remove Buy limes").click();
  await page.text("Buy limes").waitForGone();
});

test("the page speaks the person's language", async () => {
  await host.locale("zh-CN");
  await page.role("button", "添加").waitFor();
});
