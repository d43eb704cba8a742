/**
 * The Lime App SDK. An app in a Lime host imports it as `@lime/app-sdk`, or from `/__lime__/sdk/index.js`.
 *
 *     const lime = await getLimeRuntime();
 *     syncTheme(lime);
 *     await lime.storage.set({ key: "greeting", value: "Hello" });
 */

export { LimeError } from "./errors.js";
export { createLimeCoreCapabilityAdapters, createLimeHostBridgeCapabilityInvoker } from "./published.js";
export { getLimeRuntime } from "./runtime.js";
export { syncTheme } from "./theme.js";
