import { readLegacyDay, readLegacyTime } from '../../common/index.js';

import type { DumpValue } from './dump-event.js';

const LARGEST = 2_000_000_000;

/** A row that is skipped; the message is the reason in the report. */
export class SkippedRow extends Error {}

/** A row of the other panel; almost all its columns are text. */
export class LegacyRow {
  constructor(
    private readonly columns: readonly string[],
    private readonly values: readonly DumpValue[],
  ) {}

  /** Returns the columns with a value. */
  filled(): string[] {
    return this.columns.filter((_, at) => (this.values[at] ?? '').trim() !== '');
  }

  /** Returns a text; empty for NULL or a missing column. */
  text(column: string): string {
    return this.values[this.columns.indexOf(column)] ?? '';
  }

  /** Returns a text that fits our column. @param max maximum characters @throws SkippedRow */
  short(column: string, max: number): string {
    const text = this.text(column);
    if (text.length > max) throw new SkippedRow(`its ${column} is longer than ${max} characters`);
    return text;
  }

  /** Returns a text of at most 64 KB. @throws SkippedRow */
  long(column: string): string {
    const text = this.text(column);
    if (Buffer.byteLength(text) > 65_535) throw new SkippedRow(`its ${column} is longer than 64 KB`);
    return text;
  }

  /** Returns a whole number from 0 to 2,000,000,000; empty is 0. @throws SkippedRow */
  integer(column: string): number {
    return wholeNumber(this.text(column), `its ${column} is not a whole number`);
  }

  /** Parses JSON such as `{"max":"1024","dq":3}` into limit and usage; empty means no limit. @throws SkippedRow */
  limit(column: string): { readonly limit: number; readonly used: number } {
    const why = `its ${column} is not a limit`;
    const value = this.text(column).trim() === '' ? {} : this.json(column);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new SkippedRow(why);
    const { max, dq } = value as Record<string, unknown>;
    const used = Number(dq);
    return { limit: wholeNumber(String(max ?? ''), why), used: Number.isSafeInteger(Math.round(used)) && used > 0 ? Math.round(used) : 0 };
  }

  /** Parses a JSON list; empty text is an empty list. @throws SkippedRow */
  list(column: string): unknown[] {
    if (this.long(column).trim() === '') return [];
    const value = this.json(column);
    if (!Array.isArray(value)) throw new SkippedRow(`its ${column} is not a list`);
    return value as unknown[];
  }

  /** Parses JSON; undefined if invalid. */
  json(column: string): unknown {
    try {
      return JSON.parse(this.text(column)) as unknown;
    } catch {
      return undefined;
    }
  }

  /** Parses a time in the panel's time zone; `otherwise` if invalid. */
  moment(column: string, zone: string, otherwise: Date): Date {
    return readLegacyTime(this.text(column), zone) ?? otherwise;
  }

  /** Parses an expiry date; null for unlimited. @throws SkippedRow */
  day(column: string, zone: string): string | null {
    const day = readLegacyDay(this.text(column), zone);
    if (day === undefined) throw new SkippedRow(`its ${column} is not a date`);
    return day;
  }
}

function wholeNumber(text: string, why: string): number {
  const number = text.trim() === '' ? 0 : Number(text);
  if (!Number.isInteger(number) || number < 0 || number > LARGEST) throw new SkippedRow(why);
  return number;
}
