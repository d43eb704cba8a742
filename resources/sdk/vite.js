/** For Vite's `plugins`: leaves `@lime/app-sdk` to the host, which serves it at the app's own origin. */

const NAME = "@lime/app-sdk";
const SERVED = "/__lime__/sdk/index.js";

export function limeSdk() {
  return {
    name: "lime-sdk",
    enforce: "pre",
    config: () => ({ optimizeDeps: { exclude: [NAME] } }),
    resolveId: (id) => (id === NAME || id === SERVED ? { id: SERVED, external: true } : null),
    // Vite reads ahead what it sees imported, and there is no such file. The page never gets this: it asks the host.
    load: (id) => (id === SERVED ? "" : null),
  };
}
