import { readLegacyDay, readLegacyTime } from '../../common/index.js';

import type { DumpValue } from './dump-event.js';

const LARGEST = 2_000_000_000;

/** Why a row is not taken over, in words for the list of what is left. */
export class Left extends Error {}

/** A row of the other panel: nearly every column of it is a text. */
export class LegacyRow {
  constructor(
    private readonly columns: readonly string[],
    private readonly values: readonly DumpValue[],
  ) {}

  /** The columns that have something in them. */
  filled(): string[] {
    return this.columns.filter((_, at) => (this.values[at] ?? '').trim() !== '');
  }

  /** Empty for NULL, and for a column there is none of. */
  text(column: string): string {
    return this.values[this.columns.indexOf(column)] ?? '';
  }

  /** A text that our column holds. @param most characters @throws Left */
  short(column: string, most: number): string {
    const text = this.text(column);
    if (text.length > most) throw new Left(`its ${column} is longer than ${most} characters`);
    return text;
  }

  /** A text of at most 64 KB. @throws Left */
  long(column: string): string {
    const text = this.text(column);
    if (Buffer.byteLength(text) > 65_535) throw new Left(`its ${column} is longer than 64 KB`);
    return text;
  }

  /** A whole number, 0 to 2,000,000,000; empty is 0. @throws Left */
  integer(column: string): number {
    return wholeNumber(this.text(column), `its ${column} is no number`);
  }

  /** Of JSON such as `{"max":"1024","dq":3}` the limit and what is used; empty is no limit. @throws Left */
  limit(column: string): { readonly limit: number; readonly used: number } {
    const why = `its ${column} is no limit`;
    const value = this.text(column).trim() === '' ? {} : this.json(column);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Left(why);
    const { max, dq } = value as Record<string, unknown>;
    const used = Number(dq);
    return { limit: wholeNumber(String(max ?? ''), why), used: Number.isSafeInteger(Math.round(used)) && used > 0 ? Math.round(used) : 0 };
  }

  /** A list in JSON; empty is none. @throws Left */
  list(column: string): unknown[] {
    if (this.long(column).trim() === '') return [];
    const value = this.json(column);
    if (!Array.isArray(value)) throw new Left(`its ${column} is no list`);
    return value as unknown[];
  }

  /** JSON; undefined for what is none. */
  json(column: string): unknown {
    try {
      return JSON.parse(this.text(column)) as unknown;
    } catch {
      return undefined;
    }
  }

  /** A moment in the zone of the panel; `otherwise` for what is none. */
  moment(column: string, zone: string, otherwise: Date): Date {
    return readLegacyTime(this.text(column), zone) ?? otherwise;
  }

  /** A last day; null for ever. @throws Left */
  day(column: string, zone: string): string | null {
    const day = readLegacyDay(this.text(column), zone);
    if (day === undefined) throw new Left(`its ${column} is no day`);
    return day;
  }
}

function wholeNumber(text: string, why: string): number {
  const number = text.trim() === '' ? 0 : Number(text);
  if (!Number.isInteger(number) || number < 0 || number > LARGEST) throw new Left(why);
  return number;
}
