import { expect, host, page, test } from "/__lime__/sdk/page_testing.js";

const inPage = () => document.querySelector("iframe").contentDocument;

async function write(title, body) {
  await page.css("#new").click();
  await page.css("#title").fill(title);
  await page.css("#body").fill(body);
  await page.text("Saved").waitFor();
}

test("a new note has the keyboard at once, in its title", async () => {
  await page.css("#first").click();
  await page.css("#title").waitFor();
  expect(inPage().activeElement.id).toBe("title");
  await page.css("#title").press("Enter");
  expect(inPage().activeElement.id).toBe("body");
});

test("a note that was written is found by a word in it, and the word is marked", async () => {
  await write("Garden", "Water the lime tree.");
  await page.role("searchbox").fill("lime");
  await page.css("#notes mark").waitFor();
  expect(await page.css("#notes mark").text()).toBe("lime");
  await page.role("searchbox").fill("lemon");
  await page.text("Garden").waitForGone();
});

test("a note is shown as it reads, and a task is ticked there", async () => {
  await write("Plan", "# Today\n\n- [ ] water **it**");
  await page.css("#body").press("Control+e");
  await page.css("#preview h2").waitFor();
  expect(await page.css("#preview strong").text()).toBe("it");
  await page.css("#preview input").check();
  await page.text("Saved").waitFor();
  expect(inPage().querySelector("#body").value).toBe("# Today\n\n- [x] water **it**");
});

test("a link offers titles, leads to its note, and the note says what links to it", async () => {
  await write("Lime tree", "Green.");
  await write("Garden", "");
  const body = inPage().querySelector("#body");
  body.focus();
  inPage().execCommand("insertText", false, "See [[li");
  await page.css("#completions li").waitFor();
  await page.css("#body").press("Enter");
  expect(body.value).toBe("See [[Lime tree]]");
  await page.text("Saved").waitFor();
  await page.css("#show-preview").click();
  await page.css("#preview a.page").click();
  await page.text("Linked from").waitFor();
  expect(inPage().querySelector("#title").value).toBe("Lime tree");
});

test("a deleted note comes back by Undo, and from the trash", async () => {
  await write("Garden", "Water the lime tree.");
  await page.css("#delete").click();
  await page.css("#first").waitFor();
  await page.css("#undo").click();
  await page.css("#title").waitFor();
  await page.css("#delete").click();
  await page.text("Trash (1)").click();
  await page.css("#restore").click();
  await page.css("#title").waitFor();
  expect(await page.css("#body").value()).toBe("Water the lime tree.");
});

test("a folder of Markdown is imported, once", async () => {
  await page.text("Or import a folder of Markdown files").click();
  await host.chooseFile("folder");
  await page.text("2 notes imported.").waitFor();
  await page.css("#import").click();
  await host.chooseFile("folder");
  await page.text("0 notes imported. 2 were already here.").waitFor();
});
