import { clip, count, fieldsOf, MAX_STORED_MATCHES } from '../wire/index.js';

/** Column lengths of a match. */
const LENGTHS = { site: 250, type: 30, target: 1_000, keyword: 250, excerpt: 200 } as const;
const SUMMARY_NUMBERS = [
  'scanned_files',
  'scanned_rows',
  'matches',
  'duration_sec',
  'thread_count',
  'total_files',
  'error_count',
  'speed_files_per_sec',
] as const;
const SUMMARY_TEXTS = ['finished_at', 'scan_mode'] as const;
const SUMMARY_TEXT_LENGTH = 50;
const MAX_NUMBER = 1e15;

/** A match as it is stored. */
export interface KeptMatch {
  readonly type: string;
  readonly target: string;
  readonly line: number;
  readonly keyword: string;
  readonly excerpt: string;
}

/** A scan result as it is stored. */
export interface KeptScan {
  readonly status: 'success' | 'failed';
  readonly site: string;
  readonly scannedFiles: number;
  readonly scannedRows: number;
  /** Number of reported matches, including those beyond the limit. */
  readonly matchCount: number;
  readonly summary: Readonly<Record<string, number | string>>;
  readonly matches: readonly KeptMatch[];
  /** Number of matches beyond {@link MAX_STORED_MATCHES}. */
  readonly dropped: number;
}

/**
 * Parses the scan report of an agent. Invalid values are dropped, texts are truncated to their columns, and at most {@link
 * MAX_STORED_MATCHES} matches are kept: the agent may be outdated, broken or untrusted.
 */
export function readScan(status: 'success' | 'failed', result: unknown, error: string): KeptScan {
  const { site, summary, matches } = fieldsOf(result);
  const reported =
    status === 'success' && Array.isArray(matches)
      ? (matches as unknown[]).filter((match) => typeof match === 'object' && match !== null && !Array.isArray(match))
      : [];
  const kept = reported.slice(0, MAX_STORED_MATCHES).map(readMatch);
  const dropped = reported.length - kept.length;
  const numbers = fieldsOf(summary);
  return {
    status,
    site: clip(site, LENGTHS.site),
    scannedFiles: count(numbers.scanned_files),
    scannedRows: count(numbers.scanned_rows),
    matchCount: reported.length,
    summary: {
      ...readSummary(numbers),
      ...(dropped > 0 ? { stored_matches: kept.length, dropped_matches: dropped } : {}),
      ...(error ? { error: clip(error, 1_000) } : {}),
    },
    matches: kept,
    dropped,
  };
}

function readSummary(fields: Readonly<Record<string, unknown>>): Record<string, number | string> {
  const summary: Record<string, number | string> = {};
  for (const name of SUMMARY_NUMBERS) {
    const value = fields[name];
    if (typeof value === 'number' && Math.abs(value) <= MAX_NUMBER) summary[name] = value;
  }
  for (const name of SUMMARY_TEXTS) {
    const value = clip(fields[name], SUMMARY_TEXT_LENGTH);
    if (value) summary[name] = value;
  }
  return summary;
}

function readMatch(value: unknown): KeptMatch {
  const match = fieldsOf(value);
  return {
    type: clip(match.type, LENGTHS.type) || 'file',
    target: clip(targetOf(match), LENGTHS.target),
    line: count(match.line),
    keyword: clip(match.keyword, LENGTHS.keyword),
    excerpt: clip(match.excerpt, LENGTHS.excerpt),
  };
}

function targetOf(match: Readonly<Record<string, unknown>>): unknown {
  if (match.type === 'database' && match.table !== undefined) {
    const [table, field, id] = [match.table, match.field, match.id].map((part) => clip(part, LENGTHS.target));
    return `${table}.${field}#${id}`;
  }
  return match.path ?? match.url;
}
