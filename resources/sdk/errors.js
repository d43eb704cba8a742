/** What the host refused or could not do, as an app meets it. */

/** @typedef {import("./lime-app-sdk.d.ts").StableCode} StableCode */
/** @typedef {import("./lime-app-sdk.d.ts").ErrorFacts} ErrorFacts */

export class LimeError extends Error {
  /** @param {Partial<ErrorFacts>} facts as the host sent them; an older host leaves some out */
  constructor({ stableCode, code, message, retryable, traceId, details } = {}) {
    super(message ?? "The host refused.");
    this.name = "LimeError";
    this.code = /** @type {StableCode} */ (stableCode ?? "upstream_failed");
    this.causeCode = code ?? "";
    this.retryable = retryable ?? false;
    this.traceId = traceId;
    this.details = details ?? {};
    this.appErrorCode = this.details.appErrorCode;
    this.userAction = this.details.userAction;
    this.recovery = this.details.recovery;
  }
}

export const notConnected = () =>
  new LimeError({
    stableCode: "capability_unavailable",
    code: "CAPABILITY_BLOCKED",
    message: "This page is not inside a Lime host.",
  });

export const timedOut = () =>
  new LimeError({
    stableCode: "timeout",
    code: "TIMEOUT",
    message: "The host did not answer in time.",
    retryable: true,
  });

export const cancelled = () =>
  new LimeError({ stableCode: "cancelled", code: "CANCELLED", message: "The call was given up." });
