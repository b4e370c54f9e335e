import { SuccessReply } from '../operations/index.js';

import type { SavedMonitor } from './records/index.js';

/** What saving a monitor answers; `push_url`, the address it waits to be called at, is told this once. */
export function savedReply({ id, isNew, pushUrl, version }: SavedMonitor): SuccessReply {
  const extras = { ...(pushUrl ? { push_url: pushUrl } : {}), ...version };
  return new SuccessReply(isNew ? 'monitor.added' : 'monitor.saved', { id, ...extras });
}
