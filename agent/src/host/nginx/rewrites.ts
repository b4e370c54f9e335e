import { HostRefusal } from '../refusal.js';
import { readRewrites as read, RewriteProblem, type Within, type WrittenRules } from '../work/panel-ports.js';

export { STAYS_INSIDE } from '../work/panel-ports.js';

/**
 * Converts the owner's rewrite rules for nginx.
 *
 * @param within directives added to each of their locations, so that none of them serves a file that another location would run or refuse
 * @throws HostRefusal `CONFIG` naming the unknown directive
 */
export function readRewrites(text: string, within: Within): WrittenRules {
  try {
    return read(text, within);
  } catch (error) {
    if (!(error instanceof RewriteProblem)) throw error;
    throw new HostRefusal('CONFIG', `Rewrite rules: ${error.params.problem}.`, error.params);
  }
}
