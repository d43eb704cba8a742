/** A mail as a file (`.eml`): who sent it, its words, and what hangs on it. Parts that are no words are named and not read. */

const DEEPEST = 6;

/** @param {Uint8Array} bytes @returns {{text: string, sender: string, attachments: string[]}} */
export function readMail(bytes) {
  const mail = partOf(latin(bytes));
  const found = { plain: [], html: [], attachments: [] };
  gather(mail, found, 0);
  const words = (found.plain.length > 0 ? found.plain : found.html.map(withoutTags)).map((each) => each.trim());
  const subject = inWords(mail.headers.subject);
  return { text: [subject, ...words].filter(Boolean).join("\n"), sender: nameOf(inWords(mail.headers.from)), attachments: found.attachments };
}

function gather(part, found, depth) {
  const type = (part.headers["content-type"] ?? "text/plain").toLowerCase();
  const boundary = /boundary="?([^";]+)"?/i.exec(part.headers["content-type"] ?? "")?.[1];
  if (type.startsWith("multipart/") && boundary && depth < DEEPEST) {
    for (const inner of part.body.split(`--${boundary}`).slice(1, -1)) gather(partOf(inner.replace(/^\r?\n/, "")), found, depth + 1);
    return;
  }
  const name = /name\*?="?([^";\r\n]+)"?/i.exec(`${part.headers["content-disposition"] ?? ""};${part.headers["content-type"] ?? ""}`)?.[1];
  const isAttached = /^attachment/i.test(part.headers["content-disposition"] ?? "");
  if (isAttached || !/^text\/(plain|html)/.test(type)) return void found.attachments.push(inWords(name ?? type.split(";")[0]));
  found[type.startsWith("text/html") ? "html" : "plain"].push(decoded(part));
}

/** Headers and what follows them. A line that begins with a space goes on with the one before. */
function partOf(text) {
  const end = /\r?\n\r?\n/.exec(text);
  const head = (end ? text.slice(0, end.index) : text).replace(/\r?\n[ \t]+/g, " ");
  const headers = {};
  for (const line of head.split(/\r?\n/)) {
    const cut = line.indexOf(":");
    if (cut > 0) headers[line.slice(0, cut).trim().toLowerCase()] ??= line.slice(cut + 1).trim();
  }
  return { headers, body: end ? text.slice(end.index + end[0].length) : "" };
}

function decoded({ headers, body }) {
  const charset = /charset="?([^";\s]+)"?/i.exec(headers["content-type"] ?? "")?.[1] ?? "utf-8";
  const coding = (headers["content-transfer-encoding"] ?? "").toLowerCase();
  const raw = coding === "base64" ? fromBase64(body) : coding === "quoted-printable" ? fromQuoted(body.replace(/=\r?\n/g, "")) : body;
  return inCharset(raw, charset);
}

/** `=?utf-8?B?…?=` and the like, as words. */
const inWords = (text) =>
  (text ?? "")
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?([^?]+)\?([BQ])\?([^?]*)\?=/gi, (_, charset, kind, body) => inCharset(kind.toUpperCase() === "B" ? fromBase64(body) : fromQuoted(body.replaceAll("_", " ")), charset));

const nameOf = (from) => (/^"?([^"<]*?)"?\s*</.exec(from)?.[1] || from.replace(/[<>]/g, "")).trim();
const fromQuoted = (text) => text.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
const latin = (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");

function fromBase64(text) {
  try {
    return atob(text.replace(/[^A-Za-z0-9+/=]/g, ""));
  } catch {
    return "";
  }
}

function inCharset(raw, charset) {
  const bytes = Uint8Array.from(raw, (sign) => sign.charCodeAt(0));
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

const SIGNS = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", euro: "€", pound: "£" };

/** The words of a page, a line to a row. Nothing of it is ever drawn. */
const withoutTags = (html) =>
  html
    .replace(/<(style|script|head)\b[\s\S]*?<\/\1>/gi, "")
    .replace(/<br\s*\/?>|<\/(p|div|tr|li|h\d|table)>/gi, "\n")
    .replace(/<\/t[dh]>/gi, "  ")
    .replace(/<[^>]*>/g, "")
    .replace(/&(#\d+|\w+);/g, (whole, name) => (name.startsWith("#") ? String.fromCodePoint(Number(name.slice(1)) || 63) : (SIGNS[name.toLowerCase()] ?? whole)));
