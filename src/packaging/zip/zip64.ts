import { PackageRefusal } from '../package-refusal.js';

import { EXTRA } from './extra-fields.js';

/** Value of a 32-bit field that refers to the ZIP64 field. */
export const IN_ZIP64 = 0xffffffff;
/** Value of a 16-bit field that refers to the ZIP64 record. */
export const IN_ZIP64_SHORT = 0xffff;

/**
 * Resolves header values that refer to the ZIP64 field (APPNOTE 4.5.3): in order, eight bytes each, exactly as many as there are
 * references. Anything else would be ambiguous between readers.
 *
 * @param values the 32-bit fields, in the order of the ZIP64 field
 * @param file name for the error
 * @throws PackageRefusal ZIP64 for a field that is missing, too short, too long or superfluous, or for a value out of range
 */
export function zip64Values(values: readonly number[], fields: ReadonlyMap<number, Buffer>, file: string): number[] {
  const field = fields.get(EXTRA.zip64);
  const pointing = values.filter((value) => value === IN_ZIP64).length;
  if (field === undefined ? pointing > 0 : field.length !== pointing * 8) throw new PackageRefusal('ZIP64', file);
  let at = 0;
  return values.map((value) => {
    if (value !== IN_ZIP64) return value;
    at += 8;
    return readSize(field!, at - 8, file);
  });
}

/**
 * Reads a 64-bit value as a number.
 *
 * @throws PackageRefusal ZIP64 if it is out of range
 */
export function readSize(bytes: Buffer, at: number, file?: string): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new PackageRefusal('ZIP64', file);
  return Number(value);
}
