import { localeOf } from '../common/index.js';
import { tellFailure, type TaskView } from '../jobs/index.js';
import { SuccessReply } from '../operations/index.js';

import type { ShownItem } from './store-catalogue.js';

/** Maximum rows per page of the store. */
export const MAX_ROWS = 100;

/** Progress of a task, in the fields that progress bars read. */
export function taskReply({ state, error, progress }: TaskView, locale: string): SuccessReply {
  const zt = { waiting: 'pending', running: 'running', done: 'success', failed: 'failed', cancelled: 'failed' }[state];
  const { done = 0, total = 0 } = progress ?? {};
  const percent = state === 'done' ? 100 : total > 0 ? Math.floor((done / total) * 100) : 0;
  const cw = state === 'failed' && error ? tellFailure(localeOf(locale), error) : '';
  return new SuccessReply('pluginStore.task', { zt, percent, cw });
}

/** Response form of a store item. */
export function wireItem({ item, state, installed }: ShownItem): Record<string, unknown> {
  const { slug, name, version, author_name, price, downloads, category, sha256, requires_svc } = item;
  return { slug, name, version, author: author_name, price, downloads, category, sha256, requires_svc, state, installed };
}
