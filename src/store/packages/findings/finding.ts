import type { TextParams } from '../../../common/index.js';

/** How much a finding matters: to know, to look at, to look at first. */
export type FindingSeverity = 'info' | 'warning' | 'danger';

/** Finding of the automatic check of a package. Author and reviewer see it; it decides nothing by itself. */
export interface PackageFinding {
  /** Stable name of the rule, such as `eval` or `secret.aws_key`. */
  readonly rule: string;
  readonly severity: FindingSeverity;
  /** Below the root folder; empty where it is about the whole package. */
  readonly file: string;
  /** From 1; 0 where it is about the whole file. */
  readonly line: number;
  /** The place on one line, at most 160 characters, invisible ones written out, secrets masked; may be empty. */
  readonly excerpt: string;
  /** Text for people: `translate(locale, key, params)`. */
  readonly text: { readonly key: string; readonly params: TextParams };
}
