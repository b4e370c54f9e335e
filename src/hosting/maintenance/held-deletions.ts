import { timeInSentence, type TextRef } from '../../common/index.js';
import { type NoticeDraft, registerNotice } from '../../notify/index.js';
import type { DeletionState } from '../accounts/index.js';

registerNotice({
  kind: 'system',
  title: { key: 'hosting.deletions_title' },
  texts: [
    { key: 'hosting.deletions_waiting', params: { n: 12, most: 5 } },
    { key: 'hosting.deletions_clock', params: { n: 2, from: '2026-12-31 10:00 UTC', to: '2027-01-31 10:00 UTC' } },
  ],
});

/** Creates the daily notice to administrators about deletions that wait for their approval. */
export function heldDeletions({ day, most, waiting, jump }: DeletionState, zone: string): NoticeDraft {
  const text: TextRef = jump
    ? { key: 'hosting.deletions_clock', params: { n: waiting, from: timeInSentence(jump.from, zone), to: timeInSentence(jump.to, zone) } }
    : { key: 'hosting.deletions_waiting', params: { n: waiting, most } };
  return {
    to: 'administrators',
    kind: 'system',
    level: 'danger',
    key: `deletions-held:${day}${jump ? `:clock:${jump.to.getTime()}` : ''}`,
    title: { key: 'hosting.deletions_title' },
    text,
    link: jump ? '/admin/what-will-happen' : '/admin/recycle-bin',
  };
}

/** Maximum usernames listed in a notice. */
const MAX_NAMES = 10;

/** Lists usernames in a notice, the first ten of them. */
export function listedNames(names: readonly string[]): string {
  return `${names.slice(0, MAX_NAMES).join(', ')}${names.length > MAX_NAMES ? ' …' : ''}`;
}
