import { expect, it } from 'vitest';

import type { CheckOutcome } from '../checks/index.js';
import type { MonitorTask } from '../entities/index.js';

import { noticeOf } from './transition-notice.js';

const OUTCOME = { ok: true, code: 200, ms: 5, error: null, excerpt: '' } as unknown as CheckOutcome;

it('is mailed if the owner wants it, except recoveries', () => {
  const mailed = (notifyByEmail: boolean) => {
    const task = { id: 1, user: 'a', name: 'n', type: 'url', url: 'http://a.test', notifyByEmail } as MonitorTask;
    return (['down', 'still', 'up'] as const).map((transition) => noticeOf(task, transition, OUTCOME, new Date(0)).mail);
  };
  expect(mailed(true)).toEqual([true, true, false]);
  expect(mailed(false)).toEqual([false, false, false]);
});

it('has the notice kind of its monitor type: certificates have their own', () => {
  const kindOf = (type: string) =>
    noticeOf({ id: 1, user: 'a', name: 'n', type, url: 'a.test' } as MonitorTask, 'down', OUTCOME, new Date(0)).kind;
  expect([kindOf('cert'), kindOf('url'), kindOf('tcp')]).toEqual(['certificate', 'monitor', 'monitor']);
});
