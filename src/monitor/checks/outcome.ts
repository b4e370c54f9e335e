import type { ProbeProblem, TextRef } from '../../common/index.js';

/** What one check found. */
export interface CheckOutcome {
  readonly ok: boolean;
  /** Status of a web server, days left of a certificate or a domain, percent of a resource; null where there is none. */
  readonly code: number | null;
  /** Milliseconds until the answer; null for what is looked up in the panel. */
  readonly ms: number | null;
  /** Why it failed. */
  readonly error: TextRef | null;
  /** The beginning of an answer. */
  readonly excerpt: string;
  /** Set where nobody can say whether it is fine: neither up nor down, and no part of its uptime. `told`: its owner hears of it once. */
  readonly unknown?: 'told' | 'quiet';
}

/** Bytes of an answer that are looked at. */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_EXCERPT = 500;

/** A check that found what it looks for. */
export const passed = (ms: number | null, code: number | null = null, body = ''): CheckOutcome => ({
  ok: true,
  code,
  ms,
  error: null,
  excerpt: excerptOf(body),
});

/** A check that did not. */
export const failed = (error: TextRef, ms: number | null = null, code: number | null = null, body = ''): CheckOutcome => ({
  ok: false,
  code,
  ms,
  error,
  excerpt: excerptOf(body),
});

/** A check after which nobody knows more. */
export const unknown = (error: TextRef, told: 'told' | 'quiet'): CheckOutcome => ({ ...failed(error), unknown: told });

/** A check that got no answer. */
export const unanswered = (problem: ProbeProblem, ms: number | null = null): CheckOutcome =>
  failed({ key: `monitor.problem.${problem}` }, ms);

/** At most 500 characters that every table can hold. */
function excerptOf(body: string): string {
  return body.slice(0, MAX_EXCERPT).toWellFormed().replaceAll('\0', ' ');
}
