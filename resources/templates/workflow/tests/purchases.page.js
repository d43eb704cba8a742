import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

async function request(what, amount) {
  await page.label("What for").fill(what);
  await page.label("Amount").fill(String(amount));
  await page.role("button", "Request").click();
}

test("up to the limit it is booked at once, and has a receipt", async () => {
  await request("Paper", 12);
  await page.text("Booked").waitFor();
  await page.role("button", "Receipt of Paper").waitFor();
  await page.text("Booked so far: 12").waitFor();
});

test("above the limit a person is asked, and what they approve is booked", async () => {
  await request("A desk", 450);
  await page.text("Waits for a review").waitFor();
  expect((await host.answer({ yes: true })).prompt).toBe("Review what is over the limit");
  await page.text("Booked").waitFor();
});

test("what is refused is not booked", async () => {
  await request("A yacht", 90_000);
  await host.answer({ yes: false, message: "No." });
  await page.text("Refused").waitFor();
  expect(await page.text(/Booked so far/).count()).toBe(0);
});

test("the page speaks the person's language", async () => {
  await host.locale("zh-CN");
  await page.role("button", "提交申请").waitFor();
});
