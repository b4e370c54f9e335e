import type { ActionName } from '../../../src/agents/wire/actions.js';
import type { ActionCase } from './action-case.js';
import { DATABASE_CASES } from './database-cases.js';
import { FILE_CASES } from './file-cases.js';
import { SITE_CASES } from './site-cases.js';

export type { ActionCase, CasePlace } from './action-case.js';
export { files } from './file-cases.js';
export { commandOf, none } from './site-cases.js';

/** Test cases of all actions of the agent; an action that is added needs a case here. */
export const ACTION_CASES: Readonly<Record<ActionName, ActionCase>> = { ...SITE_CASES, ...DATABASE_CASES, ...FILE_CASES };
