import { host, page, test } from "/__lime__/sdk/page_testing.js";

test("the host runs the process, and it waits for the draft", async () => {
  await page.role("button", "Start").click();
  await page.text("The process waits. If it waits for you, you are asked.").waitFor();
});

test("the page speaks the person's language", async () => {
  await host.locale("zh-CN");
  await page.role("button", "开始").waitFor();
});
