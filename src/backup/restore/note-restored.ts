import { Clock, translate } from '../../common/index.js';
import type { AppConfig } from '../../config/index.js';
import type { Database } from '../../database/index.js';
import { AUDIT_LOCALE, AuditLog } from '../../operations/index.js';

import { PreparedRestore } from './prepared-restore.js';

/** Records the outcome of a restore in the operation log: a restored database does not contain it. */
export async function noteRestored(database: Database, { dataDir }: AppConfig): Promise<void> {
  const prepared = new PreparedRestore(dataDir);
  const { outcome } = prepared;
  if (!outcome || outcome.noted) return;
  const { backup, by, problem } = outcome;
  const text = { key: problem === null ? 'backup.audit.restored' : 'backup.audit.restore_failed', params: { name: backup } };
  const summary = translate(AUDIT_LOCALE, text.key, text.params);
  const result = problem === null ? 'ok' : 'failed';
  await new AuditLog(database, new Clock()).write({ actor: by, category: 'bfhf', summary, text, outcome: result });
  await prepared.storeOutcome({ ...outcome, noted: true });
}
