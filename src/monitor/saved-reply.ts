import { SuccessReply } from '../operations/index.js';

import type { SavedMonitor } from './records/index.js';

/** Builds the reply to saving a monitor; `push_url` is shown only this once. */
export function savedReply({ id, isNew, pushUrl, version }: SavedMonitor): SuccessReply {
  const extras = { ...(pushUrl ? { push_url: pushUrl } : {}), ...version };
  return new SuccessReply(isNew ? 'monitor.added' : 'monitor.saved', { id, ...extras });
}
