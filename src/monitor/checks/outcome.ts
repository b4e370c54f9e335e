import type { ProbeProblem, TextRef } from '../../common/index.js';

/** Result of a check. */
export interface CheckOutcome {
  readonly ok: boolean;
  /** HTTP status, days left of a certificate or domain, or percent of a resource; null if not applicable. */
  readonly code: number | null;
  /** Response time in milliseconds; null for checks inside the panel. */
  readonly ms: number | null;
  /** Reason of a failure. */
  readonly error: TextRef | null;
  /** Beginning of the response. */
  readonly excerpt: string;
  /** Set if the state is unknown: neither up nor down, and not counted in the uptime. `told`: the owner is notified once. */
  readonly unknown?: 'told' | 'quiet';
}

/** Maximum bytes of a response that are read. */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_EXCERPT = 500;

/** A successful check. */
export const passed = (ms: number | null, code: number | null = null, body = ''): CheckOutcome => ({
  ok: true,
  code,
  ms,
  error: null,
  excerpt: excerptOf(body),
});

/** A failed check. */
export const failed = (error: TextRef, ms: number | null = null, code: number | null = null, body = ''): CheckOutcome => ({
  ok: false,
  code,
  ms,
  error,
  excerpt: excerptOf(body),
});

/** A check with an unknown result. */
export const unknown = (error: TextRef, told: 'told' | 'quiet'): CheckOutcome => ({ ...failed(error), unknown: told });

/** A check without a response. */
export const unanswered = (problem: ProbeProblem, ms: number | null = null): CheckOutcome =>
  failed({ key: `monitor.problem.${problem}` }, ms);

/** Returns at most 500 characters that any column can store. */
function excerptOf(body: string): string {
  return body.slice(0, MAX_EXCERPT).toWellFormed().replaceAll('\0', ' ');
}
