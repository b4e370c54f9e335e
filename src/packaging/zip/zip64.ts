import { PackageRefusal } from '../package-refusal.js';

import { EXTRA } from './extra-fields.js';

/** What a 32-bit field says whose value stands in the ZIP64 field. */
export const IN_ZIP64 = 0xffffffff;
/** The same of a 16-bit field. */
export const IN_ZIP64_SHORT = 0xffff;

/**
 * The values of a header, those of the ZIP64 field in the place of the fields that point there (APPNOTE 4.5.3): in their order, eight
 * bytes each, exactly as many as point there. Anything else is what two readers could read in two ways.
 *
 * @param values the 32-bit fields, in the order of the ZIP64 field
 * @param file for the refusal
 * @throws PackageRefusal ZIP64 for a field that is missing, too short, too long or not needed, or a value that does not fit
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
 * A 64-bit value as a number.
 *
 * @throws PackageRefusal ZIP64 for one no file of ours can have
 */
export function readSize(bytes: Buffer, at: number, file?: string): number {
  const value = bytes.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new PackageRefusal('ZIP64', file);
  return Number(value);
}
