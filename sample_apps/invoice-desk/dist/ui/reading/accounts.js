/** Bank accounts and tax numbers in a text. An IBAN counts only where its check digits are right. */

const IBAN = /\b([A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30})\b/g;
const NAMED_IBAN = /\bIBAN\b[\s:：.#]*([A-Z]{2} ?\d{2}(?: ?[A-Z0-9]*\d[A-Z0-9]*)+)/gi;
/** How long an account is: where one is wrong, nothing else says where it ends. */
const LENGTHS = { AT: 20, BE: 16, CH: 21, CZ: 24, DE: 22, DK: 18, ES: 24, FI: 18, FR: 27, GB: 22, IE: 22, IT: 27, LU: 20, NL: 18, NO: 15, PL: 28, PT: 25, SE: 24 };
const VAT = [
  /\b(DE ?\d{3} ?\d{3} ?\d{3}|ATU ?\d{8}|FR ?[A-Z0-9]{2} ?\d{9}|NL ?\d{9}B\d{2}|GB ?\d{3} ?\d{4} ?\d{2}|ES ?[A-Z0-9]\d{7}[A-Z0-9]|IT ?\d{11}|CHE-?\d{3}\.?\d{3}\.?\d{3})\b/g,
  // The unified social credit code.
  /(?<![0-9A-Z])([0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10})(?![0-9A-Z])/g,
];

/** Every IBAN, without spaces. */
export function ibansIn(text) {
  const found = [...text.matchAll(IBAN)].map(([, written]) => validStart(written.replaceAll(" ", "")));
  return [...new Set(found.filter(Boolean))];
}

/** What is called an IBAN and is none: its check digits are wrong. Empty where there is none. */
export function wrongIbanIn(text) {
  for (const [, written] of text.matchAll(NAMED_IBAN)) {
    const whole = written.replaceAll(" ", "").toUpperCase();
    const found = whole.slice(0, LENGTHS[whole.slice(0, 2)] ?? whole.length);
    if (validStart(whole) === null) return found;
  }
  return "";
}

/** Every tax number, without spaces. */
export const taxNumbersIn = (text) => [...new Set(VAT.flatMap((form) => [...text.matchAll(form)].map(([, written]) => compact(written))))];

/** A number as it is compared: without spaces, dots and dashes. */
export const compact = (written) => (written ?? "").toUpperCase().replace(/[\s.-]/g, "");

/** Whether the check digits of an IBAN are right. */
export function isIban(iban) {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = (iban.slice(4) + iban.slice(0, 4)).replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55));
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** The words behind an account may look like a part of it: the longest start that is right. */
function validStart(text) {
  for (let length = Math.min(text.length, 34); length >= 15; length -= 1) {
    if (isIban(text.slice(0, length))) return text.slice(0, length);
  }
  return null;
}
