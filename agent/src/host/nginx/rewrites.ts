import { HostRefusal } from '../refusal.js';
import { readRewrites as read, RewriteProblem, type Within, type WrittenRules } from '../work/panel-ports.js';

export { STAYS_INSIDE } from '../work/panel-ports.js';

/**
 * The owner's rules as nginx gets them.
 *
 * @param within what stands in each of their locations, so that none of them serves what another one would run or refuse
 * @throws HostRefusal `CONFIG` with the directive that is none of those that are known
 */
export function readRewrites(text: string, within: Within): WrittenRules {
  try {
    return read(text, within);
  } catch (error) {
    if (!(error instanceof RewriteProblem)) throw error;
    throw new HostRefusal('CONFIG', `Rewrite rules: ${error.params.problem}.`, error.params);
  }
}
