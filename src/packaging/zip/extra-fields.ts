import { PackageRefusal } from '../package-refusal.js';

/** Extra fields that affect the meaning of an entry (APPNOTE 4.5, 4.6). */
export const EXTRA = { zip64: 0x0001, strongEncryption: 0x0017, unicodePath: 0x7075, asiUnix: 0x756e, aes: 0x9901 } as const;

/**
 * Reads the extra fields of a header, by id.
 *
 * @throws PackageRefusal UNREADABLE for a truncated field, HEADER_MISMATCH if a relevant field occurs twice
 */
export function readExtraFields(bytes: Buffer, file: string): ReadonlyMap<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length;) {
    const end = at + 4 <= bytes.length ? at + 4 + bytes.readUInt16LE(at + 2) : Infinity;
    if (end > bytes.length) throw new PackageRefusal('UNREADABLE', file);
    const kind = bytes.readUInt16LE(at);
    if (fields.has(kind) && (Object.values(EXTRA) as number[]).includes(kind)) throw new PackageRefusal('HEADER_MISMATCH', file);
    fields.set(kind, bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}
