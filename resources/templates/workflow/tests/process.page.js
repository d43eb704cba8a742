import { host, page, test } from "/__lime__/sdk/page_testing.js";

test("the steps are ticked off one after the other", async () => {
  await page.role("button", "Start").click();
  await page.role("checkbox").nth(0).check();
  await page.role("checkbox").nth(1).check();
  await page.role("checkbox").nth(2).check();
  await page.text("Every step is done.").waitFor();
});

test("the page speaks the person's language", async () => {
  await host.locale("zh-CN");
  await page.role("button", "开始").waitFor();
});
