/**
 * The owner's contact as sentences have it: a bare number is a QQ number and says so; whatever else the owner wrote stands as it is.
 *
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
