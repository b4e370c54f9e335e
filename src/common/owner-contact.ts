/**
 * Formats the owner's contact for use in a sentence: a bare number is a QQ number and gets a `QQ` prefix; anything else is unchanged.
 * @example
 * ```ts
 * ownerContact('10001'); // "QQ10001"
 * ownerContact('QQ 10001'); // "QQ 10001"
 * ```
 */
export function ownerContact(contact: string): string {
  const text = contact.trim();
  return /^\d{5,12}$/.test(text) ? `QQ${text}` : text;
}
