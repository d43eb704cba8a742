// Carries Host Bridge messages between the app's frame and the host. Runs in an isolated world of the outer page:
// the app shares the page's DOM but not these variables, and never sees `qt`.
(() => {
  "use strict";
  const FRAME_PATH = "/__lime__/frame.html";
  if (location.pathname !== FRAME_PATH || window.top !== window) return;

  new QWebChannel(qt.webChannelTransport, ({ objects }) => {
    const { port } = objects;
    const frame = document.createElement("iframe");
    frame.title = port.title;
    frame.allow = "";

    // Only the app's own frame is heard. A nested frame, a worker or a script that posts to this page is not it.
    window.addEventListener("message", (event) => {
      if (!event.isTrusted || event.source !== frame.contentWindow || event.origin !== location.origin) return;
      let text;
      try {
        text = JSON.stringify(event.data);
      } catch {
        return; // Not a message of the bridge: those are plain data.
      }
      if (text === undefined) return;
      if (text.length > port.maxCharacters) {
        port.refuseOversized(String(event.data?.requestId ?? ""), text.length);
        return;
      }
      port.receive(text);
    });

    port.posted.connect((batch) => {
      for (const message of JSON.parse(batch)) frame.contentWindow?.postMessage(message, location.origin);
    });
    port.routeChanged.connect((route) => { frame.src = route; });

    // Scripts that only a developer's view has; see AppView.extend.
    for (const begin of globalThis.limeBeside ?? []) begin(frame, objects);

    // The frame comes last: nothing the app says at its start is missed.
    frame.src = port.route;
    document.body.replaceChildren(frame);
  });
})();
