import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { Task } from '../src/jobs/index.js';
import { OperationLog } from '../src/operations/index.js';

import { CrashPlace } from './support/crash-place.js';
import { removalKiller } from './support/killers.js';
import { someMoments } from './support/moments.js';

const OLD = new Date(Date.now() - 3 * 86_400_000);
const FIRST = '.writable-01234567-89ab-cdef-0123-456789abcdef';
const SECOND = 'secret.key.0123456789ab';

describe('repairs, with the panel killed midway', () => {
  let crash: CrashPlace;
  beforeEach(async () => void (crash = await CrashPlace.create()));
  afterEach(() => crash.dispose());

  const tasks = () => crash.database.repository(Task).find({ where: { name: 'health.repair' }, order: { id: 'ASC' } });
  const isThere = (name: string) => existsSync(join(crash.dataDir, name));

  it.each(someMoments(['before', 'after'] as const))(
    'obsolete files, %s the first is deleted: the run continues automatically, and nothing else is touched',
    { timeout: 120_000 },
    async (when) => {
      const { panel, admin } = await crash.start();
      for (const name of [FIRST, SECOND, 'keep.txt']) {
        writeFileSync(join(crash.dataDir, name), 'x');
        utimesSync(join(crash.dataDir, name), OLD, OLD);
      }
      mkdirSync(join(crash.dataDir, 'keep'));
      await admin.operate('admin', { gn: 'xtxf', xx: '["3"]' });
      await expect.poll(async () => (await tasks()).map(({ state }) => state)).toEqual(['done']);
      await crash.enable(admin, removalKiller(FIRST, when));
      await admin.operate('admin', { gn: 'xtxf', xx: '["3"]', xe: 'true' }).catch(() => undefined);
      expect(await panel.ended).toBe('SIGKILL');
      expect([isThere(FIRST), isThere(SECOND)]).toEqual([when === 'before', true]);
      await crash.endClaims();
      await crash.recover();
      await expect
        .poll(async () => (await tasks()).map(({ state }) => state), { timeout: 60_000, interval: 500 })
        .toEqual(['done', 'done']);
      expect([FIRST, SECOND, 'keep.txt', 'keep'].map(isThere)).toEqual([false, false, true, true]);
      expect(await crash.database.repository(OperationLog).countBy({ category: 'xtxf', actor: 'admin' })).toBeGreaterThan(0);
    },
  );
});
