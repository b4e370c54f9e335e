import { userInfo } from 'node:os';

import '../../account/index.js';
import { Clock, translate, type TextRef } from '../../common/index.js';
import type { Database } from '../../database/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';

/** Prefix of the actor in log lines written by `svc`, before the system user name; account names of the panel cannot contain a colon. */
const TERMINAL_ACTOR = 'svc:';

/** Records a command's action in the operation log. */
export async function recordAction(database: Database, text: TextRef): Promise<void> {
  const summary = translate(AUDIT_LOCALE, text.key, text.params);
  await new AuditLog(database, new Clock()).write({ actor: TERMINAL_ACTOR + systemUser(), category: 'svc', summary, text, outcome: 'ok' });
}

/** A user id without an entry in the user database has no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'system');
  }
}
