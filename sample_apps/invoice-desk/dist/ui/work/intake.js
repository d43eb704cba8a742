/** From a file to what is known of it: its text by the host, its fields by rules, and which checks do not hold. */

import { duplicateOf, problemsOf } from "../reading/checks.js";
import { readInvoice } from "../reading/invoice.js";
import { readMail } from "../reading/mail.js";

const PATIENCE = { timeoutMs: 90_000 };
const LONGEST_MAIL = 2_000_000;
/** What the host says of a file that is no document of its kind, or too large: the file is at fault, not the program. */
const UNREADABLE = ["APP_E014", "APP_E906", "APP_E021", "APP_E001"];

/**
 * The words of a file.
 * @returns {Promise<{text: string, sender: string, attachments: string[]}>}
 */
export async function textOf(lime, folder, { path, name }) {
  const file = { ref: folder.ref, path };
  if (name.toLowerCase().endsWith(".eml")) {
    const { content } = await lime.files.readRef({ ...file, encoding: "base64", length: LONGEST_MAIL }, PATIENCE);
    return readMail(Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0)));
  }
  const { text } = await lime.files.parse(file, PATIENCE);
  return { text, sender: "", attachments: [] };
}

/** Whether an error says that a file cannot be read, and not that the host cannot be reached. */
export const isUnreadable = (error) => error.name === "LimeError" && UNREADABLE.includes(error.appErrorCode) && error.retryable !== true;

/**
 * What is to be done with a text.
 * @param {{suppliers: object[], others: object[], today: string}} known `others`: what is booked, and what is on its way
 * @returns {{kind: "run" | "duplicate" | "unreadable", invoice: object | null, problems: object[], of: object | null}}
 */
export function judge(document, known) {
  if (document.text.trim() === "") return { kind: "unreadable", invoice: null, problems: problemsOfMail(document, "scan"), of: null };
  return judgeInvoice(readInvoice(document, known.suppliers), document, known);
}

/** Whether a text says nothing that an invoice says. */
export const isEmpty = ({ number, gross }) => number === "" && gross === null;

/** The same for fields that are known already. */
export function judgeInvoice(invoice, document, known) {
  const of = duplicateOf(invoice, known.others);
  if (of !== null) return { kind: "duplicate", invoice, problems: [], of };
  const problems = problemsOf(invoice, known);
  if (isEmpty(invoice) && document.attachments.length > 0) return { kind: "unreadable", invoice: null, problems: problemsOfMail(document, "attached"), of: null };
  return { kind: "run", invoice, problems, of: null };
}

const problemsOfMail = ({ attachments }, code) => [{ code: attachments.length > 0 ? "attached" : code, values: { names: attachments.join(", ") } }];
