import { PACKAGE_LIMITS } from '../package-limits.js';
import { PackageRefusal } from '../package-refusal.js';

import type { ZipFile } from './zip-file.js';
import { IN_ZIP64, IN_ZIP64_SHORT, readSize } from './zip64.js';

/** Size of the record in bytes, without its comment (APPNOTE 4.3.16). */
const RECORD_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const SIGNATURE = Buffer.from('PK\x05\x06', 'latin1');
const LOCAL_SIGNATURE = Buffer.from('PK\x03\x04', 'latin1');
const ZIP64_LOCATOR = Buffer.from('PK\x06\x07', 'latin1');
const ZIP64_LOCATOR_BYTES = 20;
const ZIP64_RECORD = Buffer.from('PK\x06\x06', 'latin1');
const ZIP64_RECORD_BYTES = 56;

/** Location of the central directory. */
export interface EndRecord {
  readonly entryCount: number;
  readonly directoryOffset: number;
  readonly directoryBytes: number;
}

/**
 * Finds the end record, and with it the only central directory any reader could find. Rejects a ZIP with bytes before its first file or
 * after its end, or with a second record that a reader could take for the end.
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
  const plain = [record.entryCount === IN_ZIP64_SHORT, record.directoryBytes === IN_ZIP64, record.directoryOffset === IN_ZIP64];
  const end = tailOffset + at;
  const wide = await readZip64Record(file, end);
  if (wide === null && plain.includes(true)) throw new PackageRefusal('ZIP64');
  return checkDirectory(file, wide === null ? { ...record, end } : merge(record, wide));
}

interface DirectoryRecord extends EndRecord {
  readonly disk: number;
  readonly directoryDisk: number;
  readonly entriesHere: number;
  /** End of the central directory, where its records begin. */
  readonly end: number;
}

async function checkDirectory(file: ZipFile, record: DirectoryRecord): Promise<EndRecord> {
  if (record.disk !== 0 || record.directoryDisk !== 0 || record.entriesHere !== record.entryCount) throw new PackageRefusal('MULTI_DISK');
  if (record.entryCount === 0) throw new PackageRefusal('EMPTY');
  if (record.entryCount > PACKAGE_LIMITS.entries || record.directoryBytes > PACKAGE_LIMITS.directoryBytes)
    throw new PackageRefusal('TOO_MANY_FILES');
  const { end } = record;
  if (record.directoryOffset + record.directoryBytes > end) throw new PackageRefusal('UNREADABLE');
  if (record.directoryOffset + record.directoryBytes < end) throw new PackageRefusal('HIDDEN_DATA');
  if (!(await file.read(0, 4)).equals(LOCAL_SIGNATURE)) throw new PackageRefusal('HIDDEN_DATA');
  return record;
}

/**
 * Reads the ZIP64 record and its locator directly before the end record at `end` (APPNOTE 4.3.14, 4.3.15): the locator must point to the
 * record directly before it, and the record must not have extra data. Null without a locator.
 *
 * @throws PackageRefusal ZIP64
 */
async function readZip64Record(file: ZipFile, end: number): Promise<DirectoryRecord | null> {
  if (end < ZIP64_LOCATOR_BYTES) return null;
  const locator = await file.read(end - ZIP64_LOCATOR_BYTES, ZIP64_LOCATOR_BYTES);
  if (!locator.subarray(0, 4).equals(ZIP64_LOCATOR)) return null;
  const at = end - ZIP64_LOCATOR_BYTES - ZIP64_RECORD_BYTES;
  const isAlone = locator.readUInt32LE(4) === 0 && locator.readUInt32LE(16) === 1;
  if (at < 0 || !isAlone || readSize(locator, 8) !== at) throw new PackageRefusal('ZIP64');
  const record = await file.read(at, ZIP64_RECORD_BYTES);
  if (!record.subarray(0, 4).equals(ZIP64_RECORD) || readSize(record, 4) !== ZIP64_RECORD_BYTES - 12) throw new PackageRefusal('ZIP64');
  return {
    disk: record.readUInt32LE(16),
    directoryDisk: record.readUInt32LE(20),
    entriesHere: readSize(record, 24),
    entryCount: readSize(record, 32),
    directoryBytes: readSize(record, 40),
    directoryOffset: readSize(record, 48),
    end: at,
  };
}

/** Merges both records: each value of the end record must refer to the ZIP64 record or be equal. @throws PackageRefusal ZIP64 */
function merge(record: Omit<DirectoryRecord, 'end'>, wide: DirectoryRecord): DirectoryRecord {
  const agree = (value: number, pointer: number, real: number): boolean => value === pointer || value === real;
  const agrees =
    agree(record.disk, IN_ZIP64_SHORT, wide.disk) &&
    agree(record.directoryDisk, IN_ZIP64_SHORT, wide.directoryDisk) &&
    agree(record.entriesHere, IN_ZIP64_SHORT, wide.entriesHere) &&
    agree(record.entryCount, IN_ZIP64_SHORT, wide.entryCount) &&
    agree(record.directoryBytes, IN_ZIP64, wide.directoryBytes) &&
    agree(record.directoryOffset, IN_ZIP64, wide.directoryOffset);
  if (!agrees) throw new PackageRefusal('ZIP64');
  return wide;
}

/** Whether an earlier record ends exactly at the file's end, with the one at `last` inside its comment. */
function hasSecondRecord(tail: Buffer, last: number): boolean {
  for (let at = tail.indexOf(SIGNATURE); at >= 0 && at < last; at = tail.indexOf(SIGNATURE, at + 1)) {
    if (at + RECORD_BYTES + tail.readUInt16LE(at + 20) === tail.length) return true;
  }
  return false;
}
