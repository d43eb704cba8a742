import { host, page, test } from "/__lime__/sdk/page_testing.js";

test("a question is answered by numbers that the app computed", async () => {
  await page.css("#pick").click();
  await host.chooseFile("orders.csv");
  await page.text("3 of 3 rows").waitFor();
  await page.css("#question").fill("Where most?");
  await page.css("#ask").click();
  await page.text(/Sum of amount for each region/).waitFor();
});
