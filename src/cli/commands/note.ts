import { userInfo } from 'node:os';

import '../../account/index.js';
import { Clock, translate, type TextRef } from '../../common/index.js';
import type { Database } from '../../database/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';

/**
 * Begins the actor of lines that a command of `svc` caused, before the account of the system: no account of the
 * panel has a colon in its name.
 */
const TERMINAL_ACTOR = 'svc:';

/** Writes what a command did into the operation log. */
export async function note(database: Database, text: TextRef): Promise<void> {
  const summary = translate(AUDIT_LOCALE, text.key, text.params);
  await new AuditLog(database, new Clock()).write({ actor: TERMINAL_ACTOR + systemUser(), category: 'svc', summary, text, outcome: 'ok' });
}

/** A user id without an entry in the system's list has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'system');
  }
}
