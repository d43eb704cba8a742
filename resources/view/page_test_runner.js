// Runs in the outer page of a view that is tested: lists the tests of some files, or runs one of them.
import { takeTests } from "/__lime__/sdk/page_testing.js";

const tell = (said) =>
  document.dispatchEvent(new CustomEvent("lime-test:told", { detail: JSON.stringify(said) }));

/** A file's tests; a file that cannot be loaded says why. */
async function testsOf(file) {
  takeTests();
  await import(`/__lime__/tests/${file}`);
  return takeTests();
}

async function list(files) {
  const listed = [];
  for (const file of files) {
    try {
      const names = (await testsOf(file)).map(({ name }) => name);
      listed.push({ file, names });
    } catch (error) {
      listed.push({ file, names: [], problem: wordsOf(error) });
    }
  }
  tell({ kind: "listed", files: listed });
}

async function run(file, index) {
  let problem = "";
  try {
    const tests = await testsOf(file);
    await tests[index].body();
  } catch (error) {
    problem = wordsOf(error);
  }
  tell({ kind: "ended", problem });
}

/** What the page kept by itself; what the host keeps for it is the host's to forget. */
async function forget() {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
  tell({ kind: "forgotten" });
}

/** The error with the place in the test that met it, without the places inside this runner. */
function wordsOf(error) {
  const places = String(error?.stack ?? "")
    .split("\n")
    .filter((line) => line.includes("/__lime__/tests/"))
    .map((line) => line.replace(/lime-app:\/\/[^/]+\/__lime__\//, "").trim());
  return [String(error?.message ?? error), ...places].join("\n");
}

document.addEventListener("lime-test:wanted", ({ detail }) => {
  const { files, file, index } = JSON.parse(detail);
  if (files) void list(files);
  else if (file) void run(file, index);
  else void forget();
});
tell({ kind: "here" });
