// For whoever tests an app: carries what tests say to the host, and back. Runs beside the relay, in its isolated world;
// the tests themselves run in the outer page, see `page_test_runner.js`.
(() => {
  "use strict";
  (globalThis.limeBeside ??= []).push((_frame, { testing: port }) => {
    document.addEventListener("lime-test:told", ({ detail }) => port.told(detail));
    port.answered.connect((detail) => document.dispatchEvent(new CustomEvent("lime-test:answered", { detail })));
    port.wanted.connect((detail) => document.dispatchEvent(new CustomEvent("lime-test:wanted", { detail })));
    const runner = document.createElement("script");
    runner.type = "module";
    runner.src = "/__lime__/testing/runner.js";
    document.head.append(runner);
  });
})();
