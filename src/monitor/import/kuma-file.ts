import { MonitorError } from '../errors.js';

/** An unvalidated monitor of an Uptime-Kuma file. */
export type KumaRecord = Readonly<Record<string, unknown>>;

/** Maximum file size in bytes; a thousand monitors take about two thirds of it. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Maximum number of monitors per file. */
export const MAX_MONITORS = 1_000;

/**
 * Reads the file that Uptime-Kuma 1.x writes under Settings → Backup → Export, and files of the same format from tools for 2.x, which has
 * no export: `monitorList` is a list or an object by number. Source: https://github.com/louislam/uptime-kuma, `server/model/monitor.js`
 * (`toJSON`).
 *
 * @returns its monitors in file order; an entry that is not an object becomes an empty one
 * @throws MonitorError `FIELD_WRONG` describing the problem of the file
 */
export function readKumaFile(bytes: Buffer): KumaRecord[] {
  if (bytes.length > MAX_FILE_BYTES) throw wrong('large', { mb: MAX_FILE_BYTES / 1024 ** 2 });
  const { monitorList } = asRecord(parse(decode(bytes)));
  if (monitorList === null || typeof monitorList !== 'object') throw wrong('form');
  const records: unknown[] = Object.values(monitorList);
  if (records.length === 0) throw wrong('empty');
  if (records.length > MAX_MONITORS) throw wrong('many', { n: MAX_MONITORS, found: records.length });
  return records.map(asRecord);
}

/** Returns a value as an object; an empty one if it is not an object. */
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
