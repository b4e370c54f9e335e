import type { TextParams } from '../../../common/index.js';

/** Severity of a finding: informational, to be checked, to be checked first. */
export type FindingSeverity = 'info' | 'warning' | 'danger';

/** Finding of the automatic package check. Shown to author and reviewer; advisory only. */
export interface PackageFinding {
  /** Stable name of the rule, such as `eval` or `secret.aws_key`. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** Path below the root folder; empty for the whole package. */
  readonly file: string;
  /** Counted from 1; 0 for the whole file. */
  readonly line: number;
  /** Surroundings on one line, at most 160 characters, with invisible characters escaped and secrets masked; may be empty. */
  readonly excerpt: string;
  /** User-facing text: `translate(locale, key, params)`. */
  readonly text: { readonly key: string; readonly params: TextParams };
}
