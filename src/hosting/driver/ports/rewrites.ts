import type { DriverAccount, DriverResult } from '../driver-types.js';

import { PortRefusal } from './port-problem.js';

/** Why rules cannot be had: `RULE` one of them is none the server takes, `problem` says which and why. */
export type RewriteProblemCode = 'RULE';

/** Thrown inside the port of rewrite rules. */
export class RewriteProblem extends PortRefusal<RewriteProblemCode> {}

/**
 * Rules by which addresses of a site lead to its programs, in the words of nginx: `location`, `rewrite`, `return`, `if`, `try_files`. They
 * never lead out of the site. The panel's rows are the truth, as of settings.
 */
export interface RewritesPort {
  /** Makes these the rules of a site; empty: none. The same again is `already`. Refuses with a {@link RewriteProblemCode}. */
  apply(account: DriverAccount, rules: string, deadline: AbortSignal): Promise<DriverResult>;
}
