import type { DriverAccount, DriverResult } from '../driver-types.js';

import { PortRefusal } from './port-problem.js';

/** Why rules are refused: `RULE` one of them is not allowed, `problem` says which and why. */
export type RewriteProblemCode = 'RULE';

/** Thrown inside the port of rewrite rules. */
export class RewriteProblem extends PortRefusal<RewriteProblemCode> {}

/**
 * Rewrite rules of sites in nginx syntax: `location`, `rewrite`, `return`, `if`, `try_files`. They never lead out of the site. The panel's
 * rows are authoritative, as for settings.
 */
export interface RewritesPort {
  /** Sets the rules of a site; empty for none. `already` if unchanged. Refuses with a {@link RewriteProblemCode}. */
  apply(account: DriverAccount, rules: string, deadline: AbortSignal): Promise<DriverResult>;
}
