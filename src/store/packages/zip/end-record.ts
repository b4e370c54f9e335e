import { PACKAGE_LIMITS } from '../package-limits.js';
import { PackageRefusal } from '../package-refusal.js';

import type { ZipFile } from './zip-file.js';

/** Bytes of the record without its comment (APPNOTE 4.3.16). */
const RECORD_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const LOCAL_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');
const ZIP64_LOCATOR = Buffer.from('PK\x06\x07', 'latin1');
const ZIP64_LOCATOR_BYTES = 20;

/** Where a ZIP's list of files lies. */
export interface EndRecord {
  readonly entryCount: number;
  readonly directoryOffset: number;
  readonly directoryBytes: number;
}

/**
 * Finds the end record, and with it the one list of files every reader must agree on: a ZIP with bytes before its first
 * file, behind its end, or with a second record that some reader could take for the end is refused.
 *
 * @throws PackageRefusal UNREADABLE, EMPTY, ZIP64, MULTI_DISK, HIDDEN_DATA, TOO_MANY_FILES
 */
export async function readEndRecord(file: ZipFile): Promise<EndRecord> {
  const tailOffset = Math.max(0, file.size - RECORD_BYTES - MAX_COMMENT_BYTES);
  const tail = await file.read(tailOffset, file.size - tailOffset);
  const at = tail.lastIndexOf(SIGNATURE);
  if (at < 0 || at + RECORD_BYTES > tail.length) throw new PackageRefusal('UNREADABLE');
  const commentEnd = at + RECORD_BYTES + tail.readUInt16LE(at + 20);
  if (commentEnd > tail.length) throw new PackageRefusal('UNREADABLE');
  if (commentEnd < tail.length || hasSecondRecord(tail, at)) throw new PackageRefusal('HIDDEN_DATA');

  const record = {
    disk: tail.readUInt16LE(at + 4),
    directoryDisk: tail.readUInt16LE(at + 6),
    entriesHere: tail.readUInt16LE(at + 8),
    entryCount: tail.readUInt16LE(at + 10),
    directoryBytes: tail.readUInt32LE(at + 12),
    directoryOffset: tail.readUInt32LE(at + 16),
  };
  const locatorAt = at - ZIP64_LOCATOR_BYTES;
  const zip64 = locatorAt >= 0 && tail.subarray(locatorAt, locatorAt + 4).equals(ZIP64_LOCATOR);
  if (zip64 || record.entryCount === 0xffff || record.directoryBytes === 0xffffffff || record.directoryOffset === 0xffffffff) {
    throw new PackageRefusal('ZIP64');
  }
  if (record.disk !== 0 || record.directoryDisk !== 0 || record.entriesHere !== record.entryCount) throw new PackageRefusal('MULTI_DISK');
  if (record.entryCount === 0) throw new PackageRefusal('EMPTY');
  if (record.entryCount > PACKAGE_LIMITS.entries || record.directoryBytes > PACKAGE_LIMITS.directoryBytes) throw new PackageRefusal('TOO_MANY_FILES');
  const end = tailOffset + at;
  if (record.directoryOffset + record.directoryBytes > end) throw new PackageRefusal('UNREADABLE');
  if (record.directoryOffset + record.directoryBytes < end) throw new PackageRefusal('HIDDEN_DATA');
  if (!(await file.read(0, 4)).equals(LOCAL_SIGNATURE)) throw new PackageRefusal('HIDDEN_DATA');
  return record;
}

/** Whether an earlier record ends exactly where the file does, its comment swallowing the one at `last`. */
function hasSecondRecord(tail: Buffer, last: number): boolean {
  for (let at = tail.indexOf(SIGNATURE); at >= 0 && at < last; at = tail.indexOf(SIGNATURE, at + 1)) {
    if (at + RECORD_BYTES + tail.readUInt16LE(at + 20) === tail.length) return true;
  }
  return false;
}
