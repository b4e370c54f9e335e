import { MonitorError } from '../errors.js';

/** A monitor as a file of Uptime-Kuma has it: nothing of it is known to be right. */
export type KumaRecord = Readonly<Record<string, unknown>>;

/** Largest file, in bytes: a thousand monitors take about two thirds of it. */
export const MOST_FILE_BYTES = 4 * 1024 * 1024;
/** Most monitors of one file. */
export const MOST_MONITORS = 1_000;

/**
 * Reads what Uptime-Kuma 1.x writes under Settings → Backup → Export, and what tools for 2.x, which has no export, write in its
 * form: `monitorList` is a list there, or an object by number. Source: https://github.com/louislam/uptime-kuma,
 * `server/model/monitor.js` (`toJSON`).
 *
 * @returns its monitors in the order of the file; one that is no object is an empty one
 * @throws MonitorError `FIELD_WRONG` saying what is wrong with the file
 */
export function readKumaFile(bytes: Buffer): KumaRecord[] {
  if (bytes.length > MOST_FILE_BYTES) throw wrong('large', { mb: MOST_FILE_BYTES / 1024 ** 2 });
  const { monitorList } = asRecord(parse(decode(bytes)));
  if (monitorList === null || typeof monitorList !== 'object') throw wrong('form');
  const records: unknown[] = Object.values(monitorList);
  if (records.length === 0) throw wrong('empty');
  if (records.length > MOST_MONITORS) throw wrong('many', { n: MOST_MONITORS, found: records.length });
  return records.map(asRecord);
}

/** A value that should be an object; an empty one where it is none. */
export const asRecord = (value: unknown): KumaRecord =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as KumaRecord) : {};

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong('encoding');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrong('json');
  }
}

const wrong = (what: string, params: Record<string, number> = {}): MonitorError =>
  new MonitorError('FIELD_WRONG', {}, { file: { key: `monitor.import.file_${what}`, params } });
